package original

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"mendel/internal/repair/setup"
	"mendel/internal/result"
)

// A listener is an Observer that remembers lines.
type listener struct {
	result.Silent
	mu    sync.Mutex
	lines []string
}

func (l *listener) Printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// setupFor is a setup without a program.
func setupFor(w result.Wanted) *setup.Setup {
	w = w.WithDefaults()
	return setup.New(w, nil, setup.NewProgress(w.Observer, w.Verbose, nil))
}

// baselineFor is a baseline of a program that is not there.
func baselineFor(w result.Wanted) *Baseline { return New(setupFor(w), nil, nil) }

// reproducing is a reproduction that has come to a baseline.
func reproducing(b *Baseline) *reproduction { return &reproduction{Baseline: b} }

// writeTree writes files below a directory.
func writeTree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

package repair

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"mendel/internal/journal"
	"mendel/internal/repair/original"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
)

// runTimeout is the time for one run where a test demands a fix. The calibrated
// time is too short when other tests take the whole machine for a moment.
const runTimeout = 30 * time.Second

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

// sessionFor is a session without a store.
func sessionFor(w result.Wanted) *session {
	w = w.WithDefaults()
	return &session{wanted: w, clock: &journal.Clock{}, progress: setup.NewProgress(w.Observer, w.Verbose, nil)}
}

// envFor is an environment without a program.
func envFor(w result.Wanted) *environment {
	w = w.WithDefaults()
	return &environment{Setup: setupFor(w), wanted: w}
}

// setupFor is a setup without a program.
func setupFor(w result.Wanted) *setup.Setup {
	w = w.WithDefaults()
	return setup.New(w, nil, setup.NewProgress(w.Observer, w.Verbose, nil))
}

// baselineFor is a baseline of a program that is not there.
func baselineFor(w result.Wanted) *original.Baseline { return original.New(setupFor(w), nil, nil) }

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

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

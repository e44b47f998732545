package validate

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/mutate"
)

const setSource = `package p

import "sync"

type Set struct {
	mu    sync.Mutex
	names map[string]bool
}

func (s *Set) Add(name string) { s.names[name] = true }

func (s *Set) Has(name string) bool { return s.names[name] }
`

// A patch that somebody else has made is flagged for what it leaves out.
func TestFindingsOfAPatch(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": setSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := analysistest.Load(context.Background(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	const locked = "{\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\t"
	some := strings.Replace(setSource, "{ s.names[name] = true }", locked+"s.names[name] = true\n}", 1)
	all := strings.Replace(some, "{ return s.names[name] }", locked+"return s.names[name]\n}", 1)
	for _, tt := range []struct {
		source string
		flags  []mutate.Flag
		words  string
	}{
		{some, []mutate.Flag{mutate.IncompleteGuard}, "Set.names is read without Set.mu, which the change puts around other uses of it in (*Set).Has (p.go:16)"},
		{all, nil, ""},
	} {
		m, err := mutate.Given(p, map[string][]byte{p.Packages[0].Files[0].Name: []byte(tt.source)})
		if err != nil {
			t.Fatal(err)
		}
		var q Quality
		v := &Validator{o: Options{Program: p}}
		flags, err := v.addFindings(m, &q, nil)
		if err != nil || !slices.Equal(flags, tt.flags) || strings.Join(q.Unguarded, "; ") != tt.words {
			t.Errorf("flags %q, unguarded %q, error %v; want %q, %q", flags, q.Unguarded, err, tt.flags, tt.words)
		}
	}
}

package validate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/mutate"
)

const guardedBook = `package book

import "sync"

type Book struct {
	mu      sync.Mutex
	entries map[string]int
	free    int
}

func (b *Book) Add(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.entries[name]++
	b.free--
}

func (b *Book) Has(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.entries[name] > 0
}

func (b *Book) Free() int { return b.free }
`

// A new lock beside the one that guards a variable everywhere keeps nobody out.
func TestSecondGuard(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/book\n\ngo 1.24\n", "book.go": guardedBook} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := analysis.Load(t.Context(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	v := New(Options{Program: p})
	for _, c := range []struct {
		variable string
		lock     analysis.Lock
		want     string
	}{
		{"Book.entries", analysis.Lock{Key: "example.com/book.Book.entriesMu", New: &analysis.NewLock{}}, "Book.entries has a new lock"},
		{"Book.entries", analysis.Lock{Key: "example.com/book.Book.mu"}, ""},
		{"Book.free", analysis.Lock{Key: "example.com/book.Book.freeMu", New: &analysis.NewLock{}}, ""}, // as often without it
	} {
		got := strings.Join(v.secondGuards([]mutate.Edit{{Vars: []string{c.variable}, Lock: &c.lock}}), "\n")
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s under %s: %q, want %q", c.variable, c.lock.Key, got, c.want)
		}
	}
}

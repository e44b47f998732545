package rules

import (
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/analysis/locks/guards"
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
	p := load(t, guardedBook)
	guards := func() []guards.Guard { return guards.All(locks.New(p)) }
	for _, c := range []struct {
		variable string
		lock     analysis.Lock
		want     string
	}{
		{"Book.entries", analysis.Lock{Key: "p.Book.entriesMu", New: &analysis.NewLock{}}, "Book.entries has a new lock"},
		{"Book.entries", analysis.Lock{Key: "p.Book.mu"}, ""},
		{"Book.free", analysis.Lock{Key: "p.Book.freeMu", New: &analysis.NewLock{}}, ""}, // as often without it
	} {
		got := strings.Join(SecondGuards(guards, []mutate.Edit{{Vars: []string{c.variable}, Lock: &c.lock}}), "\n")
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s under %s: %q, want %q", c.variable, c.lock.Key, got, c.want)
		}
	}
}

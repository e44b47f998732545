package seed

import (
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
)

const guarded = `package p

import "sync"

type Meter struct {
	mu sync.Mutex
	n  int
}

func (m *Meter) Add() {
	m.mu.Lock() // added
	m.n++
	m.mu.Unlock()
}

func (m *Meter) Stats() int {
	m.mu.Lock()
	defer m.mu.Unlock() // added
	return m.n
}

func (m *Meter) Reset() {
	m.mu.Lock() // added
	defer m.mu.Unlock()
	m.n = 0
}

func (m *Meter) All(work []func()) {
	var wg sync.WaitGroup
	for _, f := range work {
		wg.Go(f)
	}
	wg.Wait() // added
}
`

// The guards of a patch are those that its lines take, each with who else takes the same lock.
func TestGuards(t *testing.T) {
	p := load(t, []byte(guarded))
	guards, err := Guards(p, func(f *analysis.File, line int) bool {
		return strings.HasSuffix(strings.Split(string(f.Source), "\n")[line-1], "// added")
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range guards {
		got = append(got, g.Words+": "+strings.Join(g.Beside, ", "))
		if len(g.Files()) != 1 {
			t.Errorf("%s changes %d files", g.Words, len(g.Files()))
		}
	}
	want := []string{
		"(*Meter).Add does not take m.mu any more: (*Meter).Reset, (*Meter).Stats",
		"(*Meter).Reset does not take m.mu any more: (*Meter).Add, (*Meter).Stats",
		"(*Meter).All does not wait for wg: ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

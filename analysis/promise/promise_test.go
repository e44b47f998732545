package promise_test

import (
	"testing"

	"mendel/analysis/analysistest"
	"mendel/analysis/promise"
)

func TestWords(t *testing.T) {
	for _, c := range []struct {
		doc                string
		callsBack, inOrder bool
	}{
		{"A listener may\nuse the board: it may read it.", true, false},
		{"The pool may be used in it.", true, false},
		{"It is called without any lock.", true, false},
		{"Close may be called more than once.", false, false},
		{"Each has seen the changes in their order.", false, true},
		{"It is never called by two goroutines at once. It may call Add.", true, true},
		{"Listeners run in the order in which they were subscribed. They may call Close.", true, false},
	} {
		if got := promise.CallsBack(c.doc); got != c.callsBack {
			t.Errorf("%q calls back: %v", c.doc, got)
		}
		if got := promise.InOrder(c.doc); got != c.inOrder {
			t.Errorf("%q in order: %v", c.doc, got)
		}
	}
}

// The documentation of a type is that of itself, and of the functions that take one.
func TestOf(t *testing.T) {
	const source = `package p

// Watcher is told.
type Watcher func(int)

// Room is a room.
type Room struct {
	hook func() // hook runs last
}

// Watch adds w.
func (r *Room) Watch(w Watcher) {}

// Other is something else.
func (r *Room) Other(n int) {}
`
	f := analysistest.Source(t, source).Packages[0].Files[0]
	watcher := f.Package.Types.Scope().Lookup("Watcher")
	if got, want := promise.Of(f, watcher), "Watcher is told.\n\n\n\nWatch adds w.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

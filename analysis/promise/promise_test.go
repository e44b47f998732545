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

// What may be used is said up to what may not.
func TestAllowed(t *testing.T) {
	const doc = "It is told once. It may call Add and Value, but not Stop. It ends soon."
	if got, want := promise.Allowed(doc), "It may call Add and Value,"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWaits(t *testing.T) {
	for _, c := range []struct {
		doc          string
		waits, again bool
	}{
		{"Stop ends the probing. Once it has returned, no probe is made.", true, false},
		{"Close ends all lines, and waits for them. It may be called more than once.", true, true},
		{"Close returns when all have ended. A second call returns ErrClosed, at once.", true, false},
		{"Close ends all lines. It does not wait for them.", false, false},
		{"Cancel asks the monitor to end.", false, false},
	} {
		if got := promise.Waits(c.doc); got != c.waits {
			t.Errorf("%q waits: %v", c.doc, got)
		}
		if got := promise.Again(c.doc); got != c.again {
			t.Errorf("%q again: %v", c.doc, got)
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

package sched

import (
	"testing"
	"unsafe"
)

func atomicWrite(n *int) { AtomicWrite(unsafe.Pointer(n), unsafe.Sizeof(*n)) }
func atomicRead(n *int)  { AtomicRead(unsafe.Pointer(n), unsafe.Sizeof(*n)) }

// Atomic accesses race with plain ones only, also behind others of the same
// goroutine that do not race.
func TestAtomicAccesses(t *testing.T) {
	read, write := func(n *int) { R(n) }, func(n *int) { W(n) }
	for _, c := range []struct {
		name         string
		first, other []func(*int)
		race         bool
	}{
		{"atomic", []func(*int){atomicWrite, atomicRead}, []func(*int){atomicRead, atomicWrite}, false},
		{"write, read", []func(*int){atomicWrite}, []func(*int){read}, true},
		{"read, write", []func(*int){atomicRead}, []func(*int){write}, true},
		{"reads", []func(*int){atomicRead}, []func(*int){read}, false},
		{"plain write before atomic ones", []func(*int){write, atomicWrite, atomicRead}, []func(*int){atomicRead}, true},
		{"plain read before an atomic write", []func(*int){read, atomicWrite}, []func(*int){atomicWrite}, true},
		{"atomic write before a plain one", []func(*int){atomicWrite, write}, []func(*int){atomicRead}, true},
		{"plain reads beside atomic ones", []func(*int){read, atomicRead}, []func(*int){read, atomicRead}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := Run(first{}, Options{}, func() {
				n, done := new(int), MakeChan[bool](1)
				Go(func() {
					for _, f := range c.first {
						f(n)
					}
					Send(done, true)
				})
				Yield()
				for _, f := range c.other {
					f(n)
				}
				Recv(done)
			})
			if got := x.Failure != nil && x.Failure.Kind == Race; got != c.race {
				t.Errorf("race: %v, want %v", got, c.race)
			}
		})
	}
}

// Accesses that nobody is there to race with are not remembered, and those that
// others may race with are: before a timer fires, and when a goroutine that is
// not waited for has ended.
func TestAlone(t *testing.T) {
	for _, c := range []struct {
		name  string
		words int
		race  bool
		body  func()
	}{
		{"at first", 0, false, func() {
			for _, n := range make([]*int, 100) {
				n = new(int)
				W(n)
			}
		}},
		{"after the others", 0, false, func() {
			n, done := new(int), MakeChan[bool](0)
			Go(func() { W(n); Send(done, true) })
			Recv(done)
			W(n)
			W(new(int))
		}},
		{"not waited for", 1, true, func() {
			n := new(int)
			Go(func() { W(n) })
			Yield()
			Yield()
			W(n)
		}},
		{"started later", 1, true, func() {
			n := new(int)
			W(n)
			Go(func() { W(n) })
			Yield()
			W(n)
		}},
		{"a timer", 1, true, func() {
			n := new(int)
			NewTimer(1, func() { Go(func() { W(n) }) })
			W(n)
			Sleep(2)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			words := 0
			x := Run(&turns{}, Options{}, func() {
				c.body()
				words = len(running.Load().x.memory.shadow.words)
			})
			if got := x.Failure != nil && x.Failure.Kind == Race; got != c.race {
				t.Errorf("race: %v, want %v", got, c.race)
			}
			if !c.race && words != c.words {
				t.Errorf("%d words are remembered, want %d", words, c.words)
			}
		})
	}
}

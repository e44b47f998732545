package sched

import (
	"runtime"
	"strings"
	"testing"
)

// What all goroutines know of cannot race any more, and is forgotten. The rest is not:
// a race with it is found.
func TestForgets(t *testing.T) {
	const n = 4 * manyWords
	for _, racing := range []bool{false, true} {
		memory := make([]int, n)
		var words int
		x := run(func() {
			c := MakeChan[bool](0)
			Go(func() {
				Recv(c)
				if racing {
					write(&memory[n-1], 1)
				}
				Recv(c)
			})
			for i := range n {
				if i == n/2 {
					To(c).Send(true) // until here it is known
				}
				write(&memory[i], 1)
			}
			words = len(running.Load().x.memory.shadow.words)
			To(c).Send(true)
		})
		if racing != (x.Failure != nil && x.Failure.Kind == Race) {
			t.Errorf("racing %t: %v", racing, x.Failure)
		}
		if !racing && (words > n/2+manyWords || words < n/2) {
			t.Errorf("%d words are kept, want little more than %d", words, n/2)
		}
	}
}

// What timers will start knows what was known when they were set.
func TestForgetsNotBeforeTimers(t *testing.T) {
	memory := make([]int, 4*manyWords)
	x := run(func() {
		NewTimer(1, func() { GoAt("f.go:1", func() { write(&memory[0], 2) }) })
		for i := range memory {
			write(&memory[i], 1)
		}
		Sleep(2)
		Sleep(1)
	})
	expect(t, x, Race, "data race")
}

// With more memory than is watched an execution says so.
func TestForgetsTooMuch(t *testing.T) {
	const most = 2 * manyWords
	memory := make([]int64, 2*most)
	x := Run(first{}, Options{}, func() {
		s := running.Load().x.memory.shadow
		s.most = most
		c := MakeChan[bool](0)
		Go(func() { Recv(c) })
		for i := range memory {
			W(&memory[i])
		}
		if n := len(s.words); n > most {
			t.Errorf("%d words", n)
		}
		To(c).Send(true)
	})
	if x.Failure != nil || !strings.Contains(x.Unwatched, "some accesses were forgotten") {
		t.Errorf("%v, unwatched: %q", x.Failure, x.Unwatched)
	}
}

// Goroutines that have ended take little memory, however many there were.
func TestEndedGoroutinesAreSmall(t *testing.T) {
	const n = 4000
	s := newWander(1)
	s.Begin()
	var before, after runtime.MemStats
	x := Run(s, Options{}, func() {
		c := MakeChan[int](0)
		runtime.GC()
		runtime.ReadMemStats(&before)
		for i := range n {
			Go(func() { Send(c, i) })
			Recv(c)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
	})
	if x.Failure != nil {
		t.Fatal(x.Failure)
	}
	if each := int(after.HeapAlloc-before.HeapAlloc) / n; each > 4000 {
		t.Errorf("%d bytes for each goroutine that has ended", each)
	}
}

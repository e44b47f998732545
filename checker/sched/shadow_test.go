package sched

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

func TestShadow(t *testing.T) {
	memory := make([]uint64, 1000)
	address := func(i int) uintptr { return uintptr(unsafe.Pointer(&memory[i])) }
	s := &shadow{}
	for _, count := range []int{len(memory), 3, 0, len(memory)} {
		for i := range count {
			w := s.find(address(i), unsafe.Pointer(&memory[i]))
			if len(w.accesses) != 0 {
				t.Fatalf("word %d of %d is not new: %+v", i, count, w)
			}
			w.accesses = append(w.accesses, access{time: uint32(i), at: &spot{}})
		}
		for i := range count {
			if w := s.find(address(i), nil); w.address != address(i) || w.keep != unsafe.Pointer(&memory[i]) || w.accesses[0].time != uint32(i) {
				t.Fatalf("word %d of %d is %+v", i, count, w)
			}
		}
		if len(s.words) != count {
			t.Errorf("%d words, want %d", len(s.words), count)
		}
		s.reset()
		for i, w := range s.words[:cap(s.words)] {
			if w.keep != nil || len(w.accesses) != 0 {
				t.Fatalf("word %d keeps %+v", i, w)
			}
			for _, a := range w.accesses[:cap(w.accesses)] {
				if a.at != nil {
					t.Fatalf("word %d keeps the spot of an access", i)
				}
			}
		}
	}
}

func TestShadowKeepsLittle(t *testing.T) {
	memory := make([]byte, 8*(maxSpare+1))
	s := &shadow{}
	w := s.find(uintptr(unsafe.Pointer(&memory[0])), nil)
	w.accesses = make([]access, maxRoom+1)
	if s.reset(); cap(s.words[:1][0].accesses) != 0 {
		t.Error("many accesses of a word are kept")
	}
	for i := range maxSpare + 1 {
		s.find(uintptr(unsafe.Pointer(&memory[8*i])), nil)
	}
	if s.reset(); cap(s.words)+len(s.index) != 0 {
		t.Error("many words are kept")
	}
}

// Accesses of one execution do not count in the next.
func TestAccessesOfEarlierExecutionsAreForgotten(t *testing.T) {
	n := new(int)
	for range 3 {
		x := run(func() {
			write(n, 1)
			Go(func() { write(n, 2) })
		})
		if x.Failure != nil {
			t.Fatal(x.Failure)
		}
	}
}

// An orphaned goroutine keeps the shadow memory that it may be using.
func TestForsakenShadowIsNotUsedAgain(t *testing.T) {
	before := runtime.NumGoroutine()
	block := make(chan int)
	var used atomic.Pointer[shadow]
	x := Run(first{}, Options{StepTime: 50 * time.Millisecond}, func() {
		used.Store(running.Load().x.memory.shadow)
		<-block
	})
	expect(t, x, Uncontrolled, "blocked in code")
	run(func() {
		if running.Load().x.memory.shadow == used.Load() {
			t.Error("it is used again")
		}
	})
	close(block)
	waitForGoroutines(t, before)
}

func TestShadowIsUsedAgain(t *testing.T) {
	var used [2]*shadow
	for i := range used {
		run(func() { used[i] = running.Load().x.memory.shadow })
	}
	if used[0] != used[1] {
		t.Error("it is made anew")
	}
}

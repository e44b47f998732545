package atomic_test

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"mendel/checker/sched"
	"mendel/checker/shim/atomic"
	"mendel/checker/shim/internal/explore"
)

func check(t *testing.T, body func() string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := explore.Outcomes(t, body); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got, ok := explore.Reduced(t, body); ok && !slices.Equal(got, want) {
		t.Errorf("with reduction: got %q\nwant %q", got, want)
	}
}

// start runs f in a goroutine; the result waits for it.
func start(f func()) (wait func()) {
	done := sched.MakeChan[bool](1)
	sched.Go(func() {
		f()
		sched.Send(done, true)
	})
	return func() { sched.Recv(done) }
}

func TestLoadThenStoreLosesUpdates(t *testing.T) {
	check(t, func() string {
		var n int32
		f := func() { atomic.StoreInt32(&n, atomic.LoadInt32(&n)+1) }
		wait := start(f)
		f()
		wait()
		return fmt.Sprint(n)
	}, "1", "2")
	check(t, func() string {
		var n atomic.Int64
		f := func() { n.Add(1) }
		wait := start(f)
		f()
		wait()
		return fmt.Sprint(n.Load())
	}, "2")
}

// Store buffering: sequential consistency forbids that both read 0.
func TestSequentiallyConsistent(t *testing.T) {
	check(t, func() string {
		var x, y atomic.Int32
		var a, b int32
		wait := start(func() {
			x.Store(1)
			a = y.Load()
		})
		y.Store(1)
		b = x.Load()
		wait()
		return fmt.Sprint(a, b)
	}, "0 1", "1 0", "1 1")
}

func TestObservedStoreMakesAnEdge(t *testing.T) {
	check(t, func() string {
		var ready atomic.Bool
		n := new(int)
		start(func() {
			*sched.W(n) = 1
			ready.Store(true)
		})
		if ready.Load() {
			return fmt.Sprint(*sched.R(n))
		}
		return "not yet"
	}, "1", "not yet")
	check(t, func() string {
		var ready atomic.Bool
		n := new(int)
		start(func() {
			ready.Store(true)
			*sched.W(n) = 1 // too late
		})
		if ready.Load() {
			return fmt.Sprint(*sched.R(n))
		}
		return "not yet"
	}, "race", "not yet")
}

// A store that replaces another is not ordered after it, nor does a load that
// observes it learn of what came before the other.
func TestReplacedStoreMakesNoEdge(t *testing.T) {
	check(t, func() string {
		var flag atomic.Int32
		n := new(int)
		wait := start(func() {
			*sched.W(n) = 1
			flag.Store(1)
		})
		flag.Store(2)
		if flag.Load() == 2 {
			*sched.W(n) = 2
		}
		wait()
		return "ok"
	}, "ok", "race")
	check(t, func() string { // an exchange passes on what it has observed
		var flag atomic.Int32
		n := new(int)
		start(func() {
			*sched.W(n) = 1
			flag.Add(1)
		})
		start(func() { flag.Add(2) })
		if flag.Load() == 3 {
			return fmt.Sprint(*sched.R(n))
		}
		return "not yet"
	}, "1", "not yet")
}

func TestFailedCompareAndSwapOnlyReads(t *testing.T) {
	check(t, func() string {
		var p atomic.Pointer[int]
		x, y := new(int), new(int)
		n := new(int)
		p.Store(x)
		wait := start(func() {
			*sched.W(n) = 1
			p.CompareAndSwap(y, x)
		})
		if p.Load() == x {
			*sched.W(n) = 2
		}
		wait()
		return "ok"
	}, "race")
}

func functions() string {
	var i int32 = 6
	var u uint64 = 6
	got := fmt.Sprint(atomic.AddInt32(&i, -2), atomic.SwapInt32(&i, 7), atomic.AndInt32(&i, 3), atomic.OrInt32(&i, 8), i)
	got += fmt.Sprint(" ", atomic.AddUint64(&u, ^uint64(0)), atomic.CompareAndSwapUint64(&u, 1, 2),
		atomic.CompareAndSwapUint64(&u, 5, 2), atomic.LoadUint64(&u))
	var p unsafe.Pointer
	atomic.StorePointer(&p, unsafe.Pointer(&i))
	got += fmt.Sprint(" ", atomic.LoadPointer(&p) == unsafe.Pointer(&i), atomic.SwapPointer(&p, nil) != nil)
	var b atomic.Bool
	got += fmt.Sprint(" ", b.Swap(true), b.CompareAndSwap(false, true), b.Load())
	var w atomic.Uintptr
	got += fmt.Sprint(" ", w.Or(6), w.And(3), w.Load())
	var v atomic.Value
	got += fmt.Sprint(" ", v.Load(), v.Swap("a"), v.CompareAndSwap("a", "b"), v.Load())
	for _, misuse := range []func(){func() { v.Store(nil) }, func() { v.Store(1) },
		func() { atomic.LoadInt32(nil) }} {
		func() {
			defer func() { got += fmt.Sprint(" ", recover()) }()
			misuse()
		}()
	}
	return got
}

func TestFunctionsAndMethods(t *testing.T) {
	const want = "4 4 7 3 11 5 false true 2 true true false false true 0 6 2 <nil> <nil> trueb" +
		" sync/atomic: store of nil value into Value" +
		" sync/atomic: store of inconsistently typed value into Value" +
		" runtime error: invalid memory address or nil pointer dereference"
	if got := functions(); got != want {
		t.Errorf("outside control:\n%s, want\n%s", got, want)
	}
	check(t, functions, want)
}

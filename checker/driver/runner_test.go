package driver

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	shimsync "mendel/checker/shim/sync"
)

// mained makes the plain execution of a test function under a TestMain.
func mained(t *testing.T, main func(*testing.M), f func(*testing.T)) (*sched.Execution, *runner) {
	t.Helper()
	r := &runner{test: Test{"TestX", f}, main: main}
	defer r.dismiss()
	return r.execute(explore.NewGuided(nil), sched.Options{}), r
}

func TestTestMain(t *testing.T) {
	var e events
	main := func(m *testing.M) {
		e.note("set up")
		quit := sched.MakeChan[bool](0)
		gone := sched.MakeChan[bool](0)
		sched.Go(func() { // a server for all tests
			sched.Recv(quit)
			sched.Close(gone)
		})
		code := OfM(m).Run()
		e.note("tear down", code)
		sched.Close(quit)
		sched.Recv(gone)
		Exit(code)
	}
	for name, f := range map[string]func(*testing.T){
		"returns": func(t *testing.T) { e.note(Of(t).Name()) },
		"skips":   func(t *testing.T) { e.note(Of(t).Name()); t.SkipNow() },
	} {
		e.list = nil
		x, r := mained(t, main, f)
		if x.Failure != nil {
			t.Errorf("%s: %s", name, x.Failure.Message)
		}
		if want := []string{"set up", "TestX", "tear down 0"}; !slices.Equal(e.list, want) {
			t.Errorf("%s: %q, want %q", name, e.list, want)
		}
		if (r.skipped != "") != (name == "skips") {
			t.Errorf("%s: skipped %q", name, r.skipped)
		}
	}
	e.list = nil
	x, _ := mained(t, main, func(t *testing.T) { sched.Recv(sched.MakeChan[int](0)) })
	if kindOf(x) != sched.Deadlock || !slices.Equal(e.list, []string{"set up"}) {
		t.Errorf("a test that blocks: %s, %q", outcome(x), e.list)
	}
}

func TestTestMainThatRunsTwice(t *testing.T) {
	var e events
	x, r := mained(t, func(m *testing.M) {
		e.note(OfM(m).Run(), OfM(m).Run())
	}, func(t *testing.T) {
		Of(t).Cleanup(func() { e.note("cleanup") })
		e.note(t.Skipped(), Of(t).Name())
	})
	want := []string{"false TestX", "cleanup", "false TestX", "cleanup", "0 0"}
	if x.Failure != nil || r.skipped != "" || !slices.Equal(e.list, want) {
		t.Errorf("%s %q %q", outcome(x), r.skipped, e.list)
	}
}

func TestExit(t *testing.T) {
	pass := func(*testing.T) {}
	for name, c := range map[string]struct {
		main    func(*testing.M)
		f       func(*testing.T)
		kind    string
		skipped bool
	}{
		"after Run, 0":   {func(m *testing.M) { Exit(OfM(m).Run()) }, pass, "", false},
		"after Run, 1":   {func(m *testing.M) { OfM(m).Run(); Exit(1) }, pass, sched.TestFailure, false},
		"before Run, 0":  {func(m *testing.M) { Exit(0) }, pass, "", true},
		"before Run, 2":  {func(m *testing.M) { Exit(2) }, pass, sched.TestFailure, false},
		"no Run":         {func(m *testing.M) {}, pass, "", true},
		"in the test, 0": {func(m *testing.M) { OfM(m).Run() }, func(*testing.T) { Exit(0) }, sched.TestFailure, false},
		"no TestMain":    {nil, func(*testing.T) { Exit(0) }, sched.TestFailure, false},
		"in a cleanup":   {nil, func(t *testing.T) { Of(t).Cleanup(func() { Exit(3) }) }, sched.TestFailure, false},
	} {
		x, r := mained(t, c.main, c.f)
		if kindOf(x) != c.kind || (r.skipped != "") != c.skipped {
			t.Errorf("%s: %s, skipped %q", name, outcome(x), r.skipped)
		}
	}
}

// A TestMain that hands m to uncontrolled code cannot be followed, and is no failure.
func TestUncontrolledMain(t *testing.T) {
	other := func(m *testing.M) int { return m.Run() }
	x, _ := mained(t, func(m *testing.M) { Exit(other(m)) }, func(*testing.T) {})
	if kindOf(x) != sched.Uncontrolled || !strings.Contains(x.Failure.Message, "*testing.M") {
		t.Error(outcome(x))
	}
	x, _ = mained(t, func(m *testing.M) { panic("own") }, func(*testing.T) {})
	if kindOf(x) != sched.Panic || x.Failure.Message != "panic: own" {
		t.Error(outcome(x))
	}
}

// A T is used again if nothing happened to it.
func TestReuse(t *testing.T) {
	for name, c := range map[string]struct {
		f      func(*testing.T)
		reused bool
	}{
		"nothing": {func(*testing.T) {}, true},
		"cleanup": {func(t *testing.T) { Of(t).Cleanup(func() {}); Of(t).Context(); Of(t).Parallel() }, true},
		"log":     {func(t *testing.T) { t.Log("x") }, false},
		"skip":    {func(t *testing.T) { t.SkipNow() }, false},
		"failure": {func(t *testing.T) { t.Fail() }, false},
		"dir":     {func(t *testing.T) { t.TempDir() }, false},
		"subtest": {func(t *testing.T) { Of(t).Run("s", func(*testing.T) {}) }, false},
	} {
		r := &runner{test: Test{"TestX", c.f}}
		r.execute(explore.NewGuided(nil), sched.Options{})
		first := r.top.real
		r.execute(explore.NewGuided(nil), sched.Options{})
		if reused := r.top.real == first; reused != c.reused {
			t.Errorf("%s: used again: %t", name, reused)
		}
		r.dismiss()
	}
}

// Nothing is kept of executions that are over: goroutines, memory, files.
func TestNothingIsLeft(t *testing.T) {
	base := runtime.NumGoroutine()
	dirs := map[string]bool{}
	r := &runner{test: Test{"TestX", func(t *testing.T) {
		t.Log("something")
		Of(t).Run("sub", func(t *testing.T) { dirs[t.TempDir()] = true })
		Of(t).Run("sub", func(t *testing.T) { Of(t).Parallel(); sched.Recv(sched.MakeChan[int](0)) })
	}}}
	many := func(n int) (goroutines int, bytes uint64) {
		for range n {
			if x := r.execute(explore.NewGuided(nil), sched.Options{}); kindOf(x) != sched.Deadlock {
				t.Fatal(outcome(x))
			}
			for dir := range dirs {
				if _, err := os.Stat(dir); err == nil {
					t.Fatalf("%s is left", dir)
				}
			}
			clear(dirs)
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return runtime.NumGoroutine(), m.HeapAlloc
	}
	goroutines, bytes := many(100)
	if again, more := many(1000); again > goroutines || more > bytes+256<<10 {
		t.Errorf("%d goroutines and %d bytes, %d and %d after 1000 more executions", goroutines, bytes, again, more)
	}
	r.dismiss()
	for wait := time.Microsecond; runtime.NumGoroutine() > base; wait *= 2 {
		if wait > time.Second {
			t.Fatalf("%d goroutines are left", runtime.NumGoroutine())
		}
		time.Sleep(wait)
	}
}

// A T that an orphaned goroutine may use is kept.
func TestLeftBehind(t *testing.T) {
	block, through := make(chan bool), make(chan bool)
	r := &runner{test: Test{"TestX", func(t *testing.T) {
		Of(t).Run("sub", func(t *testing.T) {
			<-block
			t.Log("still there") // panics if it is not
			close(through)
		})
	}}}
	x := r.execute(explore.NewGuided(nil), sched.Options{StepTime: 20 * time.Millisecond})
	if kindOf(x) != sched.Uncontrolled {
		t.Fatal(outcome(x))
	}
	top, sub := r.top.real, r.top.subs[0].real
	r.dismiss()
	select {
	case <-top.ended:
		t.Error("the test's T has ended")
	case <-sub.ended:
		t.Error("the subtest's T has ended")
	default:
	}
	close(block)
	<-through
}

func BenchmarkExecution(b *testing.B) {
	body := func() {
		var mu shimsync.Mutex
		var wg shimsync.WaitGroup
		n := 0
		for range 2 {
			wg.Add(1)
			sched.Go(func() {
				mu.Lock()
				n++
				mu.Unlock()
				wg.Done()
			})
		}
		wg.Wait()
	}
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			sched.Run(explore.NewGuided(nil), sched.Options{}, body)
		}
	})
	for name, f := range map[string]func(*testing.T){
		"test":    func(t *testing.T) { body() },
		"logging": func(t *testing.T) { t.Log("x"); body() },
		"subtest": func(t *testing.T) { Of(t).Run("s", func(*testing.T) { body() }) },
	} {
		b.Run(name, func(b *testing.B) {
			r := &runner{test: Test{"TestX", f}}
			defer r.dismiss()
			for b.Loop() {
				r.execute(explore.NewGuided(nil), sched.Options{})
			}
		})
	}
}

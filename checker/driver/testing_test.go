package driver

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/shim/context"
	shimsync "mendel/checker/shim/sync"
)

func TestSubtests(t *testing.T) {
	compare(t, func(t *testing.T, note func(...any)) {
		for range 2 {
			ok := Of(t).Run("a b", func(t *testing.T) {
				note("begin", Of(t).Name())
				Of(t).Cleanup(func() { note("cleanup", Of(t).Name()) })
				note(Of(t).Run("", func(t *testing.T) { note(Of(t).Name()) }))
				defer note("deferred")
			})
			note(Of(t).Name(), ok, OfTB(t).Failed())
		}
	})
}

func TestSkippedSubtest(t *testing.T) {
	compare(t, func(t *testing.T, note func(...any)) {
		note(Of(t).Run("skipped", func(t *testing.T) {
			Of(t).Cleanup(func() { note("cleanup", t.Skipped(), Of(t).Failed()) })
			defer note("deferred")
			t.Skip("no")
			note("never")
		}))
	})
}

func TestParallelSubtests(t *testing.T) {
	f := func(e *events) func(t *testing.T) {
		return func(t *testing.T) {
			Of(t).Parallel() // no effect
			Of(t).Cleanup(func() { e.note("parent cleans up") })
			for _, name := range []string{"a", "b"} {
				ok := Of(t).Run(name, func(t *testing.T) {
					Of(t).Cleanup(func() { e.note(name, "cleans up") })
					e.note(name, "begins")
					Of(t).Run("serial", func(*testing.T) { e.note(name, "has a part") })
					Of(t).Parallel()
					e.note(name, "goes on")
					Of(t).Run("serial", func(*testing.T) { e.note(name, "has another part") })
				})
				e.note("parent:", name, ok)
			}
			e.note("parent returns")
		}
	}
	var a, b events
	really(f(&a))
	once(t, f(&b))
	// From where both run, the order of what different ones do is open.
	for _, e := range []*events{&a, &b} {
		at := slices.Index(e.list, "parent returns")
		slices.SortStableFunc(e.list[at+1:len(e.list)-1], func(a, b string) int { return strings.Compare(a[:1], b[:1]) })
	}
	want := []string{
		"a begins", "a has a part", "parent: a true", "b begins", "b has a part", "parent: b true", "parent returns",
		"a goes on", "a has another part", "a cleans up", "b goes on", "b has another part", "b cleans up", "parent cleans up",
	}
	if !slices.Equal(a.list, want) || !slices.Equal(b.list, want) {
		t.Errorf("under package testing:\n%q\nunder control:\n%q\nwant:\n%q", a.list, b.list, want)
	}
}

// Parallel subtests run at the same time: the schedules of two that meet are explored.
func TestParallelSubtestsMeet(t *testing.T) {
	r := checked(t, searchAll, func(t *testing.T) {
		var a, b shimsync.Mutex
		n := 0
		for _, order := range [][2]*shimsync.Mutex{{&a, &b}, {&b, &a}} {
			Of(t).Run("part", func(t *testing.T) {
				Of(t).Parallel()
				order[0].Lock()
				order[1].Lock()
				n++
				order[1].Unlock()
				order[0].Unlock()
			})
		}
	})
	if len(r.Failures) != 1 || r.Failures[0].Failure.Kind != sched.Deadlock {
		t.Errorf("got %s %s %+v", r.Verdict, r.Reason, r.Failures)
	}
	for _, name := range []string{"TestX/part#1", "TestX/part#01#1"} {
		if !slices.Contains(r.Failures[0].Goroutines, name) {
			t.Errorf("no goroutine has the name %s: %q", name, r.Failures[0].Goroutines)
		}
	}
}

func TestCleanupOrder(t *testing.T) {
	os.Unsetenv("MENDEL_TEST")
	compare(t, func(t *testing.T, note func(...any)) {
		dir := ""
		there := func() bool { _, err := os.Stat(dir); return err == nil }
		Of(t).Cleanup(func() { note("first", there(), os.Getenv("MENDEL_TEST")) })
		dir = t.TempDir()
		Of(t).Cleanup(func() {
			note("second", there(), os.Getenv("MENDEL_TEST"))
			Of(t).Cleanup(func() { note("added", there()) })
			t.Cleanup(func() { note("added by other code", there()) })
		})
		t.Setenv("MENDEL_TEST", "set")
		t.Cleanup(func() { note("of other code", there(), os.Getenv("MENDEL_TEST")) })
		Of(t).Cleanup(func() { note("third", there(), os.Getenv("MENDEL_TEST")) })
		defer note("deferred")
	})
}

func TestContext(t *testing.T) {
	compare(t, func(t *testing.T, note func(...any)) {
		ctx := Of(t).Context()
		note(ctx.Err(), ctx == OfTB(t).Context())
		child, cancel := context.WithCancel(ctx)
		defer cancel()
		Of(t).Cleanup(func() { note("cleanup", ctx.Err(), child.Err(), Of(t).Context().Err()) })
		Of(t).Run("sub", func(t *testing.T) {
			Of(t).Cleanup(func() { note("of sub", Of(t).Context().Err()) })
			note("sub", ctx.Err())
		})
	})
}

// A goroutine that ends with the test's context is waited for in a cleanup.
func TestContextStopsGoroutine(t *testing.T) {
	r := checked(t, searchAll, func(t *testing.T) {
		ctx := Of(t).Context()
		done := sched.MakeChan[bool](0)
		sched.Go(func() {
			sched.Recv(ctx.Done())
			sched.Close(done)
		})
		Of(t).Cleanup(func() { sched.Recv(done) })
	})
	if r.Verdict != explore.Exhausted {
		t.Errorf("%s: %s %+v", r.Verdict, r.Reason, r.Failures)
	}
}

// Cleanups are called however the test ends.
func TestCleanupAfterFailure(t *testing.T) {
	for name, fail := range map[string]func(t *testing.T){
		"FailNow":      func(t *testing.T) { Of(t).FailNow() },
		"Fatal":        func(t *testing.T) { OfTB(t).Fatal("bad") },
		"real FailNow": func(t *testing.T) { t.FailNow() },
		"in subtest": func(t *testing.T) {
			Of(t).Run("sub", func(t *testing.T) { Of(t).Fatalf("bad %d", 1) })
			Of(t).FailNow()
		},
		"real, subtest": func(t *testing.T) { Of(t).Run("sub", func(t *testing.T) { t.Error("bad") }); t.FailNow() },
	} {
		t.Run(name, func(t *testing.T) {
			compare(t, func(t *testing.T, note func(...any)) {
				Of(t).Cleanup(func() { note("cleanup", Of(t).Failed()) })
				defer note("deferred")
				fail(t)
			})
		})
	}
}

// Whatever ends the process under package testing panics under control.
func TestPanics(t *testing.T) {
	for name, c := range map[string]struct {
		f    func(t *testing.T, note func(...any))
		want string
	}{
		"panic": {func(t *testing.T, note func(...any)) {
			Of(t).Cleanup(func() { note("cleanup") })
			panic("bad")
		}, "panic: bad"},
		"goexit": {func(t *testing.T, note func(...any)) {
			Of(t).Cleanup(func() { note("cleanup") })
			runtime.Goexit()
		}, "panic: test executed panic(nil) or runtime.Goexit"},
		"in subtest": {func(t *testing.T, note func(...any)) {
			Of(t).Cleanup(func() { note("cleanup") })
			Of(t).Run("sub", func(t *testing.T) { panic(errors.New("bad")) })
		}, "panic: bad"},
		"in cleanup": {func(t *testing.T, note func(...any)) {
			Of(t).Cleanup(func() { note("cleanup") })
			Of(t).Cleanup(func() { panic("bad") })
		}, "panic: bad"},
		"Parallel twice": {func(t *testing.T, note func(...any)) {
			Of(t).Cleanup(func() { note("cleanup") })
			Of(t).Parallel()
			Of(t).Parallel()
		}, "panic: testing: t.Parallel called multiple times"},
		"Setenv in parallel": {func(t *testing.T, note func(...any)) {
			Of(t).Cleanup(func() { note("cleanup") })
			Of(t).Parallel()
			Of(t).Setenv("MENDEL_TEST", "1")
		}, "panic: " + deniedParallel},
		"Parallel after Chdir": {func(t *testing.T, note func(...any)) {
			Of(t).Cleanup(func() { note("cleanup") })
			Of(t).Chdir(".")
			Of(t).Parallel()
		}, "panic: " + deniedParallel},
		"Run in cleanup": {func(t *testing.T, note func(...any)) {
			Of(t).Cleanup(func() { note("cleanup") })
			Of(t).Cleanup(func() { Of(t).Run("sub", func(*testing.T) {}) })
		}, "panic: testing: t.Run called during t.Cleanup"},
	} {
		t.Run(name, func(t *testing.T) {
			var e events
			x := once(t, func(t *testing.T) { c.f(t, e.note) })
			if kindOf(x) != sched.Panic || x.Failure.Message != c.want {
				t.Fatalf("got %s, want %s", outcome(x), c.want)
			}
			if p := x.Failure.Places[0]; !strings.HasSuffix(p.File, "_test.go") {
				t.Errorf("the place is %s", p)
			}
			if !slices.Equal(e.list, []string{"cleanup"}) {
				t.Errorf("called: %q", e.list)
			}
		})
	}
}

func helper(t *testing.T) {
	t.Helper()
	Of(t).Errorf("by %s", "helper")
}

func TestMessages(t *testing.T) {
	if testing.Verbose() {
		t.Skip("with -v package testing prints at once and keeps nothing")
	}
	for name, c := range map[string]struct {
		f    func(t *testing.T)
		want string
		line string // text of the line it names
	}{
		"Error":     {func(t *testing.T) { Of(t).Error("a", 1) }, "testing_test.go:LINE: a 1", `Error("a", 1)`},
		"Fatalf":    {func(t *testing.T) { OfTB(t).Fatalf("%d\nof two\n", 1) }, "testing_test.go:LINE: 1\n        of two", `Fatalf("%d`},
		"helper":    {func(t *testing.T) { helper(t) }, "testing_test.go:LINE: by helper", "{ helper(t) }"},
		"FailNow":   {func(t *testing.T) { Of(t).FailNow() }, "TestX: t.FailNow", ""},
		"Fail":      {func(t *testing.T) { OfTB(t).Fail() }, "TestX: t.Fail", ""},
		"subtest":   {func(t *testing.T) { Of(t).Run("s", func(t *testing.T) { Of(t).Error("x") }) }, "TestX/s: testing_test.go:LINE: x", `Error("x")`},
		"real":      {func(t *testing.T) { t.Log("well"); t.Error("real") }, "testing_test.go:LINE: well\ntesting_test.go:LINE: real", `t.Error("real")`},
		"real Fail": {func(t *testing.T) { t.Fail() }, "TestX: has failed", ""},
		"Exit":      {func(t *testing.T) { Exit(0) }, "os.Exit(0)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			x := once(t, c.f)
			want := strings.ReplaceAll(c.want, "LINE", lineOf(t, "testing_test.go", c.line))
			if kindOf(x) != sched.TestFailure || strings.TrimSpace(x.Failure.Message) != want {
				t.Errorf("got %s %q, want %q", kindOf(x), x.Failure.Message, want)
			}
		})
	}
}

// A failure ends the execution at once, whatever goroutine reports it.
func TestFailureInGoroutine(t *testing.T) {
	x := once(t, func(t *testing.T) {
		sched.Go(func() { Of(t).Fatal("in a goroutine") })
		sched.Sleep(1)
		sched.Recv(sched.MakeChan[int](0)) // never reached
	})
	if kindOf(x) != sched.TestFailure || !strings.HasSuffix(x.Failure.Message, "in a goroutine") {
		t.Fatal(outcome(x))
	}
	if p := x.Failure.Places[0]; p.Goroutine == "main" || !strings.HasSuffix(p.File, "testing_test.go") {
		t.Errorf("the place is %s", p)
	}
}

// A goroutine that reports after the end of the test panics, as it does really.
func TestFailureAfterEnd(t *testing.T) {
	late := func(report func(t *testing.T)) *sched.Execution {
		return once(t, func(t *testing.T) {
			sched.Go(func() {
				sched.Sleep(1)
				report(t)
			})
		})
	}
	for want, x := range map[string]*sched.Execution{
		"panic: Log in goroutine after TestX has completed: late": late(func(t *testing.T) { Of(t).Error("late") }),
		"panic: Log in goroutine after TestX has completed: 1 2":  late(func(t *testing.T) { Of(t).Log(1, 2) }),
		"panic: Log in goroutine after TestX has completed: 3":    late(func(t *testing.T) { OfTB(t).Logf("%d", 3) }),
		"panic: Fail in goroutine after TestX has completed":      late(func(t *testing.T) { Of(t).FailNow() }),
	} {
		if kindOf(x) != sched.Panic || x.Failure.Message != want {
			t.Errorf("got %s, want %s", outcome(x), want)
		}
	}
	// Code that is not under control runs on, but its failure is found.
	if x := late(func(t *testing.T) { t.Error("late") }); kindOf(x) != sched.TestFailure || !logged(x.Failure.Message, "late") {
		t.Error(outcome(x))
	}
}

// A subtest that skips the test it is part of fails both, as it does really.
func TestSkipOfParent(t *testing.T) {
	compare(t, func(t *testing.T, note func(...any)) {
		Of(t).Cleanup(func() { note("cleanup", t.Skipped()) })
		Of(t).Run("sub", func(*testing.T) { t.SkipNow() })
		note("never")
	})
}

// own is somebody's testing.TB.
type own struct {
	testing.TB
	errors []string
}

func (o *own) Helper()           {}
func (o *own) Error(args ...any) { o.errors = append(o.errors, args[0].(string)) }

func TestOwnTB(t *testing.T) {
	o := &own{}
	if x := once(t, func(t *testing.T) { OfTB(o).Error("bad") }); x.Failure != nil || len(o.errors) != 1 {
		t.Errorf("%s, %q", outcome(x), o.errors)
	}
}

func TestDeadline(t *testing.T) {
	real, ok := Of(t).Deadline()
	if want, wantOK := t.Deadline(); real != want || ok != wantOK {
		t.Errorf("outside an execution: %v %t, want %v %t", real, ok, want, wantOK)
	}
	once(t, func(u *testing.T) {
		if d, ok := Of(u).Deadline(); ok {
			t.Errorf("in an execution: %v", d)
		}
	})
}

package driver

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"mendel/checker/sched"
)

// A TB stands for a testing.TB in instrumented code. Outside an execution, and if
// it is no *testing.T of the execution, its methods are those of the real one.
// Otherwise a failure ends the execution.
type TB struct {
	real testing.TB
	test *test // nil: the real methods
}

// OfTB returns the TB for tb, which may be any implementation.
func OfTB(tb testing.TB) *TB {
	switch tb := tb.(type) {
	case *testing.T:
		return &Of(tb).tb
	case *testing.F:
		if f := OfF(tb); f.t != nil {
			return &Of(f.t).tb
		}
	}
	return &TB{real: tb}
}

// A T stands for a *testing.T in instrumented code: the selector t.Run becomes
// driver.Of(t).Run, and so for the methods below.
type T struct {
	tb   TB
	real *testing.T
}

// Of returns the T for t; outside an execution its methods are t's own.
func Of(t *testing.T) *T {
	var s *test
	if t != nil && sched.Active() && active != nil {
		s = active.tests[t]
	}
	return &T{TB{t, s}, t}
}

// Run is t.Run.
func (t *T) Run(name string, f func(*testing.T)) bool {
	s := t.tb.test
	if s == nil {
		return t.real.Run(name, f)
	}
	s.outside("Run")
	if s.cleaning {
		panic("testing: t.Run called during t.Cleanup")
	}
	sub := s.newSub(name)
	if sub == nil {
		return true
	}
	sched.GoAt(sub.real.t.Name(), func() { sub.run(f) })
	sub.signals.wait(1, "t.Run")
	return !sub.hasFailed()
}

// Parallel is t.Parallel. A top-level test goes on: each is explored alone.
func (t *T) Parallel() {
	s := t.tb.test
	if s == nil {
		t.real.Parallel()
		return
	}
	s.outside("Parallel")
	if s.isParallel {
		panic("testing: t.Parallel called multiple times")
	}
	if s.denied {
		panic(deniedParallel)
	}
	s.isParallel = true
	if s.parent == nil {
		return
	}
	s.parent.paused = append(s.parent.paused, s)
	s.signals.signal("t.Parallel")
	s.parent.barrier.wait(1, "t.Parallel")
}

// deniedParallel is what a test says that changes the process and is parallel.
const deniedParallel = "testing: test using t.Setenv, t.Chdir, or cryptotest.SetGlobalRandom can not use t.Parallel"

// denyParallel panics if the test or one above it is parallel, and sees to it that it
// does not become so.
func (s *test) denyParallel() {
	for p := s; p != nil; p = p.parent {
		if p.isParallel {
			panic(deniedParallel)
		}
	}
	s.denied = true
}

// StaySerial sees to it that the test does not become parallel. It is false if it is.
func (t *T) StaySerial() (ok bool) {
	if s := t.tb.test; s != nil {
		defer func() { ok = recover() == nil }()
		s.denyParallel()
	}
	return true
}

// Setenv is t.Setenv.
func (t *T) Setenv(key, value string) {
	if t.tb.test != nil {
		t.tb.test.denyParallel()
	}
	t.real.Setenv(key, value)
}

// Chdir is t.Chdir.
func (t *T) Chdir(dir string) {
	if t.tb.test != nil {
		t.tb.test.denyParallel()
	}
	t.real.Chdir(dir)
}

// Deadline is t.Deadline. In an execution there is none: time is virtual.
func (t *T) Deadline() (deadline time.Time, ok bool) {
	if t.tb.test == nil {
		return t.real.Deadline()
	}
	t.tb.test.outside("Deadline")
	return time.Time{}, false
}

// Name is t.Name.
func (b *TB) Name() string { return b.real.Name() }

// Failed is t.Failed.
func (b *TB) Failed() bool { return b.real.Failed() || b.test != nil && b.test.failed }

// Context is t.Context: under control a context of the shim.
func (b *TB) Context() context.Context {
	if b.test == nil {
		return b.real.Context()
	}
	return b.test.context()
}

// Cleanup is t.Cleanup.
func (b *TB) Cleanup(f func()) {
	if b.test == nil {
		b.real.Cleanup(f)
		return
	}
	b.test.absorb()
	b.test.cleanups = append(b.test.cleanups, f)
}

// Log is t.Log.
func (b *TB) Log(args ...any) {
	b.real.Helper()
	if b.test != nil {
		b.test.checkLog(fmt.Sprintln(args...))
	}
	b.real.Log(args...)
}

// Logf is t.Logf.
func (b *TB) Logf(format string, args ...any) {
	b.real.Helper()
	if b.test != nil {
		b.test.checkLog(fmt.Sprintf(format, args...))
	}
	b.real.Logf(format, args...)
}

// Error is t.Error.
func (b *TB) Error(args ...any) {
	b.real.Helper()
	if b.test == nil {
		b.real.Error(args...)
		return
	}
	b.test.fail(fmt.Sprintln(args...))
}

// Errorf is t.Errorf.
func (b *TB) Errorf(format string, args ...any) {
	b.real.Helper()
	if b.test == nil {
		b.real.Errorf(format, args...)
		return
	}
	b.test.fail(fmt.Sprintf(format, args...))
}

// Fatal is t.Fatal.
func (b *TB) Fatal(args ...any) {
	b.real.Helper()
	if b.test == nil {
		b.real.Fatal(args...)
		return
	}
	b.test.fail(fmt.Sprintln(args...))
	runtime.Goexit()
}

// Fatalf is t.Fatalf.
func (b *TB) Fatalf(format string, args ...any) {
	b.real.Helper()
	if b.test == nil {
		b.real.Fatalf(format, args...)
		return
	}
	b.test.fail(fmt.Sprintf(format, args...))
	runtime.Goexit()
}

// Fail is t.Fail.
func (b *TB) Fail() {
	if b.test == nil {
		b.real.Fail()
		return
	}
	b.test.failBare(b.Name() + ": t.Fail")
}

// FailNow is t.FailNow.
func (b *TB) FailNow() {
	if b.test == nil {
		b.real.FailNow()
		return
	}
	b.test.failBare(b.Name() + ": t.FailNow")
	runtime.Goexit()
}

// The instrumentation looks for methods by the name of the receiver's type, so
// T has those of TB in its own name.

// Name is t.Name.
func (t *T) Name() string { return t.tb.Name() }

// Failed is t.Failed.
func (t *T) Failed() bool { return t.tb.Failed() }

// Context is t.Context.
func (t *T) Context() context.Context { return t.tb.Context() }

// Cleanup is t.Cleanup.
func (t *T) Cleanup(f func()) { t.tb.Cleanup(f) }

// Log is t.Log.
func (t *T) Log(args ...any) { t.real.Helper(); t.tb.Log(args...) }

// Logf is t.Logf.
func (t *T) Logf(format string, args ...any) { t.real.Helper(); t.tb.Logf(format, args...) }

// Error is t.Error.
func (t *T) Error(args ...any) { t.real.Helper(); t.tb.Error(args...) }

// Errorf is t.Errorf.
func (t *T) Errorf(format string, args ...any) { t.real.Helper(); t.tb.Errorf(format, args...) }

// Fatal is t.Fatal.
func (t *T) Fatal(args ...any) { t.real.Helper(); t.tb.Fatal(args...) }

// Fatalf is t.Fatalf.
func (t *T) Fatalf(format string, args ...any) { t.real.Helper(); t.tb.Fatalf(format, args...) }

// Fail is t.Fail.
func (t *T) Fail() { t.tb.Fail() }

// FailNow is t.FailNow.
func (t *T) FailNow() { t.tb.FailNow() }

// An M stands for a *testing.M: m.Run becomes driver.OfM(m).Run.
type M struct{ real *testing.M }

// OfM returns the M for m.
func OfM(m *testing.M) *M { return &M{m} }

// Run is m.Run: in an execution it runs the one test that is explored.
func (m *M) Run() int {
	if !sched.Active() || active == nil {
		return m.real.Run()
	}
	return active.runTests()
}

// Exit is os.Exit in test files; in other files it becomes sched.Exit. In an
// execution TestMain may call it with code 0. Any other call is a failure of the
// test.
func Exit(code int) {
	if !sched.Active() || active == nil {
		os.Exit(code)
	}
	active.exit(code)
}

// AllocsPerRun is testing.AllocsPerRun. Under control the engine allocates, too, so
// what f allocates is not known: it is told to be nothing.
func AllocsPerRun(runs int, f func()) float64 {
	if !sched.Active() {
		return testing.AllocsPerRun(runs, f)
	}
	for range runs + 1 {
		f()
	}
	sched.Doubt("testing.AllocsPerRun, which is 0 under the checker")
	return 0
}

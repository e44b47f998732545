package driver

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/state"
)

// A runner makes the executions of one test.
type runner struct {
	test     Test
	main     func(*testing.M) // nil: none
	after    []Test           // tests to be run before, as they leave something behind
	prepared bool             // they were
	reset    bool             // begin each execution by re-initialising the program

	top   *test                // that runs, or ran last
	spent []*test              // others of the execution, of former calls of m.Run
	tests map[*testing.T]*test // of the execution
	fuzz  *F                   // of the execution, if the test is of seeds
	// For bubbles:
	spare   []*real  // that are ready
	bubbles []string // names of those of the last execution

	phase phase

	// Of the last execution:
	skipped  string // why the test did not run to its end, "" if it did
	stateful string // why the state could not be re-initialised, "" if it could
}

// A phase is how far TestMain has come.
type phase int

const (
	before phase = iota // m.Run was not called yet
	during
	after
)

// active is the runner of the current execution. Code under control finds its test
// by it.
var active *runner

var errNoT = errors.New("package testing does not run the test: is it started with -test.failfast or -test.skip?")

// execute makes an execution.
func (r *runner) execute(s sched.Strategy, o sched.Options) *sched.Execution {
	if err := r.prepare(); err != nil {
		return &sched.Execution{Failure: &sched.Failure{Kind: sched.Uncontrolled, Message: err.Error()}}
	}
	active = r
	o.Inherit = !r.reset
	x := sched.Run(s, o, r.body)
	r.judge(x)
	return x
}

// prepare gets a T ready: that of the last execution if nothing happened to it.
func (r *runner) prepare() error {
	r.skipped, r.stateful, r.phase, r.prepared, r.fuzz = "", "", before, false, nil
	if r.top != nil {
		r.reclaim(r.top)
	}
	var t *real
	if r.top != nil && r.top.ended.Load() && len(r.top.subs)+len(r.spent) == 0 && !r.top.real.touched() {
		t = r.top.real
	} else {
		r.drop()
		if t = newTop(r.test.Name); t == nil {
			return errNoT
		}
	}
	r.begin(t)
	r.spareTs()
	return nil
}

func (r *runner) begin(t *real) {
	r.top = &test{runner: r, real: t}
	if r.tests == nil || len(r.tests) > 1 || r.tests[t.t] == nil {
		r.tests = map[*testing.T]*test{}
	}
	r.tests[t.t] = r.top
}

// dismiss ends what package testing made for executions.
func (r *runner) dismiss() {
	r.drop()
	for _, t := range r.spare {
		t.end()
	}
	r.spare = nil
}

// drop ends what package testing made for the last execution.
func (r *runner) drop() {
	for _, t := range append(r.spent, r.top) {
		if t != nil {
			t.dismiss()
		}
	}
	r.top, r.spent = nil, nil
}

// body is an execution's goroutine 0.
func (r *runner) body() {
	sched.Residents(true)
	if r.reset {
		if err := state.Reset(); err != nil {
			r.stateful = err.Error()
			sched.GiveUp(r.stateful)
			return
		}
	}
	if r.main == nil {
		r.earlier()
		sched.Residents(false)
		r.top.run(r.test.Func)
		return
	}
	defer uncontrolledMain()
	r.main(&testing.M{})
	r.noteUnrun()
}

// noteUnrun notes that TestMain has ended without running the tests.
func (r *runner) noteUnrun() {
	if r.phase == before {
		r.skipped = "TestMain did not run the tests"
	}
}

// uncontrolledMain gives up when m.Run was called by code that is not under control,
// where it panics, because m is empty.
func uncontrolledMain() {
	value := recover()
	if value == nil {
		return
	}
	stack := make([]uintptr, 64)
	frames := runtime.CallersFrames(stack[:runtime.Callers(0, stack)])
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if frame.Function == "testing.(*M).Run" {
			sched.GiveUp("TestMain passes its *testing.M to code that is not under control, which calls Run")
		}
	}
	panic(value)
}

// runTests is m.Run.
func (r *runner) runTests() int {
	if r.phase != before {
		r.spent = append(r.spent, r.top)
		t := newTop(r.test.Name)
		if t == nil {
			sched.GiveUp(errNoT.Error())
			runtime.Goexit()
		}
		r.top = &test{runner: r, real: t}
		r.tests[t.t] = r.top
	}
	r.phase = during
	r.earlier()
	t := r.top
	sched.Residents(false)
	sched.GoAt(r.test.Name, func() { t.run(r.test.Func) })
	sched.Residents(true)
	t.signals.wait(1, "m.Run")
	r.phase = after
	return 0 // or the execution would be over
}

// earlier runs the tests that come before, one after the other.
func (r *runner) earlier() {
	if len(r.after) == 0 {
		return
	}
	sched.Earlier(func() {
		for _, other := range r.after {
			t := newTop(other.Name)
			if t == nil {
				continue
			}
			s := &test{runner: r, real: t, earlier: true}
			r.spent, r.tests[t.t] = append(r.spent, s), s
			sched.GoAt(other.Name, func() { s.run(other.Func) })
			s.signals.wait(1, "end of "+other.Name)
		}
	})
	r.prepared = true
}

// exit is os.Exit under control. With code 0 the other goroutines run on, as they
// do when TestMain returns. The calling goroutine ends by runtime.Goexit, so its
// deferred calls run, unlike in the program.
func (r *runner) exit(code int) {
	if code == 0 && r.main != nil && r.phase != during {
		r.noteUnrun()
		runtime.Goexit()
	}
	sched.Exit(code)
	runtime.Goexit()
}

// judge reads the result of an execution.
func (r *runner) judge(x *sched.Execution) {
	if x.Failure != nil || x.Abandoned {
		return
	}
	t := r.top.real.t
	switch {
	case r.top.hasFailed():
		x.Failure = &sched.Failure{
			Kind:      sched.TestFailure,
			Message:   "failed after " + t.Name() + " had completed:\n" + r.top.log(),
			Signature: sched.TestFailure,
			Places:    []sched.Place{{What: sched.TestFailure}},
		}
	case t.Skipped():
		r.skipped = strings.TrimSpace(r.top.log())
		if r.skipped == "" {
			r.skipped = "t.SkipNow"
		}
	}
}

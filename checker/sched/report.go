package sched

import (
	"fmt"
	"path"
	"runtime"
	"sort"
	"strings"
)

// depth is the number of stack frames kept of a position: those of the engine
// and the shims, and the first of the program.
const depth = 16

// Fail ends the execution: the test has failed. For code that is not under
// control it does nothing.
func Fail(message string) {
	if g := current(); g != nil {
		g.stop(&Failure{Kind: TestFailure, Message: message})
	}
}

// GiveUp ends the execution without a verdict (failure Uncontrolled) because
// the program did something that cannot be followed.
func GiveUp(reason string) {
	if g := current(); g != nil {
		g.stop(&Failure{Kind: Uncontrolled, Message: reason})
	}
}

// stop ends the execution from within g.
func (g *goroutine) stop(f *Failure) {
	if g.leaving.Load() {
		return
	}
	x := g.x
	if g.id < 0 { // a timer's function: decide looks at the failure next
		x.fail(f)
		return
	}
	x.enter()
	x.fail(f)
	g.locate()
	if f.Places == nil {
		f.Places = []Place{Place{What: f.Kind}.with(x, g)}
	}
	x.over = true
	x.done <- g
	g.park()
}

func (x *execution) fail(f *Failure) {
	if x.result.Failure == nil {
		x.result.Failure = f
	}
}

// quiesce judges a state in which nothing can happen any more.
func (x *execution) quiesce() {
	if len(x.alive) == 0 || x.result.Failure != nil {
		return
	}
	x.blocked = append(x.blocked, x.alive...)
	kind := Blocked
	if x.alive[0].id == 0 {
		kind = Deadlock
	}
	x.fail(&Failure{Kind: kind})
}

// panicked records a panic that g did not recover.
func (x *execution) panicked(g *goroutine, value any) {
	if g.leaving.Load() || x.result.Failure != nil {
		return
	}
	f := &Failure{Kind: Panic}
	position := make([]uintptr, 4*depth)
	g.position = position[:runtime.Callers(2, position)]
	f.Places = []Place{Place{What: "panic"}.with(x, g)}
	g.leaving.Store(true) // Error and String methods run outside the schedule
	f.Message = panicText(value)
	g.leaving.Store(false)
	x.fail(f)
}

func panicText(value any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("panic: %T", value)
		}
	}()
	if err, ok := value.(error); ok {
		return "panic: " + err.Error()
	}
	return fmt.Sprintf("panic: %v", value)
}

// event adds what g is about to do to the trace.
func (x *execution) event(g *goroutine) {
	if !x.options.Trace {
		return
	}
	e := Event{G: g.id, Kind: g.pending.Kind, What: g.pending.What}
	if g.pending.Obj != nil {
		e.Obj = g.pending.Obj.id
	}
	e.Place = Place{What: e.What}.at(g.position)
	x.result.Trace = append(x.result.Trace, e)
}

// with completes p for g, whose position is known.
func (p Place) with(x *execution, g *goroutine) Place {
	p = p.at(g.position)
	p.Goroutine = x.names()[g.id]
	return p
}

// at completes p with the first frame of a position that belongs to the program.
func (p Place) at(position []uintptr) Place {
	if len(position) == 0 {
		return p
	}
	frames := runtime.CallersFrames(position)
	for {
		frame, more := frames.Next()
		if !internal(frame) {
			p.Function, p.File, p.Line = frame.Function, frame.File, frame.Line
			return p
		}
		if !more {
			return p
		}
	}
}

// home is the import path prefix of the engine and the shims.
var home = func() string {
	pc, _, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name()
	return path.Dir(name) + "/"
}()

func internal(frame runtime.Frame) bool {
	if strings.HasPrefix(frame.Function, "runtime.") {
		return true
	}
	return strings.HasPrefix(frame.Function, home) && !strings.HasSuffix(frame.File, "_test.go")
}

// String returns "main at file.go:12 (mu.Lock)".
func (p Place) String() string {
	var b strings.Builder
	b.WriteString(p.Goroutine)
	if p.File != "" {
		fmt.Fprintf(&b, " at %s:%d", p.File, p.Line)
	}
	if p.What != "" {
		fmt.Fprintf(&b, " (%s)", p.What)
	}
	return strings.TrimSpace(b.String())
}

// report completes the result after teardown.
func (x *execution) report() {
	f := x.result.Failure
	if f != nil || x.options.Trace {
		x.result.Goroutines = x.names()
	}
	if f == nil {
		return
	}
	if len(x.blocked) > 0 {
		var b strings.Builder
		b.WriteString("blocked for ever:")
		for _, g := range x.blocked {
			p := Place{What: g.pending.What, Goroutine: x.result.Goroutines[g.id]}
			if g.leaving.Load() {
				p = p.at(g.position)
			}
			f.Places = append(f.Places, p)
			b.WriteString("\n\t" + p.String())
		}
		f.Message = b.String()
	}
	f.Signature = signature(f)
}

// signature names kind and places, by base name and line, without goroutines:
// sorted, because which of two goroutines comes first is up to the schedule.
func signature(f *Failure) string {
	var places []string
	for _, p := range f.Places {
		if p.File != "" {
			places = append(places, fmt.Sprintf("%s:%d", path.Base(p.File), p.Line))
		}
	}
	sort.Strings(places)
	return strings.Join(append([]string{f.Kind}, places...), " ")
}

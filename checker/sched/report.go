package sched

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Fail ends the execution: the test has failed. For code that is not under
// control it does nothing.
func Fail(message string) {
	if g := current(); g != nil {
		g.stop(&Failure{Kind: TestFailure, Message: message})
	}
}

// Fatal ends the execution with a fatal error of the runtime, which nothing recovers.
// For code that is not under control it does nothing.
func Fatal(text string) {
	if g := current(); g != nil {
		g.stop(&Failure{Kind: Panic, Message: fatalError + text})
	}
}

// fatalError is how the runtime begins the text of one.
const fatalError = "fatal error: "

// GiveUp ends the execution without a verdict (failure Uncontrolled) because
// the program did something that cannot be followed.
func GiveUp(reason string) {
	if g := current(); g != nil {
		g.stop(&Failure{Kind: Uncontrolled, Message: reason})
	}
}

// Exit is os.Exit. Under control it ends the execution: a test that ends its
// process fails, whatever the code.
func Exit(code int) {
	if g := current(); g != nil {
		g.stop(&Failure{Kind: TestFailure, Message: fmt.Sprintf("os.Exit(%d)", code)})
		if g.id >= 0 {
			g.quit() // a deferred call of a goroutine that is torn down
		}
		return
	}
	strayed("os.Exit")
	os.Exit(code)
}

// stop ends the execution from within g.
func (g *goroutine) stop(f *Failure) {
	x := g.x
	if g.leaving.Load() || x.silent && f.Kind == Race {
		return
	}
	if g.id < 0 { // a timer's function: decide looks at the failure next
		x.fail(f)
		return
	}
	x.enter(g)
	x.fail(f)
	g.locate(deep)
	if f.Places == nil {
		f.Places = []Place{x.place(g, f.Kind)}
	}
	if f.Kind == TestFailure && x.options.Trace {
		f.Waiting = x.waitingFor(g)
	}
	x.over = true
	x.done <- g
	g.park()
}

func (x *execution) fail(f *Failure) {
	if x.result.Failure == nil {
		x.result.Failure = x.doubted(f)
	}
}

// quiesce judges a state in which nothing can happen any more that frees the
// goroutines in blocked, by ascending ID.
func (x *execution) quiesce(blocked []*goroutine) {
	if blocked = x.unreported(blocked); x.result.Failure != nil || len(x.alive) == 0 {
		return
	}
	if g := x.away(); g != nil && (len(blocked) > 0 || x.alive[0].id == 0) {
		x.failOutside(g)
		return
	}
	if x.unordered(nil) {
		return
	}
	if blocked = x.workers(x.concerned(blocked)); len(blocked) == 0 {
		return
	}
	if x.environment.shares != "" {
		x.failShared()
		return
	}
	if stack := x.foreign(); stack != "" {
		x.fail(&Failure{Kind: Uncontrolled, Message: mayWake(stack)})
		return
	}
	x.blocked = append(x.blocked, blocked...)
	kind := Blocked
	if blocked[0].id == 0 {
		kind = Deadlock
	}
	x.fail(&Failure{Kind: kind})
}

// panicked records a panic that g did not recover.
func (x *execution) panicked(g *goroutine, value any) {
	if g.leaving.Load() || x.result.Failure != nil {
		return
	}
	g.locate(deep)
	if d, ok := value.(*bubbleDeadlock); ok {
		x.fail(d.failure())
		return
	}
	f := &Failure{Kind: Panic}
	f.Places = []Place{x.place(g, "panic")}
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
	e := Event{G: g.id, Kind: g.pending.Kind, What: g.pending.What, With: -1}
	if g.pending.Obj != nil {
		e.Obj = g.pending.Obj.id
	}
	switch {
	case e.Kind == KindStart:
		e.With = g.parent
	case e.Kind.Communicates() && g.done >= 0:
		e.Obj, e.With = g.waiters[g.done].c.object.id, g.met
	}
	g.last = len(x.result.Trace)
	e.Place = Place{What: e.What, Step: g.last}
	e.Place.locate(g.position)
	e.Unwinds = g.position.unwinds()
	x.result.Trace = append(x.result.Trace, e)
}

// traced returns the event of the step that g is making, nil without a trace.
func (x *execution) traced(g *goroutine) *Event {
	if !x.options.Trace || !g.scheduled() {
		return nil
	}
	return &x.result.Trace[g.last]
}

// place returns the place where g is, whose position is known.
func (x *execution) place(g *goroutine, what string) Place {
	p := Place{Goroutine: x.name(g), What: what, Step: g.last, Created: g.spawnSite.frames()}
	p.Stack = g.position.frames()
	p.locate(g.position)
	return p
}

// String returns "main at file.go:12 (mu.Lock)".
func (p Place) String() string {
	text := p.Goroutine
	if p.File != "" {
		text += " at " + p.File + ":" + strconv.Itoa(p.Line)
	}
	if p.What != "" {
		text += " (" + p.What + ")"
	}
	return strings.TrimSpace(text)
}

// report completes the result after teardown.
func (x *execution) report() {
	f := x.result.Failure
	if x.options.Deliveries {
		x.result.Deliveries = x.deliveries()
	}
	if f != nil || x.options.Trace || x.options.Names {
		x.result.Goroutines = x.names()
	}
	for i := range x.result.Trace {
		e := &x.result.Trace[i]
		e.Place.Goroutine = x.result.Goroutines[e.G]
	}
	if f == nil {
		return
	}
	if len(x.blocked) > 0 {
		if x.busy(); x.result.Failure == nil {
			return
		}
		x.addBlocked(f)
	}
	f.Signature = signature(f)
}

// alike is how many goroutines that are blocked at one place are listed.
const alike = 3

// addBlocked completes f with the places where goroutines are blocked.
func (x *execution) addBlocked(f *Failure) {
	type spot struct {
		file string
		line int
		what string
	}
	at := map[spot]int{}
	var b strings.Builder
	b.WriteString(f.Message + "blocked for ever:")
	for _, g := range x.blocked {
		p := Place{What: g.pending.What}
		p.locate(g.position)
		s := spot{p.File, p.Line, p.What}
		if at[s]++; at[s] > alike {
			continue
		}
		p = x.place(g, p.What)
		if o := g.pending.Obj; o != nil && g.pending.Kind != KindSelect {
			p.Obj = o.id
		}
		f.Places = append(f.Places, p)
		b.WriteString("\n\t" + p.String())
	}
	if more := len(x.blocked) - len(f.Places); more > 0 {
		fmt.Fprintf(&b, "\n\tand %d more at the same places", more)
	}
	f.Message = b.String()
}

// waitingFor are the places of goroutines that cannot go on while g runs.
func (x *execution) waitingFor(g *goroutine) (places []Place) {
	for _, other := range x.alive {
		if enabled := other.pending.Enabled; other == g || enabled == nil || enabled() {
			continue
		}
		p := x.place(other, other.pending.What)
		if o := other.pending.Obj; o != nil && other.pending.Kind != KindSelect {
			p.Obj = o.id
		}
		places = append(places, p)
	}
	return places
}

// signature names kind and places, by base name and line, without goroutines:
// sorted, because the schedule decides which of two goroutines comes first.
func signature(f *Failure) string {
	var places []string
	for _, p := range f.Places {
		if p.File != "" {
			places = append(places, path.Base(p.File)+":"+strconv.Itoa(p.Line))
		}
	}
	slices.Sort(places)
	return strings.Join(append([]string{f.Kind}, places...), " ")
}

package sched

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Goroutines outside control are the environment of an execution. There are those
// that started under control and wait in a call of code that is not, and those
// that such code started. An environment goroutine that comes to an operation has
// arrived. It waits until the execution has nothing else to do, and is admitted:
// one of the first kind goes on, one of the second kind is adopted as a goroutine
// under control. Admissions are choices of the schedule, so that a replay waits
// for the same ones.

// environment is what an execution knows of it. The lock of orphans guards inbox
// and closed.
type environment struct {
	inbox   []*goroutine // that have arrived, in order
	closed  bool         // nobody is admitted any more
	arrived chan struct{}
	nudge   chan struct{} // tells Run to look soon whether the running goroutine waits outside
	hasty   uint64        // value of control when the last uncontrolled call was made
	waited  time.Duration // of wall-clock time
	asked   int           // when foreign was found: the number of steps, plus 1
	foreign string        // stack of a goroutine that code outside control started
	object  Object        // what goes out of control and comes back is ordered by it

	outside  int    // goroutines of alive that are outside control
	shares   string // what gave a channel out of control, "" if nothing did
	doubt    string // see doubted
	orphaned bool   // a goroutine was orphaned, which may be just about to use the execution
}

// newEnvironment returns that of an execution that begins.
func newEnvironment() environment {
	return environment{arrived: make(chan struct{}, 1), nudge: make(chan struct{}, 1)}
}

// tell wakes the receiver of c, which looks for itself what there is.
func tell(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// adopt makes the calling goroutine, which code outside control started, one of
// the execution. It returns when the goroutine has control; nil if it cannot get it.
func (x *execution) adopt() *goroutine {
	if !x.options.Inherit && isEarly() {
		select {}
	}
	stack := ownStack()
	if notAdopted(stack) {
		return nil
	}
	h := &goroutine{x: x, id: unborn, adopted: true, started: true, away: true, site: entryPackage(stack),
		wake: make(chan struct{}, 1), done: -1, parent: -1, number: number([]byte(stack))}
	orphans.Lock()
	if x.environment.closed || orphans.numbers[h.number] || orphans.stale[h.number] {
		orphans.Unlock()
		runtime.Goexit()
	}
	mark()
	orphans.add(h)
	x.environment.inbox = append(x.environment.inbox, h)
	orphans.Unlock()
	tell(x.environment.arrived)
	h.regain()
	return h
}

// unborn is the ID of an adopted goroutine until it is admitted.
const unborn = -2

// notAdopted reports whether a goroutine with this stack must not be ended, as
// those under control are with an execution. One of the program's that has cleared
// its mark cannot be told from others.
func notAdopted(stack string) bool {
	for _, f := range []string{home + "sched.(*goroutine).main(", "runtime.runFinalizers", "runtime.runfinq", "runtime.runCleanups", "runtime.cgocallback", "runtime.corostart", "testing.tRunner("} {
		if strings.Contains(stack, f) {
			return true
		}
	}
	return false
}

// comeBack is called by a goroutine that comes back from outside control. It
// returns when the goroutine has control.
func (h *goroutine) comeBack() {
	x := h.x
	if x.options.Trace {
		h.locate(shallow)
	}
	orphans.Lock()
	if x.environment.closed {
		orphans.Unlock()
		runtime.Goexit()
	}
	x.environment.inbox = append(x.environment.inbox, h)
	orphans.Unlock()
	tell(x.environment.arrived)
	h.regain()
}

// regain waits for control after an arrival.
func (h *goroutine) regain() {
	<-h.wake
	if h.x.over {
		if h.adopted || h.fate.Load() != alive {
			runtime.Goexit()
		}
		h.quit()
	}
	h.x.begin(h)
}

// arrivals is called when nothing under control can go on, and waits for the
// environment as long as that makes sense. It returns true if a goroutine was
// admitted, or the execution ends.
func (x *execution) arrivals() bool {
	e := &x.environment
	if len(x.alive) == 0 || !x.environed() || x.recorded() && !x.awaitsArrival() {
		return false
	}
	start := time.Now()
	defer func() { e.waited += time.Since(start) }()
	for settled := 0; ; {
		if x.admit(settled >= settling) {
			return true
		}
		if stop := x.options.Stop; stop != nil && stop() {
			x.result.Abandoned, x.result.Stopped = true, true
			return true
		}
		if settled >= settling && !x.worthWaiting(time.Since(start)) {
			return x.result.Failure != nil
		}
		timer := time.NewTimer(lookAgain)
		select {
		case <-e.arrived:
			settled = 0
		case <-timer.C:
			e.asked = 0
			if settled++; settled <= settling && !quiet(dump()) {
				settled = 0
			}
		}
		timer.Stop()
	}
}

const (
	// lookAgain is the time between two looks at the environment, settling how often
	// it must be found at rest before the engine goes on without it. Guessed.
	lookAgain = 200 * time.Microsecond
	settling  = 3
	// lastWait is how long what is left outside after the test is waited for.
	// Guessed.
	lastWait = 20 * time.Millisecond
)

// environed reports whether there is an environment that may act.
func (x *execution) environed() bool {
	if x.environment.outside > 0 || x.environment.shares != "" || x.arrived() > 0 {
		return true
	}
	last := len(x.time.clock.timers.heap) == 0 && len(x.alive) > 0
	return (last || x.result.UncontrolledCall != "") && x.foreign() != ""
}

// foreign is uncontrolledGoroutine, asked once for each state of the execution.
func (x *execution) foreign() string {
	e := &x.environment
	if now := x.result.Steps + 1; e.asked != now {
		e.asked, e.foreign = now, uncontrolledGoroutine()
	}
	return e.foreign
}

// arrived returns the number of goroutines that can be admitted.
func (x *execution) arrived() int {
	orphans.Lock()
	defer orphans.Unlock()
	return len(x.environment.inbox)
}

// worthWaiting reports whether the execution should wait longer for an environment
// that is at rest. While one of its own goroutines is outside, virtual time passes
// no faster than real time. If they do not come back within the limit, the
// execution fails.
func (x *execution) worthWaiting(spent time.Duration) bool {
	limit := x.options.StepTime - x.environment.waited
	if x.awaitsArrival() {
		return spent < limit
	}
	g := x.away()
	ours := g != nil || x.environment.shares != ""
	ended, last := x.alive[0].id != 0, len(x.time.clock.timers.heap) == 0
	switch {
	case last && len(x.inside()) > 0:
		return spent < limit && (ours || x.foreign() != "")
	case !ours:
		return false
	case ended:
		return spent < min(limit, lastWait)
	case !last && spent >= x.time.clock.timers.heap[0].when-x.time.clock.now:
		return false
	case spent >= limit && g != nil:
		x.failOutside(g)
	case spent >= limit:
		x.failShared()
	}
	return spent < limit
}

// away returns the first of the execution's own goroutines that are outside
// control, nil if there is none.
func (x *execution) away() *goroutine {
	if x.environment.outside > 0 {
		for _, g := range x.alive {
			if g.away && !g.adopted {
				return g
			}
		}
	}
	return nil
}

// failShared ends the execution because nothing came through a channel.
func (x *execution) failShared() {
	x.fail(&Failure{Kind: Uncontrolled, Message: "all goroutines wait, but a channel is shared with code that is not under control and may wake them: " + x.environment.shares})
}

// failOutside ends the execution because g did not come back.
func (x *execution) failOutside(g *goroutine) {
	x.fail(&Failure{
		Kind: Uncontrolled,
		Message: fmt.Sprintf("a step took longer than %v of wall-clock time; the goroutine is blocked in code that is not under control:\n%s",
			x.options.StepTime, g.stack),
	})
}

// arrival returns the arrival that a recorded schedule has next; false if it has none.
func (x *execution) arrival() (c Choice, ok bool) {
	if x.by.record == nil {
		return c, false
	}
	c, ok = x.by.record.Peek()
	return c, ok && c.Kind == Admission
}

// awaitsArrival reports whether a recorded schedule has an arrival next.
func (x *execution) awaitsArrival() bool {
	_, ok := x.arrival()
	return ok
}

// admit lets those go on that have arrived, once the environment is at rest: so
// goroutines that arrive at about the same time do so unordered. A replay admits
// those that were recorded, one by one.
func (x *execution) admit(settled bool) bool {
	orphans.Lock()
	defer orphans.Unlock()
	e := &x.environment
	if x.environment.shares != "" && (settled || x.recorded()) && x.takeShared() {
		return true
	}
	if len(e.inbox) == 0 {
		return false
	}
	if x.recorded() {
		return x.admitRecorded()
	}
	if !settled {
		return false
	}
	slices.SortStableFunc(e.inbox, func(a, b *goroutine) int { return b.id - a.id }) // the adopted ones last
	for _, h := range e.inbox {
		x.let(h)
	}
	e.inbox = e.inbox[:0]
	x.order()
	return true
}

// admitRecorded admits who is next in a recorded schedule, and those that follow.
func (x *execution) admitRecorded() (admitted bool) {
	e := &x.environment
	for c, ok := x.arrival(); ok; c, ok = x.arrival() {
		i := slices.IndexFunc(e.inbox, func(h *goroutine) bool {
			return h.id == c.N || h.id == unborn && c.N == len(x.goroutines)
		})
		if i < 0 {
			break
		}
		x.by.record.Take()
		x.let(e.inbox[i])
		e.inbox = slices.Delete(e.inbox, i, i+1)
		admitted = true
	}
	if admitted {
		x.order()
	}
	return admitted
}

// delivered and the number of a channel are the N of an admission of what code
// outside control sent on that channel.
const delivered = 1 << 30

// takeShared takes what code outside control has sent on a buffered channel that
// was shared with it, or that it closed it. A replay takes what was recorded.
func (x *execution) takeShared() bool {
	var shared []*channel
	for _, c := range x.channels {
		if c.object.id > 0 && c.take != nil && !c.closed && c.count < c.capacity {
			shared = append(shared, c)
		}
	}
	slices.SortFunc(shared, func(a, b *channel) int { return int(a.object.id - b.object.id) })
	for _, c := range shared {
		choice := Choice{Kind: Admission, N: delivered + int(c.object.id)}
		if next, ok := x.arrival(); x.recorded() && (!ok || next != choice) {
			continue
		}
		i := (c.head + c.count) % c.capacity
		got, ok := c.take(c.real, c.slot(i))
		if !got {
			continue
		}
		if x.recorded() {
			x.by.record.Take()
		}
		x.result.Choices = append(x.result.Choices, choice)
		all := x.past()
		if ok {
			c.clockOf(i).set(all)
			c.count++
		} else {
			c.closed = true
			c.object.clock.join(all)
		}
		x.touch(&c.object)
		x.change()
		return true
	}
	return false
}

// let admits h.
func (x *execution) let(h *goroutine) {
	if h.id == unborn {
		x.depend(h.site)
		h.id, h.ran = len(x.goroutines), x.progress.rounds.now
		h.clock = make(Clock, h.id+1, h.id+4)
		x.goroutines = append(x.goroutines, h)
		x.alive = append(x.alive, h)
		h.announce(&Op{Kind: KindReturn, What: "call from " + h.site})
		if x.by.recorder != nil {
			x.by.recorder.Created(h.id, -1)
		}
		x.grown()
	} else {
		x.environment.outside--
	}
	h.away = false
	orphans.remove(h)
	x.result.Choices = append(x.result.Choices, Choice{Kind: Admission, N: h.id})
	x.change()
}

// past is the clock of all that was done. It begins new epochs: what is done from
// here on is not in it.
func (x *execution) past() Clock {
	var all Clock
	all.set(x.gone)
	for _, g := range x.alive {
		all.join(g.clock)
		g.tick()
	}
	return all
}

// order makes all that was done happen before what those do that were admitted:
// they may have been waiting for any of it. Else there would be false races.
func (x *execution) order() {
	all := x.past()
	for _, g := range x.alive {
		if g.pending.Kind == KindReturn && !g.away {
			own := g.clock.at(g.id)
			g.clock.set(all)
			g.clock.join(make(Clock, g.id+1))
			g.clock[g.id] = own
		}
	}
}

// inside returns the goroutines under control.
func (x *execution) inside() []*goroutine {
	if x.environment.outside == 0 {
		return x.alive
	}
	var inside []*goroutine
	for _, g := range x.alive {
		if !g.away {
			inside = append(inside, g)
		}
	}
	return inside
}

// depend notes that the execution depends on a package.
func (x *execution) depend(pkg string) {
	if pkg != "" {
		x.result.Environment = Union(x.result.Environment, []string{pkg})
	}
}

// Union returns the packages in a or b, sorted and each once.
func Union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// Depends says that a result depends on packages outside control.
func Depends(packages []string) string {
	return "depends on code outside control: " + strings.Join(packages, ", ")
}

// close ends all admissions. Who has arrived is torn down as others are, or ends
// when it is woken. Who is still outside becomes an orphan.
func (x *execution) close() {
	orphans.Lock()
	defer orphans.Unlock()
	x.environment.closed = true
	for _, h := range x.environment.inbox {
		orphans.remove(h)
		if h.adopted {
			orphans.disown(h)
		}
		if h.adopted || h.fate.Load() != alive {
			h.wake <- struct{}{}
		}
		h.away = false
	}
	for _, g := range x.goroutines {
		switch {
		case g.adopted && g.fate.CompareAndSwap(alive, orphaned):
			orphans.remove(g)
			orphans.disown(g)
			if !g.away {
				g.wake <- struct{}{}
			}
		case g.away && g.fate.CompareAndSwap(alive, orphaned):
			orphans.remove(g)
			orphans.disown(g)
			x.environment.orphaned = true
		}
	}
}

package sched

// Goroutines that a ticker wakes, such as the janitor of a cache, go on for ever.
// They would keep an execution from its end, and hide goroutines that are blocked
// beside them. So the engine counts rounds: a round lasts from one moment at which
// nothing is enabled, and time has to pass, to the next.

// progress is what is known of goroutines that may go on for ever.
type progress struct {
	rounds     rounds
	rested     int // steps when nobody could go on for the last time
	lone       int // steps made before there was a second goroutine, without a timer
	quiet      int // steps when the program last did more than look, or looked at something new
	period     int // of looking, from 1
	notedAt    int // step of the last noteAble
	watchFrom  int // numbers of looks in a row between which spinning watches who could go on
	watchTo    int
	ending     int // goroutines that have made their last step since time passed, see NumGoroutine
	endingSeen int // how often some of them were counted
}

// rounds is what is known about goroutines that a ticker wakes.
type rounds struct {
	now     int // number of the present one
	changed int // the last in which the program did more than look, see looks
	step    int // number of steps when it did
	event   int // and of events in the trace
	ended   int // the one in which the test returned
}

const (
	// idleRounds is how many rounds after the test each goroutine that is left must
	// have run in turn for the execution to end. A real process ends with the test,
	// so this bounds what is seen of later rounds. Guessed.
	idleRounds = 20
	// stillRounds is how long goroutines must have stood still for being taken as
	// blocked for ever, while others do nothing but look. Guessed: longer than loops
	// that count ticks.
	stillRounds = 1000
	// lateRounds is how many rounds after the test the execution ends in any case.
	// Guessed.
	lateRounds = 5000
)

// looks reports whether an operation of this kind leaves no lasting trace. Of
// communications that is for waiter.do to say.
func (k Kind) looks() bool { return looking>>k&1 != 0 }

// looking has a bit for each kind that looks.
const looking = 1<<KindAcquire | 1<<KindRelease | 1<<KindRAcquire | 1<<KindRRelease | 1<<KindArrive |
	1<<KindSend | 1<<KindRecv | 1<<KindSelect | 1<<KindLoad | 1<<KindYield | 1<<KindClock | 1<<KindCount

// noted notes a step of g. A sleep is a part of looking if there were looks since the
// one before: a goroutine that only sleeps in a loop counts.
func (x *execution) noted(g *goroutine) {
	switch k := g.pending.Kind; {
	case k.looks():
		g.looked = true
		x.lookAt(g)
	case k == KindAccess && g.pending.Read:
		g.looked = true
	case k == KindSleep:
		if !g.looked {
			x.change()
		}
		g.looked = false
	default:
		x.change()
	}
}

// lookAt notes what a step of g looks at. Who waits in a loop looks at the same things
// again and again.
func (x *execution) lookAt(g *goroutine) {
	x.lookAtObject(g.pending.Obj)
	if g.pending.Kind != KindSelect {
		return
	}
	for i := range g.waiters {
		if c := g.waiters[i].c; c != nil {
			x.lookAtObject(&c.object)
		}
	}
}

func (x *execution) lookAtObject(o *Object) {
	if o != nil && o.period != x.progress.period {
		o.period, x.progress.quiet = x.progress.period, x.result.Steps
	}
}

// change notes that the program did more than look.
func (x *execution) change() {
	x.progress.quiet, x.progress.period = x.result.Steps, x.progress.period+1
	x.progress.rounds.changed, x.progress.rounds.step, x.progress.rounds.event = x.progress.rounds.now, x.result.Steps, len(x.result.Trace)
}

// periodic ends the execution if only periodic goroutines go on: quietly if the
// test has returned and nothing else is left, else with the failure of those that
// stand still. It is called when time has to pass.
func (x *execution) periodic() bool {
	r := &x.progress.rounds
	if x.recorded() {
		return false
	}
	if len(x.alive) == 0 { // only timers are left; one has just started a goroutine if passing time bore fruit
		x.result.Cut = x.time.fruitless == 0 && r.now-r.ended >= idleRounds
		return x.result.Cut
	}
	ended := x.alive[0].id != 0
	if ended && r.now-r.ended >= idleRounds && len(x.still(max(r.now-idleRounds, r.ended))) == 0 ||
		ended && r.now-r.ended >= lateRounds {
		x.result.Cut = true
		return true
	}
	if r.now-r.changed < stillRounds || x.time.clock.timers.olderThan(r.changed) {
		return false
	}
	still := x.still(r.changed)
	if len(still) == 0 || !ended && still[0].id != 0 {
		return false
	}
	x.result.Cut = true
	x.quiesce(still)
	return true
}

// still returns the goroutines that have made no step after a round.
func (x *execution) still(round int) []*goroutine {
	var still []*goroutine
	for _, g := range x.alive {
		if g.ran <= round && !g.away {
			still = append(still, g)
		}
	}
	return still
}

// recorded reports whether a recorded schedule still has choices: it may come from
// an engine that went on for longer.
func (x *execution) recorded() bool {
	return x.by.record != nil && x.by.record.Left() > 0
}

// olderThan reports whether a timer is set that was set in a round or before it.
func (h *timers) olderThan(round int) bool {
	for _, t := range h.heap {
		if t.round <= round {
			return true
		}
	}
	return false
}

package sched

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// An execution is the state of Run.
type execution struct {
	serial  uint64 // no other execution of the process has it
	options Options
	result  *Execution
	by      deciders // the strategy

	goroutines []*goroutine // by ID
	gone       Clock        // what those knew that have ended
	alive      []*goroutine // that have not ended, by ascending ID
	ready      ready        // that can go on
	urgent     []*goroutine // completed by a partner: to be brought to their next operation
	last       int          // goroutine of the last step, -1 at first
	earlier    int          // goroutines with smaller IDs are what Earlier left
	naming     naming
	coroutines []*coroutine
	objects    int32 // number of objects met

	time        timing
	progress    progress
	environment environment
	memory      memory
	channels    map[unsafe.Pointer]*channel
	words       map[methodOf]string // see wordsOf
	guards      map[any]*guard      // of libraries
	turns       int                 // that were to be taken, see TakeTurn

	control atomic.Uint64          // who may touch all this: a count of entries, times 4, plus one of inBody, inEngine, seized
	stray   atomic.Pointer[string] // operation of an uncontrolled goroutine
	done    chan *goroutine        // tells Run that the execution is over, or a goroutine gone
	blocked []*goroutine           // at quiescence
	fault   any                    // a panic of the strategy or of an Enabled function

	silent    bool // in Earlier
	residents bool // see Residents
	over      bool
}

// deciders are a strategy, and what it is besides; nil: it is not.
type deciders struct {
	strategy  Strategy
	watcher   Watcher
	keeper    Timekeeper
	chooser   ClockChooser
	selector  Selector
	record    Recorded
	recorder  Recorder
	forgetter Forgetter
}

// decidersOf finds out what a strategy is.
func decidersOf(s Strategy) deciders {
	d := deciders{strategy: s}
	d.watcher, _ = s.(Watcher)
	d.keeper, _ = s.(Timekeeper)
	d.chooser, _ = s.(ClockChooser)
	d.selector, _ = s.(Selector)
	d.record, _ = s.(Recorded)
	d.recorder, _ = s.(Recorder)
	d.forgetter, _ = s.(Forgetter)
	return d
}

// Values of execution.control.
const (
	inBody   uint64 = iota // the running goroutine is outside the engine
	inEngine               // it is inside
	seized                 // Run has given up on it
)

var (
	serials   atomic.Uint64
	exclusive sync.Mutex              // held by Run
	usual     int                     // room for the choices of an execution: those of the last one, and some
	spare     = &shadow{}             // of the next execution
	wordsKept = map[methodOf]string{} // of the next execution: they are the same in all
)

// Run makes one execution of body under a strategy that has begun. When it
// returns no goroutine of the body is left, except those that are blocked
// outside control (failure Uncontrolled; see the package documentation).
//
// Only one execution runs at a time in a process: others wait, and one inside
// another panics. A panic of the strategy is passed on to the caller.
func Run(s Strategy, o Options, body func()) *Execution {
	if current() != nil {
		panic("sched: Run within Run")
	}
	exclusive.Lock()
	defer exclusive.Unlock()
	noteDaemons()
	orphans.review()
	if o.Steps == 0 {
		o.Steps = defaultSteps
	}
	by := decidersOf(s)
	if r := by.record; r != nil && r.Left() > o.Steps { // recorded with another bound
		o.Steps = r.Left() + 1
	}
	if o.StepTime == 0 {
		o.StepTime = defaultStepTime
	}
	x := &execution{
		serial: serials.Add(1), by: by, options: o, last: -1,
		result: &Execution{Choices: make([]Choice, 0, usual), Races: o.Races},
		done:   make(chan *goroutine, 4),
		memory: memory{shadow: spare, promotion: newPromotion(o.Races)}, words: wordsKept,
	}
	x.memory.shadow.of = x
	x.memory.observed = x.memory.promotion != nil || o.Record || len(o.Watch) > 0
	x.progress.watchTo = min(stillSteps, o.Steps/2)
	x.progress.watchFrom = x.progress.watchTo - min(watchedSteps, x.progress.watchTo/2)
	x.environment = newEnvironment()
	x.begins()
	if v, ok := s.(Viewer); ok {
		v.View(View{x})
	}
	if by.forgetter != nil {
		forgetful.Store(true)
		defer forgetful.Store(false)
	}
	x.time.patience, x.time.patient = o.patience()
	if by.record == nil { // else its mark decides
		x.time.clocked = o.Clocked
	}
	x.time.clerk.id, x.time.clerk.x, x.time.clerk.time = -1, x, &x.time.clock
	main := x.create("", body)
	main.tick()
	x.control.Store(inEngine)
	first := x.decide(main)
	if first != nil {
		first.resume()
		x.supervise()
	}
	x.tearDown()
	running.Store(nil)
	if x.environment.orphaned {
		spare, wordsKept = &shadow{}, map[methodOf]string{}
	} else {
		spare.of = nil
		spare.reset()
	}
	if x.fault != nil {
		panic(x.fault)
	}
	x.report()
	x.keepStart()
	usual = len(x.result.Choices) + 16
	return x.result
}

// enter takes the right to touch the execution's state for the running
// goroutine g. One that Run has given up on leaves. One that Run has just taken for
// a goroutine outside control comes back first.
func (x *execution) enter(g *goroutine) {
	for {
		c := x.control.Load()
		switch {
		case c&3 == seized:
			runtime.Goexit()
		case running.Load() == g && c&3 == inBody && x.control.CompareAndSwap(c, c|inEngine):
			return
		case orphans.find(g) == nil:
			runtime.Goexit()
		}
	}
}

// begin makes g the running goroutine and ends its stay in the engine.
func (x *execution) begin(g *goroutine) {
	x.event(g)
	if k := g.pending.Kind; k == KindRelease || k == KindRRelease {
		g.locks = max(g.locks-1, 0) // another one may have taken it
	}
	if x.by.recorder != nil {
		x.by.recorder.Began(g.id)
	}
	x.release()
	if g.adopted {
		tell(x.environment.nudge) // it may go back outside at any moment
	}
}

// release ends a stay in the engine.
func (x *execution) release() { x.control.Store(x.control.Load()&^3 + 4) }

// decide brings the execution forward after g has announced an operation or,
// for a goroutine that has ended, nothing: it returns the goroutine that goes
// on, or nil when the execution is over. The caller has entered.
func (x *execution) decide(g *goroutine) *goroutine {
	next := x.next()
	if next == nil {
		x.over = true
		return nil
	}
	if next != running.Load() {
		running.Store(next)
	}
	return next
}

func (x *execution) next() (next *goroutine) {
	if x.result.Failure != nil || x.fault != nil {
		return nil
	}
	if n := len(x.urgent); n > 0 {
		next = x.urgent[n-1]
		x.urgent = x.urgent[:n-1]
		return next
	}
	defer func() {
		if value := recover(); value != nil {
			x.fault, next = value, nil
		}
	}()
	for {
		x.overdue()
		if x.stopped() || !x.collect() {
			return nil
		}
		if x.time.patient && x.compute() {
			continue
		}
		if g, again := x.choice(); !again {
			return g
		}
	}
}

// stopped reports whether the execution has to end for reasons outside the program.
func (x *execution) stopped() bool {
	if x.result.Failure != nil { // in a timer's function
		return true
	}
	if what := x.stray.Load(); what != nil {
		x.fail(&Failure{Kind: Uncontrolled, Message: *what +
			" in a goroutine that was started by code that is not under control"})
		return true
	}
	if stop := x.options.Stop; stop != nil && x.result.Steps%stopSteps == stopSteps-1 && stop() {
		x.result.Abandoned, x.result.Stopped = true, true
		return true
	}
	if x.result.Steps-x.progress.rounds.step >= x.progress.watchFrom && x.spinning() {
		return true
	}
	if len(x.goroutines) == 1 && len(x.time.clock.timers.heap) == 0 && x.environment.outside == 0 {
		x.progress.lone++
	}
	if x.atBound() {
		x.result.Spins = x.spun()
		if x.alive[0].id != 0 {
			x.result.Cut = true
			return true
		}
		if x.unordered(nil) {
			x.result.Cut = true
			return true
		}
		f := &Failure{Kind: Timeout, Message: fmt.Sprintf("not ended after %d steps", x.result.Steps)}
		if g := running.Load(); g != nil {
			g.locate(deep)
			f.Places = []Place{x.place(g, g.pending.What)}
		}
		x.fail(f)
		return true
	}
	return false
}

// loneSteps is how many steps count as one before a second goroutine exists: there is
// nothing to choose in them, and tests that start none may be long. Guessed.
const loneSteps = 20

// stopSteps is how many steps pass between two questions to Options.Stop.
const stopSteps = 64

// collect makes the list of enabled operations, letting virtual time pass when
// there are none; false at quiescence.
func (x *execution) collect() bool {
	for {
		if x.refresh(false); x.ready.keeping && len(x.ready.enabled) == 0 {
			x.refresh(true)
		}
		if len(x.ready.enabled) > 0 {
			x.time.fruitless = 0
			x.watch()
			return true
		}
		x.progress.rested = x.result.Steps
		if x.arrivals() {
			if x.result.Abandoned || x.result.Failure != nil {
				return false
			}
			x.time.fruitless = 0
			continue
		}
		if x.giveWay(nil) {
			continue
		}
		if len(x.time.clock.timers.heap) > 0 && x.periodic() {
			return false
		}
		x.time.fruitless++
		switch {
		case len(x.time.clock.timers.heap) > 0 && x.time.guarding && !x.silent && x.givesUp():
			x.watch()
			x.quiesce(x.inside())
			return false
		case x.time.patient && x.time.guarding && len(x.time.clock.timers.heap) > 0 && x.awaited() != nil:
			x.waitFor(x.awaited())
			continue
		case (x.time.patient || x.silent) && x.pass(x.time.fruitless > maxPassed):
			x.progress.rounds.now++
			continue
		case !x.time.patient && !x.silent && len(x.expirable(true)) > 0:
			x.watch()
			return true // choice lets time pass
		}
		x.watch()
		x.quiesce(x.inside())
		return false
	}
}

// relist makes the lists of what is enabled and what is not anew, but for
// operations that are still where they were.
func (x *execution) relist() {
	list, waiting, n := x.ready.enabled, x.ready.waiting[:0], 0
	for _, g := range x.alive {
		if enabled := g.pending.Enabled; enabled != nil && !enabled() {
			if x.by.watcher != nil {
				waiting = append(waiting, *g.look())
			}
			continue
		}
		if n == len(list) {
			list = append(list, Pending{})
			g.copied = false
		}
		if !g.copied || list[n].G != g.id {
			list[n] = *g.look()
			g.copied = !g.communicates()
		}
		n++
	}
	x.ready.enabled, x.ready.waiting = list[:n], waiting
}

// watch passes the operations that are not enabled to a Watcher.
func (x *execution) watch() {
	if x.by.watcher != nil {
		x.by.watcher.Blocked(x.ready.waiting)
	}
}

// maxPassed is how often time passes without enabling anything before the ticks
// of tickers are skipped, since no goroutine seems to listen.
const maxPassed = 100 // guessed

// announce makes op the pending operation of g. It copies field by field, because
// loading in one piece what was just stored in several stalls the processor.
func (g *goroutine) announce(op *Op) {
	to := &g.pending
	to.Kind, to.Obj, to.Read, to.Durable, to.Enabled, to.What = op.Kind, op.Obj, op.Read, op.Durable, op.Enabled, op.What
	if g.x.by.recorder != nil {
		to.As, to.Word, to.Size = op.As, op.Word, op.Size
	}
	g.waitedFor, g.copied, g.parked, g.took = nil, false, false, false
	seen := &g.seen
	seen.G, seen.Kind, seen.Obj, seen.Read = g.id, op.Kind, 0, op.Read
	seen.Scope, seen.Channels, seen.Options, seen.Meets = ScopeObject, 0, 1, false
	if i := g.x.options.Impacts; i != nil {
		seen.Hit = op.Kind != KindStart && i.hit() // who starts one is elsewhere
	}
	if o := op.Obj; o != nil {
		g.x.meet(o)
		seen.Obj = o.id
		if o.channel {
			seen.Channels = o.Bit()
		}
	}
	if g.x.ready.keeping && g.scheduled() {
		g.register(op)
	}
}

// communicates reports whether what a strategy sees of the pending operation of g
// may be due to others.
func (g *goroutine) communicates() bool {
	k := g.seen.Kind
	return k == KindSend || k == KindRecv || k == KindSelect
}

// look describes the pending operation of g.
func (g *goroutine) look() *Pending {
	if g.communicates() {
		g.reach(&g.seen)
		g.seen.Meets = g.meets()
	}
	return &g.seen
}

// choice asks the strategy, and has a timer expire or returns the goroutine that
// goes on; nil when the strategy abandons the execution. It is made again after a
// timer.
func (x *execution) choice() (next *goroutine, again bool) {
	yielding := false
	if x.last >= 0 {
		yielding = x.goroutines[x.last].pending.Kind == KindYield
	}
	if x.silent {
		return x.quietly(yielding), false
	}
	enabled := x.ready.enabled
	var timers []*Timer
	idle := len(enabled) == 0
	if x.stalled() {
		kept := x.someKept()
		idle, yielding = idle || !kept, yielding || kept
	}
	if len(x.time.clock.timers.heap) > 0 && !x.time.patient {
		timers = x.expirable(idle)
		must := idle || x.overrun(timers)
		if v, asked := x.expireNow(len(timers), must); v >= 0 {
			x.expires(timers, v, idle, yielding)
			return nil, true
		} else if asked && must {
			x.result.Abandoned = true
			return nil, false
		}
		enabled = x.withClock(timers, must)
	}
	switch i := x.by.strategy.Next(enabled, x.last, yielding); {
	case i < 0:
		x.result.Abandoned = true
		return nil, false
	case len(timers) == 0 || enabled[i].G != TheClock:
		return x.chosenNext(i, yielding), false
	default:
		v := 0
		if len(timers) > 1 {
			v = x.by.strategy.Choose(len(timers))
		}
		x.expires(timers, v, idle && len(enabled) == 1, yielding)
		return nil, true
	}
}

// chosenNext returns the goroutine that was chosen to go on.
func (x *execution) chosenNext(i int, yielding bool) *goroutine {
	r, id := x.result, x.ready.enabled[i].G
	if len(x.ready.enabled) > 1 {
		r.Chose = true
		if id != x.last && !yielding && x.last >= 0 && Index(x.ready.enabled, x.last) >= 0 {
			r.Preempted++
		}
	}
	x.last = id
	g := x.goroutines[id]
	g.ran = x.progress.rounds.now
	x.noted(g)
	r.Steps++
	g.stepped = r.Steps
	r.Choices = append(r.Choices, Choice{Kind: Step, N: id})
	if x.ready.keeping {
		x.chosen(g)
	}
	return g
}

// choose asks the strategy for a number. When that panics the execution ends
// at the next decision.
func (x *execution) choose(n int) int {
	if n < 2 || x.silent || x.over || x.fault != nil {
		return 0
	}
	defer func() {
		if value := recover(); value != nil {
			x.fault = value
		}
	}()
	v := x.by.strategy.Choose(n)
	if v < 0 || v >= n {
		panic(fmt.Sprintf("strategy chose %d of %d", v, n))
	}
	x.result.Choices = append(x.result.Choices, Choice{Kind: Number, N: v})
	x.result.Chose = true
	return v
}

// ended handles the end of g: it passes control on.
func (x *execution) ended(g *goroutine) {
	if g.leaving.Load() {
		x.done <- g
		return
	}
	x.enter(g)
	if next := x.finish(g); next != nil {
		next.resume()
		return
	}
	x.done <- g
}

// finish takes g, which has ended, from the execution and brings that forward.
func (x *execution) finish(g *goroutine) *goroutine {
	for i := range x.alive {
		if x.alive[i] == g {
			x.alive = append(x.alive[:i], x.alive[i+1:]...)
			break
		}
	}
	x.unlist(g)
	g.unregister()
	for _, s := range g.holds { // a writer ended it
		s.holder = nil
	}
	if g.bubble != nil {
		g.bubble.leave(g)
	}
	x.progress.ending++
	if x.change(); g.id == 0 {
		x.progress.rounds.ended = x.progress.rounds.now
	}
	if x.by.recorder != nil && x.result.Failure == nil {
		x.by.recorder.Ended(g.id)
	}
	g.pending = Op{Kind: KindExit, What: "exit"}
	g.position = g.position[:0]
	x.event(g)
	x.gone.join(g.clock)
	g.clock, g.body = nil, nil // there may be many that have ended
	return x.decide(g)
}

package sched

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// An execution is the state of Run.
type execution struct {
	serial   uint64 // no other execution of the process has it
	strategy Strategy
	options  Options
	result   *Execution

	goroutines []*goroutine // by ID
	gone       Clock        // what those knew that have ended
	alive      []*goroutine // that have not ended, by ascending ID
	enabled    []Pending    // by ascending G
	doubtful   []*goroutine // to be looked at, see enabled.go
	loose      []*goroutine // that wait for no object
	waiting    []Pending    // scratch: what is not enabled, for a Watcher
	watcher    Watcher      // the strategy, if it is one; and so on
	keeper     Timekeeper
	chooser    ClockChooser
	selector   Selector
	record     Recorded
	recorder   Recorder
	forgetter  Forgetter
	urgent     []*goroutine // completed by a partner: to be brought to their next operation
	last       int          // goroutine of the last step, -1 at first
	objects    int32        // number of objects met

	start time.Time // see Start
	wallClock
	earlier            int           // goroutines with smaller IDs are what Earlier left
	doubt              string        // see doubted
	measured           bool          // memory, see ReadMemStats
	shares             string        // what gave a channel out of control, "" if nothing did
	computed           time.Duration // of virtual time, while goroutines could go on and time-outs were believed
	rested             int           // steps when nobody could go on for the last time
	instants           time.Duration // taken by calls of Moment
	polling            time.Duration // last step of the clock for who reads it in a loop
	clock              virtualClock
	patience           time.Duration // time-outs that last so long or longer are believed, if it is not 0
	expiring           []*Timer      // scratch
	scratch            []Pending
	ending             int // goroutines that have made their last step since time passed, see NumGoroutine
	endingSeen         int // how often some of them were counted
	quiet              int // steps when the program last did more than look, or looked at something new
	period             int // of looking, from 1
	expired            int // steps when a timer last expired
	lone               int // steps made before there was a second goroutine, without a timer
	fruitless          int // how often time has passed since something was enabled
	bubbles            int // so far
	rounds             rounds
	notedAt            int // step of the last noteAble
	watchFrom, watchTo int // numbers of looks in a row between which spinning watches who could go on

	environment environment
	channels    map[unsafe.Pointer]*channel
	words       map[methodOf]string // see wordsOf
	guards      map[any]*guard      // of libraries
	turns       int                 // that were to be taken, see TakeTurn
	turnAt      time.Duration       // when one came last, or was waited for
	coroutines  []*coroutine
	clerk       goroutine // what functions of timers run as
	shadow      *shadow
	promotion   *promotion // nil: none
	touches     recorder   // see record
	outside     int        // goroutines of alive that are outside control
	accesses    uint32     // to memory, modulo 1<<32
	asked       int        // number of steps when that was found not to be so

	control atomic.Uint64          // who may touch all this: a count of entries, times 4, plus one of inBody, inEngine, seized
	stray   atomic.Pointer[string] // operation of an uncontrolled goroutine
	done    chan *goroutine        // tells Run that the execution is over, or a goroutine gone
	blocked []*goroutine           // at quiescence
	keys    map[unsafe.Pointer]int // see Key
	named   []string               // see names
	sites   map[string]int
	fault   any // a panic of the strategy or of an Enabled function

	keeping   bool // enabled is kept from decision to decision, see enabled.go
	silent    bool // in Earlier
	settled   bool // patience and patient are known, see settle
	clocked   bool // reading the clock is a scheduling point
	patient   bool // time-outs are believed
	trusting  bool // those that test files set are
	guarding  bool // tests' patience is, see guard
	observed  bool // plain accesses are promoted, recorded or watched
	residents bool // see Residents
	joined    bool // all accesses so far happen before what the only goroutine does
	over      bool
	orphaned  bool // a goroutine was orphaned, which may be just about to use all this
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
	record, _ := s.(Recorded)
	if record != nil && record.Left() > o.Steps { // recorded with another bound
		o.Steps = record.Left() + 1
	}
	if o.StepTime == 0 {
		o.StepTime = defaultStepTime
	}
	x := &execution{
		serial: serials.Add(1), strategy: s, record: record, options: o, last: -1,
		result: &Execution{Choices: make([]Choice, 0, usual), Races: o.Races},
		done:   make(chan *goroutine, 4),
		shadow: spare, words: wordsKept, promotion: newPromotion(o.Races),
	}
	x.shadow.of = x
	x.observed = x.promotion != nil || o.Record || len(o.Watch) > 0
	x.watchTo = min(stillSteps, o.Steps/2)
	x.watchFrom = x.watchTo - min(watchedSteps, x.watchTo/2)
	x.environment = newEnvironment()
	x.begins()
	x.watcher, _ = s.(Watcher)
	x.keeper, _ = s.(Timekeeper)
	x.chooser, _ = s.(ClockChooser)
	x.selector, _ = s.(Selector)
	x.recorder, _ = s.(Recorder)
	if v, ok := s.(Viewer); ok {
		v.View(View{x})
	}
	if x.forgetter, _ = s.(Forgetter); x.forgetter != nil {
		forgetful.Store(true)
		defer forgetful.Store(false)
	}
	x.patience, x.patient = o.patience()
	if record == nil { // else its mark decides
		x.clocked = o.Clocked
	}
	x.clerk.id, x.clerk.x, x.clerk.time = -1, x, &x.clock
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
	if x.orphaned {
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
	if x.recorder != nil {
		x.recorder.Began(g.id)
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
		if x.patient && x.compute() {
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
	if x.result.Steps-x.rounds.step >= x.watchFrom && x.spinning() {
		return true
	}
	if len(x.goroutines) == 1 && len(x.clock.timers.heap) == 0 && x.outside == 0 {
		x.lone++
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
		if x.refresh(false); x.keeping && len(x.enabled) == 0 {
			x.refresh(true)
		}
		if len(x.enabled) > 0 {
			x.fruitless = 0
			x.watch()
			return true
		}
		x.rested = x.result.Steps
		if x.arrivals() {
			if x.result.Abandoned || x.result.Failure != nil {
				return false
			}
			x.fruitless = 0
			continue
		}
		if x.giveWay(nil) {
			continue
		}
		if len(x.clock.timers.heap) > 0 && x.periodic() {
			return false
		}
		x.fruitless++
		switch {
		case len(x.clock.timers.heap) > 0 && x.guarding && !x.silent && x.givesUp():
			x.watch()
			x.quiesce(x.inside())
			return false
		case x.patient && x.guarding && len(x.clock.timers.heap) > 0 && x.awaited() != nil:
			x.waitFor(x.awaited())
			continue
		case (x.patient || x.silent) && x.pass(x.fruitless > maxPassed):
			x.rounds.now++
			continue
		case !x.patient && !x.silent && len(x.expirable(true)) > 0:
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
	list, waiting, n := x.enabled, x.waiting[:0], 0
	for _, g := range x.alive {
		if enabled := g.pending.Enabled; enabled != nil && !enabled() {
			if x.watcher != nil {
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
	x.enabled, x.waiting = list[:n], waiting
}

// watch passes the operations that are not enabled to a Watcher.
func (x *execution) watch() {
	if x.watcher != nil {
		x.watcher.Blocked(x.waiting)
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
	if g.x.recorder != nil {
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
	if g.x.keeping && g.scheduled() {
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
	enabled := x.enabled
	var timers []*Timer
	idle := len(enabled) == 0
	if x.stalled() {
		kept := x.someKept()
		idle, yielding = idle || !kept, yielding || kept
	}
	if len(x.clock.timers.heap) > 0 && !x.patient {
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
	switch i := x.strategy.Next(enabled, x.last, yielding); {
	case i < 0:
		x.result.Abandoned = true
		return nil, false
	case len(timers) == 0 || enabled[i].G != TheClock:
		return x.chosenNext(i, yielding), false
	default:
		v := 0
		if len(timers) > 1 {
			v = x.strategy.Choose(len(timers))
		}
		x.expires(timers, v, idle && len(enabled) == 1, yielding)
		return nil, true
	}
}

// chosenNext returns the goroutine that was chosen to go on.
func (x *execution) chosenNext(i int, yielding bool) *goroutine {
	r, id := x.result, x.enabled[i].G
	if len(x.enabled) > 1 {
		r.Chose = true
		if id != x.last && !yielding && x.last >= 0 && Index(x.enabled, x.last) >= 0 {
			r.Preempted++
		}
	}
	x.last = id
	g := x.goroutines[id]
	g.ran = x.rounds.now
	x.noted(g)
	r.Steps++
	g.stepped = r.Steps
	r.Choices = append(r.Choices, Choice{Kind: Step, N: id})
	if x.keeping {
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
	v := x.strategy.Choose(n)
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
	x.ending++
	if x.change(); g.id == 0 {
		x.rounds.ended = x.rounds.now
	}
	if x.recorder != nil && x.result.Failure == nil {
		x.recorder.Ended(g.id)
	}
	g.pending = Op{Kind: KindExit, What: "exit"}
	g.position = g.position[:0]
	x.event(g)
	x.gone.join(g.clock)
	g.clock, g.body = nil, nil // there may be many that have ended
	return x.decide(g)
}

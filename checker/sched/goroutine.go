package sched

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"
	"unsafe"
)

// A goroutine is one goroutine under control.
type goroutine struct {
	id         int
	x          *execution
	body       func()
	site       string        // where it was spawned, "" when unknown
	creator    [1]uintptr    // the call that did, 0: unknown
	wake       chan struct{} // capacity 1: the right to run
	pending    Op            // what it announced
	seen       Pending       // the same for the strategy
	clock      Clock
	time       *virtualClock
	waitedFor  *Timer // for which time has passed since g began to wait: nobody could go on
	polls      int    // calls of Now at the moment polled, weighted; see idlePoll
	pollPeriod int    // x.period at the last of them
	polled     time.Duration

	ready     []int         // scratch
	waiters   []waiter      // the communications that the pending operation offers
	offers    func() bool   // whether one of waiters can be done
	done      int           // index of the one of waiters that a partner completed, -1: none
	met       int           // that partner
	sleeps    int           // begun
	ran       int           // round of the last step
	stepped   int           // number of the last step
	looks     int           // steps since it is watched, see spinning
	able      int           // number of steps when it could go on, see spinning
	home      func() bool   // reports that it is not
	number    string        // of an adopted goroutine and of one that was outside, see number
	stack     string        // when it was last sent out
	awake     func() bool   // reports due
	left      int           // operations since it began to leave
	bubble    *Bubble       // nil: none
	position  position      // with Trace, and at the end: where it announced
	awaits    []*Object     // see register
	spawnSite position      // with Trace: the go statement
	parent    int           // goroutine that spawned it, -1: none; of the clerk, the one that set the timer
	last      int           // with Trace: index of its last event
	kept      []operand     // see Keep
	flagSet   reflect.Value // see flags
	debugs    bool          // see shows
	turn      *Turn         // that it waits for, see TakeTurn
	served    []*channel    // see serves
	holds     []*guard      // see Called

	// Small fields stand together: many goroutines are made.
	started  bool        // the real goroutine exists
	copied   bool        // seen is in x.enabled, where that has an entry of g
	waiting  bool        // waiters are registered with their channels
	due      bool        // the sleep is over
	looked   bool        // since the last sleep, see noted
	adopted  bool        // started by code outside control
	resident bool        // see Residents
	away     bool        // outside control, see environment.go
	drawn    uint64      // numbers, see Rand64
	locks    int         // that it has, as far as it is known, see takes
	took     bool        // its operation took one
	parked   bool        // has been waiting since before its bubble was last idle
	doubtful bool        // in x.doubtful: has to be looked at
	listed   bool        // in x.enabled
	ranging  bool        // is in a range over a channel, see serves
	followed bool        // its stack is kept, see Passing
	patience Patience    // of the timers that it sets now, see Guard1
	leaving  atomic.Bool // is being torn down; position is set if it was blocked
	touched  uint32      // its own entry at the last access that is remembered
	fate     atomic.Uint32
}

// running is the goroutine that has control, nil between executions. Functions
// like Do find their execution by this global variable.
var running atomic.Pointer[goroutine]

// current returns the calling goroutine if it is the one that has control. One
// that comes from outside control waits for it.
func current() *goroutine {
	g := running.Load()
	switch {
	case g == nil:
		return nil
	case !debug.SetPanicOnFault(true): // marked, written out: it is asked all the time
		return g.x.unmarked()
	case orphans.any.Load():
		return orphans.find(g)
	}
	return g
}

// Go starts a goroutine under control; a scheduling point.
func Go(f func()) { GoAt("", f) }

// GoAt is Go with the spawn site, "file.go:12", from which the names of
// goroutines are made.
func GoAt(site string, f func()) {
	g := current()
	if g == nil {
		strayed("go")
		go Early(f)()
		return
	}
	if f == nil {
		panic("go of nil func value")
	}
	if g.leaving.Load() {
		return
	}
	g.do(&Op{Kind: KindGo, What: "go"})
	g.enter()
	child := g.x.create(site, f)
	child.clock.join(g.clock)
	child.parent, child.time = g.id, g.time
	child.creator[0] = creatorAt(site, f)
	child.resident = g.resident || g.id == 0 && g.x.residents
	if g.id < 0 {
		child.parent = g.parent
	}
	if e := g.x.traced(g); e != nil {
		e.With = child.id
		child.spawnSite = where(0, deep, nil)
	}
	child.tick()
	child.join(g.bubble)
	g.tick()
	g.release()
}

// create adds a goroutine that is about to make its first step.
func (x *execution) create(site string, f func()) *goroutine {
	g := &goroutine{
		id: len(x.goroutines), x: x, body: f, site: site, done: -1, parent: -1,
		wake: make(chan struct{}, 1), time: &x.time.clock,
	}
	g.announce(&Op{Kind: KindStart, What: "start"})
	g.clock = make(Clock, g.id+1, g.id+4)
	g.ran = x.progress.rounds.now
	x.change()
	x.memory.joined = false
	x.goroutines = append(x.goroutines, g)
	x.alive = append(x.alive, g)
	x.grown()
	if x.by.recorder != nil {
		by := -1
		if creator := running.Load(); creator != nil {
			by = creator.id
		}
		x.by.recorder.Created(g.id, by)
	}
	return g
}

// tick begins a new epoch of g.
func (g *goroutine) tick() {
	if g.id >= 0 {
		for len(g.clock) <= g.id {
			g.clock = append(g.clock, 0)
		}
		g.clock[g.id]++
	}
}

// resume gives control to g, which the caller has made the running goroutine.
func (g *goroutine) resume() {
	if !g.started {
		g.started = true
		go g.main()
		return
	}
	g.wake <- struct{}{}
}

// park waits for control. When the execution has ended meanwhile it does not
// return: the goroutine runs its deferred calls and is gone.
func (g *goroutine) park() {
	<-g.wake
	if g.x.over {
		g.quit()
	}
}

// quit is the end of a goroutine that is torn down.
func (g *goroutine) quit() {
	if g.adopted { // nobody waits for its end
		runtime.Goexit()
	}
	if !g.leaving.Load() {
		g.withdraw()
		if len(g.x.blocked) > 0 {
			g.locate(deep) // for the report
		}
		g.leaving.Store(true)
	}
	runtime.Goexit()
}

// locate notes the position of g, which calls the caller.
func (g *goroutine) locate(frames int) { g.position = where(1, frames, g.position) }

// main is the body of the real goroutine.
func (g *goroutine) main() {
	mark()
	reserve(false)
	returned := false
	defer func() {
		value := recover()
		if !g.fate.CompareAndSwap(alive, gone) {
			forget()
			return
		}
		if !returned && value != nil {
			g.x.panicked(g, value)
		}
		g.x.ended(g)
	}()
	g.x.begin(g)
	g.body()
	returned = true
}

// reserve grows the stack of the calling goroutine, which has just begun, to the
// size that most need. Later, in the midst of calls, growing takes several times
// as long. For that its own frame, which it does not use, is large.
//
//go:noinline
func reserve(use bool) {
	if use {
		var room [6 << 10]byte
		fill(&room)
	}
}

//go:noinline
func fill(*[6 << 10]byte) {}

// scheduled reports whether g takes part in the schedule: it is not being torn
// down, and no timer's function.
func (g *goroutine) scheduled() bool { return g.id >= 0 && !g.leaving.Load() }

// enter and release enclose what g does to the execution's state in its own step.
func (g *goroutine) enter() {
	if g.scheduled() {
		g.x.enter(g)
	}
}

func (g *goroutine) release() {
	if g.scheduled() {
		g.x.release()
	}
}

// do is Do for the running goroutine.
func (g *goroutine) do(op *Op) {
	x := g.x
	if !g.scheduled() {
		g.unattended(op)
		return
	}
	x.enter(g)
	g.announce(op)
	if x.by.recorder != nil {
		x.by.recorder.Announced(g.id)
	}
	if g.followed || g.adopted && !x.options.Trace {
		g.locate(deep) // it will not be asked at the end
	} else if x.options.Trace {
		g.locate(shallow)
	}
	if next := x.decide(g); next != g {
		if next != nil {
			next.resume()
		} else {
			x.done <- g
		}
		g.park()
	}
	x.begin(g)
}

// unattended is an operation outside any schedule: in deferred calls during
// teardown and in the functions of timers.
func (g *goroutine) unattended(op *Op) {
	if g.id < 0 {
		return
	}
	g.left++
	if op.Enabled != nil && !op.Enabled() || g.left > maxLeft {
		g.quit()
	}
}

// maxLeft bounds the operations of one goroutine during teardown, so that a
// deferred call that loops until another goroutine acts ends.
const maxLeft = 10_000

// naming is how goroutines and objects are called.
type naming struct {
	named []string               // see names
	sites map[string]int         // goroutines so far, by where they are created
	keys  map[unsafe.Pointer]int // see Key
}

// names returns the names of the goroutines for people, by ID; they are the
// same in each execution with the same prefix.
func (x *execution) names() []string {
	if len(x.naming.named) == 0 {
		x.naming.named = append(x.naming.named, "main")
		x.naming.sites = map[string]int{}
	}
	for _, g := range x.goroutines[len(x.naming.named):] {
		site := g.site
		if site == "" {
			site = "go"
		}
		x.naming.sites[site]++
		x.naming.named = append(x.naming.named, site+"#"+strconv.Itoa(x.naming.sites[site]))
	}
	return x.naming.named
}

// name returns the name of g.
func (x *execution) name(g *goroutine) string { return x.names()[g.id] }

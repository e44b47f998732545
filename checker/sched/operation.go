package sched

import "unsafe"

// A Kind says what an operation does; with its object it decides which
// operations depend on each other.
type Kind uint8

// Kinds of operations.
const (
	KindStart   Kind = iota // first step of a goroutine
	KindGo                  // starts another goroutine
	KindAcquire             // of a lock, exclusively
	KindRelease
	KindRAcquire // of a lock, shared
	KindRRelease
	KindArrive // of a writer at a reader/writer lock: no new reader from here on
	KindSend
	KindRecv
	KindClose
	KindSelect
	KindLoad   // atomic read
	KindStore  // atomic write or read-modify-write
	KindAdd    // of a wait group's counter
	KindWait   // for a wait group, a condition, a Once
	KindSignal // of a condition
	KindSleep
	KindYield
	KindAccess // a plain access that was promoted to a scheduling point
	KindExit   // the end of a goroutine: only in traces, never chosen
	KindReturn // of control, by a goroutine that comes from outside
	KindClock  // reads the clock, as setting a timer does
	KindTimer  // stops a timer, or sets it anew
	KindTime   // the clock's own: a timer expires
	KindIdle   // waits until a bubble is durably blocked; this and what follows: see dependsInBubble
	KindFire   // a timer of a bubble fires
	KindCount  // counts the goroutines, which depends on whatever they do
	KindEvent  // passes an event of an order: this and what follows see TakeTurn
	KindGiveWay
)

var kindNames = [...]string{
	"start", "go", "acquire", "release", "racquire", "rrelease", "arrive",
	"send", "recv", "close", "select", "load", "store", "add", "wait",
	"signal", "sleep", "yield", "access", "exit", "return",
	"clock", "timer", "time", "idle", "fire", "count", "event", "giveway",
}

// String returns the kind in lower case, "acquire" for KindAcquire.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// An Object is what goroutines synchronise on. Shims embed one; the zero value
// is ready. State from an earlier execution counts as zero.
type Object struct {
	execution uint64  // the execution that the rest belongs to
	self      *Object // tells a copy from the original
	id        int32
	channel   bool // of a channel
	clock     Clock
	awaiting  []*goroutine // whose pending operation may depend on it
	period    int          // of looking in which it was last looked at, see lookAt
}

// Fresh reports whether the running execution meets the object for the first
// time. A shim asks before it looks at its own fields and sets them to zero if
// so, because what they hold comes from an earlier execution:
//
//	if m.object.Fresh() {
//		m.locked = false
//	}
//
// A copy made within an execution is not fresh (the copy of a locked mutex is
// locked) but is an object of its own. Outside control it is always false.
func (o *Object) Fresh() bool {
	g := current()
	if g == nil {
		return false
	}
	fresh := o.execution != g.x.serial
	g.x.meet(o)
	return fresh
}

// meet gives o its number in this execution.
func (x *execution) meet(o *Object) {
	if o.execution == x.serial && o.self == o {
		return
	}
	x.objects++
	o.execution, o.self, o.id, o.clock, o.awaiting = x.serial, o, x.objects, nil, nil
	o.period = -1
}

// An Op is what a goroutine is about to do.
type Op struct {
	Kind Kind
	Obj  *Object // nil: concerns the goroutine alone
	Read bool    // does not change Obj: independent of other reads
	// Durable says that only goroutines of the caller's bubble can enable it.
	// Channel operations and sleeps need not say it.
	Durable bool
	// Enabled reports whether the operation could be done now; nil: always. It
	// must change nothing, and read only what operations on Obj change. The
	// goroutine is not chosen while it returns false. It is called often, so a
	// shim makes it once and keeps it.
	Enabled func() bool
	What    string // for people: "mu.Lock"
	// As, Word and Size say more of what it does, see there.
	As   As
	Word unsafe.Pointer
	Size uintptr
}

// An As says in which way the order of operations on an object matters, for the strategies
// mcm and states. It is a finer account of what Kind and Obj say.
type As uint8

// Ways.
const (
	AsState     As = iota // what Op.Kind and Op.Obj say is all that is known
	AsLock                // Kind says what it does to a lock
	AsCounter             // adds Op.Size, which may stand for a negative int, to the int32 at Op.Word, or waits until that is 0
	AsWord                // reads the Op.Size bytes at Op.Word, and, unless Read, may write them
	AsWordStore           // writes them, whatever they were
	AsQueue               // waits in a queue, or wakes the first Op.Size that wait there, 0: all; Read: has been woken
)

// Do is a scheduling point: it announces an operation and returns when the
// strategy has chosen this goroutine and the operation is enabled. What the
// goroutine does until its next Do is one atomic step.
//
// It returns at once in an uncontrolled goroutine, and in the function of a Timer.
// In a goroutine that is being torn down it returns at once if the operation is
// enabled; if not, the goroutine ends by runtime.Goexit.
func Do(op Op) {
	g := current()
	if g == nil {
		strayed(op.What)
		return
	}
	g.do(&op)
}

// Active reports whether the calling code runs under control. Shims do the real
// operation otherwise.
//
// If an uncontrolled goroutine calls it while an execution runs, the execution
// becomes uncontrolled: that goroutine is about to do a real operation on
// something that goroutines under control may share.
func Active() bool {
	if current() != nil {
		return true
	}
	strayed("an operation")
	return false
}

// Leaving reports whether the calling goroutine is being torn down.
func Leaving() bool {
	g := current()
	return g != nil && g.leaving.Load()
}

// Yield is runtime.Gosched: a scheduling point at which the goroutine asks the
// strategy to be passed over.
func Yield() { Do(Op{Kind: KindYield, What: "yield"}) }

// Acquire and Release make the happens-before edges of the Go memory model:
// what came before a Release of an object comes before what follows a later
// Acquire. They are no scheduling points.
func Acquire(o *Object) {
	if g := current(); g != nil {
		g.x.meet(o)
		g.clock.join(o.clock)
		if g.pending.Obj == o {
			g.takes()
		}
		if e := g.x.traced(g); e != nil && e.Obj == o.id {
			e.Took = e.Kind == KindAcquire || e.Kind == KindRAcquire
		}
	}
}

// Release is described at Acquire.
func Release(o *Object) {
	if g := current(); g != nil {
		g.x.meet(o)
		o.clock.join(g.clock)
		g.tick()
	}
}

// Choose returns a number below n that is part of the schedule. It is no
// scheduling point. With n below 2, outside control and during teardown it is 0.
func Choose(n int) int {
	if g := current(); g != nil {
		g.enter()
		defer g.release()
		return g.x.choose(n)
	}
	return 0
}

// Scope is how far an operation reaches beyond its object.
type Scope uint8

// Scopes.
const (
	ScopeObject   Scope = iota // its object only
	ScopeChannels              // several channels: a select, or a send whose partner may be one
	ScopeGo                    // of the clock: starts a goroutine
	ScopeAll                   // of the clock: anything
)

// A Pending operation as a strategy sees it. It holds for the decision it is
// passed to: at the next one, Scope, Channels and Options of the same operation
// may differ.
type Pending struct {
	G     int // -1: the clock; else goroutine ID: 0 is the test, then in the order of creation, the same in each execution with the same prefix
	Kind  Kind
	Obj   int32 // 0: none; the same in each execution with the same prefix
	Read  bool
	Scope Scope
	// Channels has a bit, Obj modulo 64, for each channel the operation may
	// change; 0 if it is no operation on a channel.
	Channels uint64
	// Options is the number of ways in which the operation could be done now:
	// pairs of a case and a partner for channel operations, 1 for all others.
	// A goroutine that announces a receive adds to the options of a pending
	// send without any step on the channel. So a strategy that left out an
	// operation because an equivalent schedule was explored (sleep sets) must
	// consider it again once its Options have grown.
	Options int32
	// Meets reports that the goroutine now waits at an unbuffered channel, so
	// that others may meet it there: the step that led to this operation
	// depends on theirs.
	Meets bool
	// Early reports, of the clock's operation, that its moment is still to come.
	Early bool
	// Hit reports that the operation is where a change may matter, see Impact.
	Hit bool
	// Bubble is that of the goroutine, from 1; 0: none. Bubbles may share a number.
	Bubble uint8
}

// Index returns where the operation of g is in a list, -1 if it is not there.
func Index(pending []Pending, g int) int {
	for i := range pending {
		if pending[i].G == g {
			return i
		}
	}
	return -1
}

// Dependent reports whether the order of two operations of different goroutines
// can matter. It is conservative: operations it calls independent commute, and
// neither enables or disables the other.
func Dependent(a, b *Pending) bool {
	switch {
	case a.G == b.G:
		return true
	case a.Kind >= KindTime || b.Kind >= KindTime:
		return rarelyDependent(a, b)
	case a.Kind == KindGo && b.Kind == KindGo:
		return true // the order decides the IDs of the goroutines
	case a.Scope == ScopeChannels || b.Scope == ScopeChannels:
		return a.Channels&b.Channels != 0
	case a.Obj == 0 || a.Obj != b.Obj:
		return false
	}
	return !a.Read || !b.Read
}

// rarelyDependent is Dependent if one operation is of a kind from KindTime on.
func rarelyDependent(a, b *Pending) bool {
	switch {
	case a.Kind == KindCount || b.Kind == KindCount:
		return true
	case a.Kind >= KindEvent || b.Kind >= KindEvent:
		return a.takesTurn(b) || b.takesTurn(a)
	case a.Kind == KindTime:
		return b.timed(a)
	case b.Kind == KindTime:
		return a.timed(b)
	}
	return dependsInBubble(a, b)
}

// timed reports whether an operation depends on the clock's.
func (p *Pending) timed(clock *Pending) bool {
	switch {
	case clock.Scope == ScopeAll:
		return true
	case p.Kind == KindClock || p.Kind == KindTimer || p.Kind == KindTime:
		return true
	case (p.Kind == KindGo || p.Kind >= KindIdle) && clock.Scope == ScopeGo:
		return true // the order decides the IDs of the goroutines
	case p.Kind == KindSleep:
		return clock.Channels&sleeperBit(p.G) != 0
	}
	return clock.Channels&p.Channels != 0
}

// Communicates reports whether the kind is a communication or a close.
func (k Kind) Communicates() bool {
	return k == KindSend || k == KindRecv || k == KindClose || k == KindSelect
}

package sched

import (
	"math/bits"
	"strconv"
	"unsafe"
)

// Race detection with vector clocks. An access is known by its epoch
// (goroutine and its own clock entry, as in Flanagan and Freund, FastTrack,
// PLDI 2009, section 3). Where FastTrack keeps one write and one read epoch or
// a read vector for each variable, this keeps, for each aligned word of eight
// bytes, the accesses that no later one covers: there are no variables at this
// level, but fields and whole structs that overlap. An access covers an earlier
// one that happens before it, touches no byte outside, and is a read or is
// covered by a write: whoever races with the earlier one then races with the
// later one too. So of the pairs of racing accesses of an execution at least
// the first is found, and nothing else is.

// memory is what is known of the memory of an execution.
type memory struct {
	shadow    *shadow
	promotion *promotion // nil: none
	touches   recorder   // see record
	accesses  uint32     // so far, modulo 1<<32
	joined    bool       // all accesses so far happen before what the only goroutine does
	asked     int        // number of steps when that was found not to be so
	observed  bool       // plain accesses are promoted, recorded or watched
	measured  bool       // by the program, see ReadMemStats
}

// An access is one remembered access to a word.
type access struct {
	g     int32
	time  uint32 // the goroutine's entry of its own clock
	nth   uint32 // access of the execution
	bytes uint8  // which of the word
	site  uint8  // see promotion
	Mode
	at *spot // with Trace, see Options.Access
}

// A Mode says what an access does. Two atomic accesses do not race.
type Mode struct {
	Write, Atomic bool
	// For a Recorder: a write is sure if it leaves nothing of what was there, the address
	// of a map stands for the whole of it, and of what is unseen only races matter.
	// A late write has been made before it is told.
	Sure, Whole, Unseen, Late bool
}

// conflicts reports whether accesses in two modes race if nothing orders them.
func (m Mode) conflicts(n Mode) bool { return (m.Write || n.Write) && !(m.Atomic && n.Atomic) }

// covers reports whether all that conflicts with n conflicts with m.
func (m Mode) covers(n Mode) bool { return (m.Write || !n.Write) && (n.Atomic || !m.Atomic) }

// A spot is where and in which step of the trace an access was made.
type spot struct {
	position position
	step     int
}

// Read reports a plain read of size bytes at p to the race detector. It is no
// scheduling point. A race ends the execution. The memory is kept alive until
// the execution ends.
func Read(p unsafe.Pointer, size uintptr) { touch(p, size, Mode{}) }

// Write is Read for a plain write.
func Write(p unsafe.Pointer, size uintptr) { touch(p, size, Mode{Write: true}) }

// RaceRead is Read of memory whose value the program does not see.
func RaceRead(p unsafe.Pointer, size uintptr) { touch(p, size, Mode{Unseen: true}) }

// RaceWrite is RaceRead for a write.
func RaceWrite(p unsafe.Pointer, size uintptr) { touch(p, size, Mode{Write: true, Unseen: true}) }

// AtomicRead is Read for an access that may be made at the same time as atomic
// writes: that of an atomic operation, or of a lock to its own state. A shim
// reports it, besides the edges that it makes.
func AtomicRead(p unsafe.Pointer, size uintptr) { touch(p, size, Mode{Atomic: true}) }

// AtomicWrite is AtomicRead for a write.
func AtomicWrite(p unsafe.Pointer, size uintptr) { touch(p, size, Mode{Write: true, Atomic: true}) }

func touch(p unsafe.Pointer, size uintptr, how Mode) {
	g := current()
	if g == nil {
		strayed("a memory access")
		return
	}
	if !g.scheduled() || p == nil {
		return
	}
	x := g.x
	if x.memory.accesses++; x.memory.accesses%stopAccesses == 0 {
		g.interrupt()
	}
	if how.Write && !how.Atomic {
		x.change()
	}
	if x.by.recorder != nil {
		x.by.recorder.Accessed(g.id, p, size, how)
	}
	observed := x.memory.observed && !how.Atomic
	if observed && len(x.options.Watch) > 0 {
		g.watch(how.Write)
	}
	if len(x.alive) <= 1 && g.alone() {
		return
	}
	site := uint8(0)
	if observed {
		site = g.promote(how.Write)
		g.record(p, how.Write)
	}
	g.touched = g.clock.at(g.id)
	from, to := uintptr(p), uintptr(p)+size
	if size == 8 && from%8 == 0 { // as most are
		g.touch(p, from, 0xff, site, how)
		return
	}
	for a := from &^ 7; a < to; a += 8 {
		mask := uint8(0xff)
		if a < from {
			mask <<= from - a
		}
		if rest := to - a; rest < 8 {
			mask &= 0xff >> (8 - rest)
		}
		g.touch(p, a, mask, site, how)
	}
}

// stopAccesses is how many accesses pass between two questions to Options.Stop in the
// midst of a step: some hundredths of a second.
const stopAccesses = 1 << 18

// interrupt ends the execution in the midst of a step if Options.Stop wants that.
func (g *goroutine) interrupt() {
	x := g.x
	if stop := x.options.Stop; stop == nil || !stop() {
		return
	}
	x.enter(g)
	x.result.Abandoned, x.result.Stopped = true, true
	x.over = true
	x.done <- g
	g.park()
}

// touch checks and remembers an access to bytes of the word at address a. The time of
// g is in g.touched.
func (g *goroutine) touch(p unsafe.Pointer, a uintptr, bytes, site uint8, how Mode) {
	w := g.x.memory.shadow.find(a, p)
	now := access{g: int32(g.id), time: g.touched, nth: g.x.memory.accesses, bytes: bytes, site: site, Mode: how}
	kept := 0
	for i := range w.accesses {
		old := &w.accesses[i]
		before := old.g == now.g
		if before {
			if old.time == now.time && old.site == site && old.bytes&bytes == bytes && old.covers(how) {
				return // nothing new; the first ones may be there twice, without harm
			}
		} else if before = old.time <= g.clock.at(int(old.g)); !before && old.bytes&bytes != 0 &&
			old.conflicts(how) && !g.x.memory.promotion.expected(old.site, site) {
			g.race(old, &now, a)
			return
		}
		if !(before && old.bytes&^bytes == 0 && how.covers(old.Mode)) {
			if kept < i {
				w.accesses[kept] = *old
			}
			kept++
		}
	}
	if o := &g.x.options; o.Trace && (o.Access == 0 || o.Access == now.nth) {
		now.at = &spot{where(2, deep, nil), g.last}
	}
	w.accesses = append(w.accesses[:kept], now)
}

// race ends the execution with the race of the access now with an old one.
func (g *goroutine) race(old, now *access, a uintptr) {
	x := g.x
	g.locate(deep)
	other := x.goroutines[old.g]
	places := []Place{{Goroutine: x.name(other), What: old.verb(), Created: other.spawnSite.frames()}, x.place(g, now.verb())}
	if at := old.at; at != nil {
		places[0].Step, places[0].Stack = at.step, at.position.frames()
		places[0].locate(at.position)
	}
	first := uintptr(bits.TrailingZeros8(old.bytes & now.bytes))
	f := &Failure{Kind: Race, Places: places, Access: old.nth}
	f.Message = "data race at address 0x" + strconv.FormatUint(uint64(a+first), 16) +
		":\n\t" + places[0].String() + "\n\t" + places[1].String()
	g.stop(f)
}

func (m Mode) verb() string {
	verb := "read"
	if m.Write {
		verb = "write"
	}
	if m.Atomic {
		return "atomic " + verb
	}
	return verb
}

// alone reports whether g need not remember its accesses: no other goroutine is
// there, all that others did happens before what g does, and whoever comes will
// come after. So a test without goroutines costs little, whatever it does.
func (g *goroutine) alone() bool {
	x := g.x
	if len(x.alive) > 1 || g.time != &x.time.clock || len(x.time.clock.timers.heap) > 0 {
		return false // what a timer starts comes only after the timer was set
	}
	if !x.memory.joined && x.memory.asked != x.result.Steps {
		x.memory.asked, x.memory.joined = x.result.Steps, true
		for _, other := range x.goroutines {
			if other.touched > g.clock.at(other.id) {
				x.memory.joined = false
			}
		}
		if x.memory.joined {
			x.memory.shadow.reset()
		}
	}
	return x.memory.joined
}

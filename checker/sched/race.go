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

// An access is one remembered access to a word.
type access struct {
	g     int32
	time  uint32 // the goroutine's entry of its own clock
	nth   uint32 // access of the execution
	bytes uint8  // which of the word
	write bool
	at    *spot // with Trace, see Options.Access
}

// A spot is where and in which step of the trace an access was made.
type spot struct {
	position position
	step     int
}

// Read reports a plain read of size bytes at p to the race detector. It is no
// scheduling point. A race ends the execution. The memory is kept alive until
// the execution ends.
func Read(p unsafe.Pointer, size uintptr) { touch(p, size, false) }

// Write is Read for a plain write.
func Write(p unsafe.Pointer, size uintptr) { touch(p, size, true) }

func touch(p unsafe.Pointer, size uintptr, write bool) {
	g := current()
	if g == nil {
		strayed("a memory access")
		return
	}
	if !g.scheduled() || p == nil {
		return
	}
	g.x.accesses++
	if write {
		g.x.change()
	}
	if len(g.x.options.Watch) > 0 {
		g.watch(write)
	}
	from, to := uintptr(p), uintptr(p)+size
	for a := from &^ 7; a < to; a += 8 {
		mask := uint8(0xff)
		if a < from {
			mask <<= from - a
		}
		if rest := to - a; rest < 8 {
			mask &= 0xff >> (8 - rest)
		}
		g.touch(p, a, mask, write)
	}
}

// touch checks and remembers an access to bytes of the word at address a.
func (g *goroutine) touch(p unsafe.Pointer, a uintptr, bytes uint8, write bool) {
	w := g.x.shadow.find(a, p)
	now := access{g: int32(g.id), time: g.clock.at(g.id), nth: g.x.accesses, bytes: bytes, write: write}
	kept := 0
	for i := range w.accesses {
		old := &w.accesses[i]
		own := old.g == now.g
		if own && old.time == now.time && old.bytes&bytes == bytes && (old.write || !write) {
			return // nothing new; the first ones may be there twice, without harm
		}
		before := own || old.time <= g.clock.at(int(old.g))
		if !before && old.bytes&bytes != 0 && (old.write || write) {
			g.race(old, &now, a)
			return
		}
		if !(before && old.bytes&^bytes == 0 && (write || !old.write)) {
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

func (a *access) verb() string {
	if a.write {
		return "write"
	}
	return "read"
}

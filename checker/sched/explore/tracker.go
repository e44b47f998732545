package explore

import (
	"slices"
	"unsafe"

	"mendel/checker/sched"
	"mendel/checker/sched/causal"
)

// A tracker records an execution for package causal: what each goroutine sees and
// writes. Memory is looked at directly: when it is read, and at the end of a step that
// writes it.
//
// Values that could be addresses differ from one execution to the next although they
// mean the same. For them, and for the state of objects whose operations are not known in
// detail, stands the history of the goroutine that wrote them last, which determines them.
type tracker struct {
	explorer *causal.Explorer
	view     sched.View
	t        causal.Trace
	gs       []tracked // by ID
	chosen   bool      // the next part begins a step
	objects  map[int32]int
	memory   map[uintptr][]region // by word
	now      []content            // by location

	book     *book         // nil: states are not wanted, but what package causal needs
	namer    int           // with book: the goroutine that is about to meet something
	spots    *spots        // nil: none are wanted
	cases    []int         // of a select from which is being chosen
	partners []sched.Offer // likewise
	running  int           // the goroutine that is doing a part, -1: none
}

// A tracked is what is known of a goroutine.
type tracked struct {
	before   uint64 // history before the part that it does, or did last
	history  uint64 // so far
	open     bool   // it is doing a part
	step     int    // of the part
	part     int
	void     bool // the part is not to be kept
	children int
	op       causal.Op
	counter  *int32 // of the part
	full     uint64 // with book: history with what it has forgotten
	since    uint64 // with book: what it has met since its history was another
	own      []ownAccess
	owns     map[int]int // by location: index in own, if there are many
	touches  map[causal.Touch]bool
}

// A region is a part of a word that is a location.
type region struct {
	bytes uint8
	loc   int
	keep  unsafe.Pointer
}

// A content is what a location has now.
type content struct {
	value uint64
	raw   uint64
	p     unsafe.Pointer // the word, nil: no memory
	bytes uint8
	whole bool // a map: the address stands for all of it
	flag  bool // of an unbuffered channel: 1 once it is closed
}

// An ownAccess is what a part did to a location.
type ownAccess struct {
	loc     int
	seen    bool // what was there before
	written bool
	at      causal.Spot // of the last write
}

// Values that are no values of the program.
const (
	unknownOrigin = 0x1417
	mainName      = 0x4d41494e
)

// addressLike is what a pointer may be, on all systems: no small number, and no more than
// 48 bits.
func addressLike(v uint64) bool { return v >= 4096 && v < 1<<48 }

// pointerLike is what is hardly a number. Only predictions of nil ask.
func pointerLike(v uint64) bool { return v >= 1<<20 && v < 1<<48 }

func (t *tracker) name(g int) uint64 {
	if g < 0 || g >= len(t.gs) {
		return 0
	}
	return t.t.Goroutines[g].Name
}

// View implements [sched.Viewer].
func (t *tracker) View(v sched.View) { t.view, t.running = v, -1 }

// doing reports whether a goroutine is doing a part.
func (t *tracker) doing(g int) bool { return g >= 0 && g < len(t.gs) && t.gs[g].open }

// Created implements [sched.Recorder].
func (t *tracker) Created(g, by int) {
	c := causal.Goroutine{Name: mainName, Born: causal.None}
	if g > 0 {
		if !t.doing(by) {
			t.explorer.Break("a goroutine was started by none under control")
		} else {
			parent := &t.gs[by]
			parent.children++
			c.Name = causal.Mix(causal.Mix(parent.history, 0x474f), uint64(parent.children))
			c.Born = parent.step
		}
	}
	t.t.Goroutines = append(t.t.Goroutines, c)
	t.gs = append(t.gs, tracked{before: c.Name, history: c.Name, full: c.Name, step: causal.None})
	t.Announced(g)
}

// Announced implements [sched.Recorder]. The part that g did has ended.
func (t *tracker) Announced(g int) {
	t.close(g)
	k := &t.gs[g]
	k.op = t.describe(g)
	k.op.At = t.spots.here()
	op := k.op
	t.t.Goroutines[g].Next = &op
}

// Ended implements [sched.Recorder].
func (t *tracker) Ended(g int) {
	t.close(g)
	t.t.Goroutines[g].Next = nil
}

// Cases implements [sched.Recorder].
func (t *tracker) Cases(ready []int) { t.cases = ready }

// Partners implements [sched.Recorder].
func (t *tracker) Partners(waiting []sched.Offer) { t.partners = waiting }

// Began implements [sched.Recorder].
func (t *tracker) Began(g int) {
	if g < 0 || g >= len(t.gs) {
		t.explorer.Break("a goroutine came from outside control")
		return
	}
	k := &t.gs[g]
	if t.chosen {
		t.t.Steps = append(t.t.Steps, causal.Step{})
		t.chosen = false
	}
	k.step = len(t.t.Steps) - 1
	s := &t.t.Steps[k.step]
	k.part = len(s.Parts)
	k.before = k.history
	k.history = causal.Begin(k.history)
	k.full, k.since = causal.Begin(k.full), 0
	k.open, k.void, k.own, k.owns, k.touches = true, false, k.own[:0], nil, nil
	t.running = g
	s.Parts = append(s.Parts, causal.Part{G: g, Op: k.op, Case: causal.None, Chain: []uint64{k.history}})
	t.operate(g)
}

func (t *tracker) partOf(g int) *causal.Part {
	k := &t.gs[g]
	return &t.t.Steps[k.step].Parts[k.part]
}

// see notes that g sees something.
func (t *tracker) see(g int, v causal.Seen) {
	k, p := &t.gs[g], t.partOf(g)
	k.history = causal.Mix(k.history, v.Value)
	k.full, k.since = causal.Mix(k.full, v.Value), 0
	p.Seen = append(p.Seen, v)
	p.Chain = append(p.Chain, k.history)
}

// number notes a number that was chosen.
func (t *tracker) number(v, n int) {
	if !t.doing(t.running) {
		t.explorer.Break("a number was chosen outside of any step")
		return
	}
	if n > manyNumbers {
		t.explorer.Break("the program uses random numbers")
	}
	t.see(t.running, causal.Seen{Loc: causal.None, Value: uint64(v), Of: n})
}

// manyNumbers is of how many numbers each is tried. Guessed.
const manyNumbers = 64

// operate notes what an operation does by itself when it is done.
func (t *tracker) operate(g int) {
	p := t.partOf(g)
	op := t.view.Op(g)
	loc := p.Op.Loc
	if op.As == sched.AsWordStore {
		t.wrote(g, t.wordOf(op), p.Op.At)
	}
	if loc == causal.None || len(p.Op.Cases) > 0 || p.Op.Default {
		return
	}
	if t.book != nil && t.follows(g, loc) {
		return
	}
	switch p.Op.Do {
	case causal.Lock, causal.TryLock, causal.Unlock:
		if t.t.Locations[loc].Kind == causal.Mutex {
			t.see(g, causal.Seen{Loc: loc, Value: t.now[loc].value, ByLock: p.Op.Do != causal.TryLock})
			t.wrote(g, loc, 0)
		}
	case causal.Add:
		t.gs[g].counter = (*int32)(op.Word)
		p.Delta = -int(*(*int32)(op.Word)) // the rest when the part ends
	case causal.WaitZero:
		if t.book != nil && op.Enabled == nil { // it only looks
			t.see(g, causal.Seen{Loc: loc, Value: uint64(min(uint32(*(*int32)(op.Word)), 1))})
		}
		t.gs[g].void = t.book == nil && op.Enabled == nil && *(*int32)(op.Word) != 0
	case causal.Other:
		switch op.As {
		case sched.AsWord:
			t.read(g, loc, p.Op.At)
			if !op.Read {
				t.wrote(g, loc, p.Op.At)
			}
		default:
			t.see(g, causal.Seen{Loc: loc, Value: t.now[loc].value})
			if !op.Read {
				t.wrote(g, loc, 0)
			}
		}
	}
}

// does returns what a goroutine's part has done to a location, nil: nothing. It makes room
// for it if that is wanted.
func (t *tracker) does(g, loc int, add bool) *ownAccess {
	k := &t.gs[g]
	if k.owns != nil {
		if i, ok := k.owns[loc]; ok {
			return &k.own[i]
		}
	} else {
		for i := range k.own {
			if k.own[i].loc == loc {
				return &k.own[i]
			}
		}
	}
	if !add {
		return nil
	}
	k.own = append(k.own, ownAccess{loc: loc})
	if k.owns != nil {
		k.owns[loc] = len(k.own) - 1
	} else if len(k.own) > fewAccesses {
		k.owns = map[int]int{}
		for i, a := range k.own {
			k.owns[a.loc] = i
		}
	}
	return &k.own[len(k.own)-1]
}

// fewAccesses are searched faster than a map is asked. Guessed.
const fewAccesses = 16

// wrote notes that a goroutine's part writes to a location.
func (t *tracker) wrote(g, loc int, at causal.Spot) {
	a := t.does(g, loc, true)
	a.written, a.at = true, at
}

// close ends the part of g, if it is doing one: what it wrote is there now.
func (t *tracker) close(g int) {
	k := &t.gs[g]
	if !k.open {
		return
	}
	k.open = false
	p := t.partOf(g)
	if k.void {
		k.history = k.before
		s := &t.t.Steps[k.step]
		if len(s.Parts) != 1 || k.step != len(t.t.Steps)-1 {
			t.explorer.Break("a wait that did nothing was part of something else")
			return
		}
		t.t.Steps = t.t.Steps[:k.step]
		return
	}
	if p.Op.Do == causal.Add {
		p.Delta += int(*k.counter)
		t.set(p.Op.Loc, t.now[p.Op.Loc].value+uint64(p.Delta))
	}
	t.leave(g)
}

// leave has what a goroutine's part has written so far be there.
func (t *tracker) leave(g int) {
	k, p := &t.gs[g], t.partOf(g)
	origin := k.history
	if t.book != nil {
		origin = k.full
	}
	n := uint64(0)
	for _, a := range k.own {
		if !a.written {
			continue
		}
		n++
		if v, ok := t.left(p, a, causal.Mix(origin, n)); ok {
			p.Put = append(p.Put, causal.Put{Loc: a.loc, Value: v, At: a.at})
		}
	}
}

// left returns the value that a part has left at a location; origin is what stands for
// it if it is none to be told. It is false if nothing has changed that the part saw.
func (t *tracker) left(p *causal.Part, a ownAccess, origin uint64) (uint64, bool) {
	loc := a.loc
	c := &t.now[loc]
	switch {
	case t.t.Locations[loc].Kind == causal.Mutex && p.Op.Loc == loc && p.Op.Do != causal.Other:
		v := uint64(1)
		if p.Op.Do == causal.Unlock {
			v = 0
		}
		if v == c.value && p.Op.Do == causal.TryLock {
			return 0, false
		}
		t.set(loc, v)
		return v, true
	case c.flag:
		t.set(loc, 1)
		return 1, true
	case c.p == nil || c.whole:
		t.set(loc, origin)
		return origin, true
	}
	raw := contentOf(c.p, c.bytes)
	if raw == c.raw && a.seen {
		return 0, false // it is as it was seen
	}
	c.raw = raw
	if c.bytes == 0xff && addressLike(raw) {
		t.set(loc, origin)
	} else {
		t.set(loc, raw)
	}
	return c.value, true
}

// contentOf returns the bytes of a word, the others 0.
func contentOf(word unsafe.Pointer, bytes uint8) (v uint64) {
	if bytes == 0xff {
		return *(*uint64)(word)
	}
	for i := range 8 {
		if bytes>>i&1 != 0 {
			v |= uint64(*(*uint8)(unsafe.Add(word, i))) << (8 * i)
		}
	}
	return v
}

// read notes that g sees the memory of a location, unless it has seen or written it in
// the same part.
func (t *tracker) read(g, loc int, at causal.Spot) {
	if t.does(g, loc, false) != nil {
		return
	}
	t.does(g, loc, true).seen = true
	c := &t.now[loc]
	if c.p != nil && !c.whole && contentOf(c.p, c.bytes) != c.raw {
		t.explorer.Break("memory changes in a way that is not seen")
	}
	t.see(g, causal.Seen{Loc: loc, Value: c.value, Pointer: c.p != nil && !c.whole && c.bytes == 0xff && pointerLike(c.raw), At: at})
}

// Accessed implements [sched.Recorder].
func (t *tracker) Accessed(g int, p unsafe.Pointer, size uintptr, how sched.Mode) {
	if !t.doing(g) {
		t.explorer.Break("memory was used outside of any step")
		return
	}
	at := t.spots.here()
	t.namer = g
	from, to := uintptr(p), uintptr(p)+size
	for a := from &^ 7; a < to; a += 8 {
		mask := uint8(0xff)
		if a < from {
			mask <<= from - a
		}
		if rest := to - a; rest < 8 {
			mask &= 0xff >> (8 - rest)
		}
		t.wordName(a)
		t.touched(g, causal.Touch{Word: a, Bytes: mask, Write: how.Write, Atomic: how.Atomic, Counter: how.Unseen, At: at})
		if how.Atomic || how.Unseen {
			continue
		}
		word := unsafe.Add(p, int(a)-int(from))
		for _, loc := range t.locationsOf(word, a, mask, how) {
			part := how
			part.Sure = how.Sure && t.now[loc].bytes&^mask == 0
			t.touch(g, loc, part, at)
		}
	}
}

// touched notes a touch once.
func (t *tracker) touched(g int, touch causal.Touch) {
	k, p := &t.gs[g], t.partOf(g)
	switch {
	case k.touches != nil && k.touches[touch], k.touches == nil && slices.Contains(p.Touches, touch):
		return
	case k.touches != nil:
		k.touches[touch] = true
	case len(p.Touches) == fewAccesses:
		k.touches = map[causal.Touch]bool{touch: true}
		for _, other := range p.Touches {
			k.touches[other] = true
		}
	}
	p.Touches = append(p.Touches, touch)
	if len(p.Touches) == muchMemory {
		t.explorer.Break("a step uses much memory")
	}
}

// muchMemory is how many words a step may use. Guessed: in more there is what is sent or
// computed, not what tells goroutines of each other.
const muchMemory = 1 << 14

func (t *tracker) touch(g, loc int, how sched.Mode, at causal.Spot) {
	if !how.Write || !how.Sure {
		t.read(g, loc, at)
	}
	if how.Write {
		t.wrote(g, loc, at)
	}
}

// locationsOf returns the locations of bytes of a word.
func (t *tracker) locationsOf(word unsafe.Pointer, address uintptr, bytes uint8, how sched.Mode) (all []int) {
	if t.memory == nil {
		t.memory = map[uintptr][]region{}
	}
	covered := uint8(0)
	for _, r := range t.memory[address] {
		switch {
		case r.bytes&bytes == 0:
		case r.bytes&^bytes != 0 && t.book == nil || t.now[r.loc].whole != how.Whole:
			t.explorer.Break("memory is read or written in parts of different sizes")
			return nil
		default:
			covered |= r.bytes
			all = append(all, r.loc)
		}
	}
	if rest := bytes &^ covered; rest != 0 {
		loc := t.location(causal.Register, t.initial(word, rest, how))
		t.named(loc, causal.Mix(t.wordName(address), uint64(rest)))
		t.t.Locations[loc].Shared = true
		t.memory[address] = append(t.memory[address], region{rest, loc, word})
		all = append(all, loc)
	}
	return all
}

// initial is what memory has that is met for the first time.
func (t *tracker) initial(word unsafe.Pointer, bytes uint8, how sched.Mode) content {
	c := content{p: word, bytes: bytes, whole: how.Whole, value: unknownOrigin}
	if !how.Whole {
		c.raw = contentOf(word, bytes)
		switch {
		case how.Late: // that was there is not known: who could see it shows something new
			c.value = causal.Mix(unknownOrigin, uint64(len(t.now)))
		case bytes != 0xff || !addressLike(c.raw):
			c.value = c.raw
		}
	}
	return c
}

// location makes a location.
func (t *tracker) location(kind causal.LocationKind, c content) int {
	t.t.Locations = append(t.t.Locations, causal.Location{Kind: kind, Initial: c.value})
	t.now = append(t.now, c)
	return len(t.now) - 1
}

// trace returns the trace of the execution, which has ended. A step in which it failed is
// left out.
func (t *tracker) trace() *causal.Trace {
	r := new(causal.Trace)
	*r = t.t
	last := len(r.Steps) - 1
	failed := false
	for i := range t.gs {
		failed = failed || t.gs[i].open
	}
	if !failed || last < 0 {
		return r
	}
	for i := range r.Steps[last].Parts {
		p := &r.Steps[last].Parts[i]
		op := p.Op
		r.Goroutines[p.G].Next = &op
	}
	r.Steps = r.Steps[:last]
	for n := len(r.Goroutines); n > 0 && r.Goroutines[n-1].Born == last; n-- {
		r.Goroutines = r.Goroutines[:n-1]
	}
	return r
}

package interleave

import (
	"encoding/binary"
	"slices"

	"mendel/interleave/hook"
)

const (
	// Window is the vulnerability window: the most events between two ends of a
	// compound iRoot in one goroutine, accesses to other locations included. The
	// paper counts 1000 instructions, of which events are few. Guessed.
	Window = 32
	// Goroutines of a run are told apart up to this number; what further ones do is
	// left out.
	Goroutines = 256
	// variants of one access by one goroutine, which differ in what happens before them
	// or in the locks held, are kept up to this number. Guessed.
	variants = 16
)

// A section is a critical section that is under way.
type section struct {
	lock uint64
	read bool
	seq  int // numbers the sections of a run
}

// A guard is what one section says of an access.
type guard struct {
	section
	first, last bool // of the accesses to the location in this section
}

// An access is one event that can be an end.
type access struct {
	g      int
	end    End
	closed bool // a receive that found the channel closed
	object uint64
	// capacity is that of the channel.
	capacity uint64
	order    int // position among the goroutine's accesses
	guards   []guard
	now      clock
	class    int // of accesses that are alike; -1: too many variants
	next     int // order of the goroutine's next access to the object; beyond all orders if there is none
	prev     int // of the one before; -1

	// Of the class, in its representative: the clock of the goroutine's access to the
	// object before the first of the class, and that after the last; nil: there is none.
	since, until clock
}

// A history is a run as its accesses.
type history struct {
	all     []access
	classes []*access         // a representative of each class
	of      map[int][]int     // accesses by goroutine, in program order
	sends   map[uint64]uint64 // by channel
	lost    bool              // something was left out
}

// exclude reports whether two sections cannot be under way at the same time.
func exclude(a, b section) bool { return a.lock == b.lock && !(a.read && b.read) }

// newHistory finds the accesses of a run, with clocks, guards and classes.
func newHistory(events []hook.Event) *history {
	h := &history{of: map[int][]int{}, sends: map[uint64]uint64{}}
	goroutine := map[uint64]int{}
	var kept []hook.Event
	for _, e := range events {
		if _, known := goroutine[e.G]; !known {
			if len(goroutine) == Goroutines {
				h.lost = true
				continue
			}
			goroutine[e.G] = len(goroutine)
		}
		kept = append(kept, e)
	}
	c, s := newClocks(kept, goroutine), newSections(len(goroutine))
	for _, e := range kept {
		g := goroutine[e.G]
		c.before(g, e)
		s.before(g, e)
		if isAccess(e.Kind) {
			h.of[g] = append(h.of[g], len(h.all))
			h.all = append(h.all, access{
				g: g, end: End{e.Site, normal(e.Kind)}, closed: e.Kind == hook.ReceiveClosed, object: e.Object, capacity: e.Arg,
				order: len(h.of[g]) - 1, guards: s.guards(g, e.Object), now: c.now[g],
			})
		}
		if e.Kind == hook.Send {
			h.sends[e.Object]++
		}
		s.after(g, e)
		c.after(g, e)
	}
	h.link()
	h.classify()
	return h
}

// link finds the neighbours of accesses, and which are the first and the last of a section.
func (h *history) link() {
	type key struct {
		g      int
		object uint64
	}
	last := map[key]int{} // index of the access before
	for i := range h.all {
		a := &h.all[i]
		a.prev, a.next = -1, len(h.all)
		for j := range a.guards {
			a.guards[j].first, a.guards[j].last = true, true
		}
		k := key{a.g, a.object}
		if p, ok := last[k]; ok {
			before := &h.all[p]
			a.prev, before.next = before.order, a.order
			for j := range a.guards {
				for l := range before.guards {
					if before.guards[l].seq == a.guards[j].seq {
						a.guards[j].first, before.guards[l].last = false, false
					}
				}
			}
		}
		last[k] = i
	}
}

// classify gives alike accesses one class: the paper's condensing. Alike are
// accesses of one goroutine at one place to one location with equal clocks and
// guards; in which section they are does not matter to them.
func (h *history) classify() {
	type key struct {
		g      int
		end    End
		object uint64
	}
	ids := map[string]int{}
	count := map[key]int{}
	for i := range h.all {
		a := &h.all[i]
		text := a.text()
		id, known := ids[text]
		k := key{a.g, a.end, a.object}
		switch {
		case known:
		case count[k] == variants:
			id, h.lost = -1, true
		default:
			count[k]++
			id = len(h.classes)
			h.classes = append(h.classes, a)
		}
		if id >= 0 {
			ids[text] = id
		}
		a.class = id
		if id < 0 {
			continue
		}
		c := h.classes[id]
		if c == a && a.prev >= 0 {
			c.since = h.all[h.of[a.g][a.prev]].now
		}
		if c.until = nil; a.next < len(h.of[a.g]) {
			c.until = h.all[h.of[a.g][a.next]].now
		}
	}
}

// text is the same for accesses that are alike.
func (a *access) text() string {
	b := binary.AppendUvarint(nil, uint64(a.g))
	b = binary.AppendUvarint(b, uint64(a.end.Site)<<8|uint64(a.end.Kind))
	b = binary.AppendUvarint(b, a.object)
	for _, n := range a.now {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, g := range a.guards {
		b = binary.AppendUvarint(b, g.lock)
		b = append(b, bit(g.read)|bit(g.first)<<1|bit(g.last)<<2)
	}
	return string(b)
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// earlier reports whether a happens before b, in another goroutine.
func earlier(a, b *access) bool { return a.now[a.g] <= b.now[a.g] }

// sections follow who holds which locks.
type sections struct {
	held [][]section // by goroutine, sorted by lock
	seq  int
}

func newSections(goroutines int) *sections { return &sections{held: make([][]section, goroutines)} }

// guards are the sections of a goroutine, but for those of a lock that is itself
// the location.
func (s *sections) guards(g int, object uint64) []guard {
	var list []guard
	for _, h := range s.held[g] {
		if h.lock != object {
			list = append(list, guard{section: h})
		}
	}
	return list
}

// before ends the section that an unlock ends: it is no part of it. A lock may be
// released by another goroutine than that which took it.
func (s *sections) before(g int, e hook.Event) {
	if e.Kind != hook.Unlock && e.Kind != hook.RUnlock {
		return
	}
	read := e.Kind == hook.RUnlock
	if s.drop(g, e.Object, read) {
		return
	}
	for other := range s.held {
		if s.drop(other, e.Object, read) {
			return
		}
	}
}

func (s *sections) drop(g int, lock uint64, read bool) bool {
	i := slices.IndexFunc(s.held[g], func(h section) bool { return h.lock == lock && h.read == read })
	if i >= 0 {
		s.held[g] = slices.Delete(slices.Clone(s.held[g]), i, i+1)
	}
	return i >= 0
}

// after begins the section that a lock begins. Nobody else is in a section then
// that excludes it, whatever was seen of its end.
func (s *sections) after(g int, e hook.Event) {
	if e.Kind != hook.Lock && e.Kind != hook.RLock {
		return
	}
	s.seq++
	begun := section{e.Object, e.Kind == hook.RLock, s.seq}
	for other := range s.held {
		s.held[other] = slices.DeleteFunc(slices.Clone(s.held[other]), func(h section) bool { return exclude(h, begun) })
	}
	s.held[g] = append(s.held[g], begun)
	slices.SortFunc(s.held[g], func(a, b section) int {
		if a.lock != b.lock {
			if a.lock < b.lock {
				return -1
			}
			return 1
		}
		return a.seq - b.seq
	})
}

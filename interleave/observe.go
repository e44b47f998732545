package interleave

import "mendel/interleave/hook"

// Observe returns the iRoots that a run exposed, in the order that was recorded.
func Observe(t Trace) Set {
	h := newHistory(t.Events)
	o := &observer{history: h, set: Set{}}
	for _, d := range h.dependencies() {
		o.add(1, d.from, d.to)
		o.deps = append(o.deps, d)
	}
	o.compound()
	return o.set
}

// A dependency is one that came about.
type dependency struct{ from, to *access }

// An observer finds what one run exposed.
type observer struct {
	*history
	set  Set
	deps []dependency
}

// dependencies are those between accesses with no other access to the location
// between them. A receive depends on the send whose value it receives, or on the
// close; so does whatever comes after a close.
func (h *history) dependencies() []dependency {
	var found []dependency
	last := map[uint64]*access{}
	sends, received, closed := map[uint64][]*access{}, map[uint64]int{}, map[uint64]*access{}
	for i := range h.all {
		b := &h.all[i]
		a := last[b.object]
		last[b.object] = b
		switch b.end.Kind {
		case hook.Send:
			sends[b.object] = append(sends[b.object], b)
			a = closed[b.object]
		case hook.Receive:
			if b.closed {
				a = closed[b.object]
			} else {
				n := received[b.object]
				received[b.object]++
				if n >= len(sends[b.object]) {
					continue // of a send that was not seen
				}
				a = sends[b.object][n]
			}
		case hook.Close:
			a = closed[b.object]
			closed[b.object] = b
		}
		if a != nil && a.g != b.g && depends(a.end.Kind, b.end.Kind) {
			found = append(found, dependency{a, b})
		}
	}
	return found
}

// compound finds two dependencies that make an idiom.
func (o *observer) compound() {
	type key struct{ g, order int }
	leaving := map[key][]dependency{} // by their first end
	for _, d := range o.deps {
		k := key{d.from.g, d.from.order}
		leaving[k] = append(leaving[k], d)
	}
	for _, first := range o.deps {
		a, b := first.from, first.to
		for n := max(b.order-Window, 0); n <= b.order+Window; n++ {
			for _, second := range leaving[key{b.g, n}] {
				if second.to.g == a.g {
					o.thereAndBack(a, b, second.from, second.to)
				}
			}
		}
		for n := a.order + 1; n <= a.order+Window; n++ {
			for _, second := range leaving[key{a.g, n}] {
				c, d := second.from, second.to
				if d.g == b.g && within(b, d) && c.object != a.object {
					o.add(6, a, b, c, d)
				}
			}
		}
	}
}

// within reports whether a comes before b in their goroutine, within the window.
func within(a, b *access) bool { return a.order < b.order && b.order <= a.order+Window }

// thereAndBack are dependencies a => b and c => d between two goroutines, the
// second one in the other direction.
func (o *observer) thereAndBack(a, b, c, d *access) {
	if !within(a, d) || !tight(a, d) {
		return
	}
	switch {
	case b == c && a.object == d.object:
		o.add(2, a, b, d)
	case within(b, c) && a.object == d.object:
		o.add(3, a, b, c, d)
	case within(b, c):
		o.add(4, a, b, c, d)
	case within(c, b) && a.object != d.object && tight(c, b):
		o.add(5, a, b, c, d)
	}
}

func (o *observer) add(idiom int, ends ...*access) {
	o.set[rootOf(idiom, ends...)] = true
}

package locks

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
)

// Mixed reports whether a function that is entered without a lock may return with it and
// without it, and its result does not tell which.
func (m *View) Mixed(fn *program.Func, l naming.Lock) bool {
	held, free := make(map[flag]bool), make(map[flag]bool)
	for o := range m.summary(m.frame(fn, l), entry{}).outs {
		if o.entry == (entry{}) {
			free[o.flag] = true
		} else {
			held[o.flag] = true
		}
	}
	return slices.ContainsFunc(slices.Collect(maps.Keys(held)), func(f flag) bool { return free[f] })
}

// A summary is what a call of a function makes of a lock that is held in one way.
type summary struct {
	outs    map[out]bool
	relocks bool // it then takes the lock where it may be held
	deep    bool // it holds it for reading so often that the count is not exact

	busy  bool
	ready bool
	round int
}

// unchanged is the summary of a call that has nothing to do with the lock.
func unchanged(at entry) *summary {
	return &summary{outs: map[out]bool{{at, either}: true}}
}

// rounds is the iteration to a fixed point of the summaries that an outermost
// request comes to.
type rounds struct {
	depth   int
	number  int
	found   []*summary
	changed bool // a summary has changed in this round
	cyclic  bool // a summary has been used before it was ready
}

// maxRounds and maxDepth bound the iteration and the nesting of calls that are followed.
const (
	maxRounds = 8
	maxDepth  = 60
)

// summary finds a summary for a frame.
func (m *View) summary(in *frame, at entry) *summary {
	if len(in.bind) == 0 && m.Unaffected(in.fn) {
		base := m.Original.Lock()
		defer m.Original.Unlock()
		return base.summary(in.in(base), at)
	}
	key := asked{in.identity(), at}
	sum := m.memo[key]
	if sum == nil {
		sum = &summary{outs: make(map[out]bool)}
		m.memo[key] = sum
	}
	s := &m.session
	switch {
	case sum.ready, s.depth > 0 && sum.round == s.number && !sum.busy:
		return sum
	case sum.busy:
		s.cyclic = true
		return sum
	case s.depth > maxDepth:
		s.cyclic = true
		return unchanged(at)
	case s.depth > 0:
		m.compute(in, at, sum)
		return sum
	}
	for range maxRounds {
		s.number++
		s.changed, s.cyclic = false, false
		m.compute(in, at, sum)
		if !s.changed || !s.cyclic {
			break
		}
	}
	for _, found := range s.found {
		found.ready = true
	}
	s.found = nil
	return sum
}

// compute runs a frame for its summary once in this round.
func (m *View) compute(in *frame, at entry, sum *summary) {
	s := &m.session
	sum.busy, sum.round = true, s.number
	s.depth++
	s.found = append(s.found, sum)
	in.defers = nil
	in.run(at)
	s.depth--
	sum.busy = false
	relocks := in.relocks()
	sum.deep = in.deep
	if relocks != sum.relocks || !maps.Equal(in.outs, sum.outs) {
		s.changed = true
		sum.relocks, sum.outs = relocks, in.outs
	}
}

func (fr *frame) relocks() bool {
	for f := range fr.faults {
		if f.kind == TakenTwice || f.kind == ReadTwice {
			return true
		}
	}
	return false
}

// asked is what a summary depends on: a frame by its identity, and how the lock is held.
type asked struct {
	frame string
	at    entry
}

// in is a frame that has not been run, in another model.
func (fr *frame) in(m *View) *frame {
	return &frame{m: m, fn: fr.fn, through: fr.through, on: fr.on, bind: fr.bind, consts: fr.consts, text: fr.text}
}

// identity tells frames apart that differ in what is found by following them.
func (fr *frame) identity() string {
	if fr.text != "" {
		return fr.text
	}
	var b strings.Builder
	if fr.through {
		b.WriteByte('+')
	}
	b.WriteString(fr.fn.Name)
	b.WriteByte(' ')
	b.WriteString(fr.on.key)
	for _, name := range fr.on.ids() {
		b.WriteByte(' ')
		b.WriteString(name)
	}
	for _, obj := range sortedObjects(fr.bind) {
		fmt.Fprintf(&b, "; %s@%d", obj.Name(), obj.Pos())
		for _, c := range fr.bind[obj] {
			b.WriteString(" " + c.id(0))
		}
	}
	for _, obj := range sortedObjects(fr.consts) {
		fmt.Fprintf(&b, "; %s@%d=%t", obj.Name(), obj.Pos(), fr.consts[obj])
	}
	fr.text = b.String()
	return fr.text
}

// id identifies a subject.
func (s subject) id() string { return strings.Join(append([]string{s.key}, s.ids()...), " ") }

func (s subject) ids() []string {
	if len(s.names) == 0 {
		return nil
	}
	ids := make([]string, 0, len(s.names))
	for _, p := range s.names {
		ids = append(ids, p.ID())
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// id identifies a callable; what it has bound itself counts to a small depth.
func (c callable) id(depth int) string {
	if c.fn == nil {
		return c.method
	}
	text := c.fn.Name + "(" + strings.Join(subject{names: c.names}.ids(), " ")
	if depth < 2 {
		for _, obj := range sortedObjects(c.bind) {
			for _, inner := range c.bind[obj] {
				text += " " + obj.Name() + "=" + inner.id(depth+1)
			}
		}
	}
	return text + ")"
}

func sortedObjects[V any](m map[types.Object]V) []types.Object {
	if len(m) == 0 {
		return nil
	}
	return slices.SortedFunc(maps.Keys(m), func(a, b types.Object) int {
		return cmp.Or(cmp.Compare(a.Pos(), b.Pos()), cmp.Compare(a.Name(), b.Name()))
	})
}

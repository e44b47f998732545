package interleave

import (
	"slices"

	"mendel/interleave/hook"
)

// maxPairs bounds the local pairs of a run, and maxPredicted the iRoots of each
// compound idiom. Guessed.
const (
	maxPairs     = 1 << 15
	maxPredicted = 1 << 14
)

// Predict returns the iRoots that other orders of the same run could expose, and
// those that the run exposed are among them as a rule. complete is false if
// something was left out, because the run was too long or too wide.
func Predict(t Trace) (predicted Set, complete bool) {
	h := newHistory(t.Events)
	p := &predictor{history: h, set: Set{}, complete: t.Lost == 0 && !h.lost}
	p.simple()
	p.pairs()
	p.compound()
	p.deadlocks()
	p.waits()
	return p.set, p.complete
}

// A pair are two accesses of one goroutine within the window, as classes.
type pair struct {
	first, second int
	tight         bool // the goroutine touches neither location between them
	across        string
}

// A predictor predicts from one run.
type predictor struct {
	*history
	set      Set
	complete bool
	succ     map[int][]int // dependencies between classes: who can depend on a class
	pred     map[int][]int
	local    []pair
	from     map[int][]int // pairs that begin with a class
	into     map[[2]int]bool
	across   map[string][]section
}

// feasible reports whether b can depend directly on a, as far as the run tells.
func feasible(a, b *access) bool {
	if a.g == b.g || a.object != b.object || !depends(a.end.Kind, b.end.Kind) || earlier(b, a) {
		return false
	}
	if isStrict(b.end.Kind) && (a.until != nil && a.until[a.g] <= b.now[a.g] || b.since != nil && a.now[a.g] <= b.since[a.g]) {
		return false // an access of one of the two always comes between them
	}
	for _, x := range a.guards {
		for _, y := range b.guards {
			if exclude(x.section, y.section) && !(x.last && y.first) {
				return false
			}
		}
	}
	return true
}

// simple predicts idiom 1.
func (p *predictor) simple() {
	p.succ, p.pred = map[int][]int{}, map[int][]int{}
	at := map[uint64][]int{}
	for i, c := range p.classes {
		at[c.object] = append(at[c.object], i)
	}
	for _, list := range at {
		for _, i := range list {
			for _, j := range list {
				if a, b := p.classes[i], p.classes[j]; feasible(a, b) && !p.parted(a, b, list) {
					p.succ[i] = append(p.succ[i], j)
					p.pred[j] = append(p.pred[j], i)
					p.set[rootOf(1, a, b)] = true
				}
			}
		}
	}
}

// maxParting bounds the classes among which parted looks. Guessed.
const maxParting = 128

// parted reports whether an access of a third goroutine always comes between a and
// b: one of a list of classes, all at their location.
func (p *predictor) parted(a, b *access, list []int) bool {
	return isStrict(b.end.Kind) && len(list) <= maxParting && slices.ContainsFunc(list, func(i int) bool {
		c := p.classes[i]
		return c.g != a.g && c.g != b.g && earlier(a, c) && earlier(c, b)
	})
}

// pairs finds the local pairs of classes that take part in some dependency.
func (p *predictor) pairs() {
	p.from, p.into, p.across = map[int][]int{}, map[[2]int]bool{}, map[string][]section{}
	type key struct {
		first, second int
		tight         bool
		across        string
	}
	seen := map[key]bool{}
	for g := range len(p.of) {
		order := p.of[g]
		for i := range order {
			a := &p.all[order[i]]
			if a.class < 0 || len(p.succ[a.class])+len(p.pred[a.class]) == 0 {
				continue
			}
			for _, j := range order[i+1 : min(i+1+Window, len(order))] {
				b := &p.all[j]
				if b.class < 0 || len(p.succ[b.class])+len(p.pred[b.class]) == 0 {
					continue
				}
				k := key{a.class, b.class, tight(a, b), p.held(a, b)}
				if seen[k] {
					continue
				}
				if len(p.local) == maxPairs {
					p.complete = false
					return
				}
				seen[k] = true
				p.into[[2]int{a.class, b.class}] = true
				p.from[a.class] = append(p.from[a.class], len(p.local))
				p.local = append(p.local, pair(k))
			}
		}
	}
}

// tight reports whether the goroutine of two accesses touches neither location
// between them.
func tight(a, b *access) bool {
	if a.object == b.object {
		return a.next == b.order
	}
	return a.next > b.order && b.prev < a.order
}

// held names the sections in which both of two accesses are.
func (p *predictor) held(a, b *access) string {
	var list []section
	var name []byte
	for _, x := range a.guards {
		for _, y := range b.guards {
			if x.seq == y.seq {
				list = append(list, x.section)
				name = append(name, (&access{object: x.lock}).text()...)
				name = append(name, bit(x.read))
			}
		}
	}
	p.across[string(name)] = list
	return string(name)
}

// shut reports whether an access is excluded by one of the sections that a pair is in.
func (p *predictor) shut(q pair, a *access) bool {
	return slices.ContainsFunc(p.across[q.across], func(s section) bool {
		return slices.ContainsFunc(a.guards, func(g guard) bool { return exclude(s, g.section) })
	})
}

// add predicts a compound iRoot.
func (p *predictor) add(count *[Idioms + 1]int, idiom int, ends ...*access) {
	r := rootOf(idiom, ends...)
	if p.set[r] {
		return
	}
	if count[idiom] == maxPredicted {
		p.complete = false
		return
	}
	count[idiom]++
	p.set[r] = true
}

// compound predicts idioms 2 to 6 from the dependencies between the ends of local
// pairs (the paper's section 3.6).
func (p *predictor) compound() {
	var count [Idioms + 1]int
	for _, q := range p.local {
		a, d := p.classes[q.first], p.classes[q.second]
		if q.tight {
			for _, j := range p.succ[q.first] {
				for _, k := range p.pred[q.second] {
					b, c := p.classes[j], p.classes[k]
					if b.g != c.g || p.shut(q, b) || p.shut(q, c) {
						continue
					}
					switch {
					case a.object == d.object && j == k:
						p.add(&count, 2, a, b, d)
					case a.object == d.object && p.into[[2]int{j, k}]:
						p.add(&count, 3, a, b, c, d)
					case a.object != d.object && p.into[[2]int{j, k}]:
						p.add(&count, 4, a, b, c, d)
					}
				}
			}
		}
		if a.object != d.object {
			p.crossing(&count, q)
			p.oneWay(&count, q)
		}
	}
}

// crossing predicts idiom 5 for the pair of A and D.
func (p *predictor) crossing(count *[Idioms + 1]int, q pair) {
	if !q.tight {
		return
	}
	for _, k := range p.pred[q.second] {
		for _, i := range p.from[k] {
			r := p.local[i]
			if r.tight && slices.Contains(p.succ[q.first], r.second) && !p.shutEachOther(q, r) {
				p.add(count, 5, p.classes[q.first], p.classes[r.second], p.classes[k], p.classes[q.second])
			}
		}
	}
}

// shutEachOther reports whether the sections that two pairs are in exclude each other.
func (p *predictor) shutEachOther(q, r pair) bool {
	return slices.ContainsFunc(p.across[q.across], func(s section) bool {
		return slices.ContainsFunc(p.across[r.across], func(o section) bool { return exclude(s, o) })
	})
}

// oneWay predicts idiom 6 for the pair of A and C.
func (p *predictor) oneWay(count *[Idioms + 1]int, q pair) {
	for _, j := range p.succ[q.first] {
		for _, i := range p.from[j] {
			r := p.local[i]
			if slices.Contains(p.succ[q.second], r.second) {
				p.add(count, 6, p.classes[q.first], p.classes[j], p.classes[q.second], p.classes[r.second])
			}
		}
	}
}

// A nesting is a lock that is taken while another one is held.
type nesting struct {
	outer, inner *access
	gates        []section // in which both are
}

// deadlocks predicts idiom 5 for locks that two goroutines take in opposite order:
// each takes its outer lock before the other one asks for it as its inner lock.
func (p *predictor) deadlocks() {
	all := p.nestings()
	for _, q := range all {
		for _, r := range all {
			a, d, c, b := q.outer, q.inner, r.outer, r.inner
			if a.g == b.g || a.object != b.object || c.object != d.object || a.object == c.object ||
				!contend(a, b) || !contend(c, d) || earlier(d, c) || earlier(b, a) {
				continue
			}
			gated := slices.ContainsFunc(q.gates, func(s section) bool {
				return slices.ContainsFunc(r.gates, func(o section) bool { return exclude(s, o) })
			})
			if !gated {
				p.set[rootOf(5, a, b, c, d)] = true
			}
		}
	}
}

// contend reports whether who takes a lock so keeps another from taking it so.
func contend(a, b *access) bool { return a.end.Kind == hook.Lock || b.end.Kind == hook.Lock }

// nestings finds the nested locks of the run, each pair of classes once.
func (p *predictor) nestings() []nesting {
	var all []nesting
	taken := map[[2]uint64]*access{} // by goroutine and lock: where it was taken last
	seen := map[[2]int]bool{}
	for i := range p.all {
		d := &p.all[i]
		if d.end.Kind != hook.Lock && d.end.Kind != hook.RLock {
			continue
		}
		taken[[2]uint64{uint64(d.g), d.object}] = d
		for _, held := range d.guards {
			a := taken[[2]uint64{uint64(d.g), held.lock}]
			if a == nil || a.class < 0 || d.class < 0 || seen[[2]int{a.class, d.class}] {
				continue
			}
			seen[[2]int{a.class, d.class}] = true
			n := nesting{outer: p.classes[a.class], inner: p.classes[d.class]}
			for _, x := range a.guards {
				for _, y := range d.guards {
					if x.seq == y.seq {
						n.gates = append(n.gates, x.section)
					}
				}
			}
			all = append(all, n)
		}
	}
	return all
}

package mutate

import (
	"cmp"
	"context"
	"go/types"
	"slices"
	"sync"
)

// A Closing asks for edits that put a function's uses of some variables under a lock.
type Closing struct {
	Fn   *Function
	Key  string // of the lock
	Vars []*types.Var
	// Open are functions that are not to take the lock, because some of their
	// callers hold it: calls of them are uses.
	Open map[*Function]bool
}

// maxClosings bounds the sets of edits that are tried for one function. Guessed.
const maxClosings = 16

// Complete adds edits to a set until a lock is held at all uses of some
// variables, wherever in the program, as far as operators can do that
// ([Operator.Close]). It returns the whole set and the uses that are left
// without the lock. Of ways that do as much the one that adds no flag is
// taken, of these the one with fewer edits, then the one with less that may block
// under the lock, and then the one that an operator names first. When ctx ends, so does
// that, with its error.
func (s *Space) Complete(ctx context.Context, edits []Edit, key string, vars ...*types.Var) (all []Edit, left []Gap, err error) {
	return s.complete(ctx, &completion{key: key, vars: vars}, edits)
}

// CompleteBriefly is Complete, but takes what may block less under the lock before what has fewer edits.
func (s *Space) CompleteBriefly(ctx context.Context, edits []Edit, key string, vars ...*types.Var) (all []Edit, left []Gap, err error) {
	return s.complete(ctx, &completion{key: key, vars: vars, brief: true}, edits)
}

func (s *Space) complete(ctx context.Context, c *completion, edits []Edit) (all []Edit, left []Gap, err error) {
	c.space, c.open, c.edits = s, make(map[*Function]bool), s.canonical(flatten(edits))
	g, err := s.Guarding(c.edits)
	if err != nil {
		return nil, nil, err
	}
	c.gaps = g.Gaps(c.key, c.vars...)
	if len(c.gaps) == 0 {
		return c.edits, nil, nil
	}
	w := s.whole(c.nearGaps())
	var closers []func(Closing) [][]Edit
	for _, op := range s.operators {
		if closer := s.closer(op, w); closer != nil {
			closers = append(closers, closer)
		}
	}
	tried := make(map[*Function]bool)
	for fn := c.next(tried); fn != nil; fn = c.next(tried) {
		tried[fn] = true
		c.close(ctx, fn, closers)
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
	}
	return c.edits, c.gaps, nil
}

// closer is what an operator has for [Operator.Close]; nil if it has nothing.
func (s *Space) closer(op *Operator, w *Whole) (closer func(Closing) [][]Edit) {
	if op.Close == nil {
		return nil
	}
	var list func(Closing) [][]Edit
	if !s.guarded(Panic{Operator: op.Name, Doing: "Close"}, func() { list = op.Close(w) }) {
		return nil
	}
	return func(c Closing) (ways [][]Edit) {
		s.guarded(Panic{Operator: op.Name, Doing: "Close", File: c.Fn.File.Rel, Func: c.Fn.Name}, func() { ways = list(c) })
		return ways
	}
}

// A completion is a set of edits that grows.
type completion struct {
	space *Space
	key   string
	vars  []*types.Var
	edits []Edit
	gaps  []Gap
	open  map[*Function]bool
	brief bool // less that may block counts for more than fewer edits
}

// next is the first function with a gap that has not been tried. Where nothing
// closes the gaps of an unexported function its callers come next.
func (c *completion) next(tried map[*Function]bool) *Function {
	for _, g := range c.gaps {
		if !tried[g.fn] {
			return g.fn
		}
		sites, ok := c.space.callSites(g.fn)
		if !ok {
			continue
		}
		c.open[g.fn] = true
		for _, site := range sites {
			if !tried[site.from] {
				return site.from
			}
		}
	}
	return nil
}

// close tries to close the gaps that a function makes.
func (c *completion) close(ctx context.Context, fn *Function, closers []func(Closing) [][]Edit) {
	ask := Closing{Fn: fn, Key: c.key, Vars: c.vars, Open: c.open}
	var lists [][][]Edit
	for _, closer := range closers {
		lists = append(lists, closer(ask))
	}
	ways := shares(append(lists, c.space.singles(fn, c.key)), maxClosings)
	others := slices.DeleteFunc(slices.Clone(c.edits), func(e Edit) bool {
		return e.File == fn.File.Rel && e.Func == fn.Name && e.Lock != nil && e.Lock.Key == c.key
	})
	var found []completed
	for _, way := range ways {
		if ctx.Err() != nil {
			return
		}
		for _, base := range [][]Edit{c.edits, others} {
			more := flatten([]Edit{Composite("", append(slices.Clone(base), way...)...)})
			if next, ok := c.step(more); ok && len(next.gaps) < len(c.gaps) {
				found = append(found, next)
			}
			if len(others) == len(c.edits) {
				break
			}
		}
	}
	if best := c.best(ctx, found); best != nil {
		c.edits, c.gaps = best.edits, best.gaps
	}
}

// shares are the ways of several lists, one list after the other; at most so many, of which each list has as
// many as the others.
func shares(lists [][][]Edit, most int) [][]Edit {
	total, each := 0, 0
	for _, list := range lists {
		total += len(list)
		each = max(each, len(list))
	}
	for total > most && each > 1 {
		each--
		total = 0
		for _, list := range lists {
			total += min(len(list), each)
		}
	}
	var all [][]Edit
	for _, list := range lists {
		all = append(all, list[:min(len(list), each)]...)
	}
	return all[:min(len(all), most)]
}

// best is the best of some sets by the flags of their mutants; nil if none gives one. To print and
// type-check each of them would take long. The filter foresees no flag that the mutant does
// not have, so that what is foreseen to have as many as the best one cannot be better.
func (c *completion) best(ctx context.Context, found []completed) (best *completed) {
	slices.SortStableFunc(found, c.compare)
	for i := range found {
		next := found[i]
		if best != nil && c.compare(*best, next) <= 0 {
			break
		}
		m, err := c.space.Mutant(ctx, next.edits)
		if err != nil {
			continue
		}
		next.flags = m.Flags
		if best == nil || c.compare(next, *best) < 0 {
			best = &next
		}
	}
	return best
}

// A completed set is one that has been tried.
type completed struct {
	edits []Edit
	flags []Flag
	gaps  []Gap
	waits int // what may block under the lock in the edited files
}

// step tries a set; ok is false if it cannot be made.
func (c *completion) step(edits []Edit) (tried completed, ok bool) {
	edits = c.space.canonical(edits)
	m, err := c.space.apply(newMutation(c.space), edits)
	if err != nil {
		return tried, false
	}
	made := c.space.guarded(blamed(edits), func() { // what cannot be printed cannot be judged
		var g *Guarding
		if g, err = c.space.Guarding(edits); err == nil {
			tried = completed{edits, c.space.foresees(m, edits), g.Gaps(c.key, c.vars...), g.after.waits(c.key)}
		}
	})
	return tried, made && err == nil
}

// compare orders sets: first those that leave fewer gaps, then those with fewer flags,
// then those of fewer edits, one section rather than two, then those with less that may
// block under the lock.
func (c *completion) compare(a, b completed) int {
	better := cmp.Or(cmp.Compare(len(a.gaps), len(b.gaps)), cmp.Compare(len(a.flags), len(b.flags)))
	edits, waits := cmp.Compare(len(a.edits), len(b.edits)), cmp.Compare(a.waits, b.waits)
	if c.brief {
		return cmp.Or(better, waits, edits)
	}
	return cmp.Or(better, edits, waits)
}

// singles are the edits of the space that lock a lock in a function, each by itself.
func (s *Space) singles(fn *Function, key string) [][]Edit {
	var ways [][]Edit
	for _, e := range slices.Concat(s.Edits(), s.unlistedIn(fn)) {
		op := s.byName[e.Operator]
		if len(e.Parts) == 0 && op != nil && op.Adds && e.File == fn.File.Rel && e.Func == fn.Name && e.Lock != nil && e.Lock.Key == key {
			ways = append(ways, []Edit{e})
		}
	}
	return ways
}

// nearGaps are the functions with gaps and those that call them.
func (c *completion) nearGaps() []*Function {
	var near []*Function
	for _, g := range c.gaps {
		near = append(near, g.fn)
		sites, _ := c.space.callSites(g.fn)
		for _, site := range sites {
			near = append(near, site.from)
		}
	}
	return near
}

// whole is the program as composite edits see it, with the edits of some functions even
// if they are not listed.
func (s *Space) whole(with []*Function) *Whole {
	w := &Whole{Program: s.program, Narrowing: s.narrowing, space: s}
	near, _ := s.meeting()
	for _, name := range s.fileNames {
		for _, fn := range s.functions[name] {
			if fn.admitted() || near[fn] {
				w.Functions = append(w.Functions, fn)
			}
		}
	}
	unlisted := sync.OnceValue(func() []Edit { return s.unlistedIn(with...) })
	w.list = func(operator string) []Edit {
		other := func(e Edit) bool { return e.Operator != operator || len(e.Parts) > 0 }
		return slices.DeleteFunc(slices.Concat(s.Edits(), unlisted()), other)
	}
	return w
}

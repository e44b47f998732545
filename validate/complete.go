package validate

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"mendel/fitness"
	"mendel/mutate"
	"mendel/validate/sections"
)

// A lock that a fix holds at some uses of a variable guards it only if it is
// held at all of them. The tests show the uses that they happen to make. So a
// candidate is completed before it is reduced: the same lock goes around the
// other uses too. A step of reducing may not undo that.

// A demand is a lock and the variables that it is to guard everywhere.
type demand struct {
	key  string
	vars []*types.Var
}

// A completion is a candidate with what is demanded of its reductions.
type completion struct {
	mutant  *mutate.Mutant
	demands []demand
	whole   bool     // nothing is taken out of it
	open    []string // gaps that are left: those do not count against a reduction
	// unexercised names the variables that the tests do not use concurrently, as
	// far as the evidence goes.
	unexercised []string
}

// demandsOf are the locks that edits introduce for variables, or extend to
// them, that the evidence names.
func (v *Validator) demandsOf(edits []mutate.Edit) (*mutate.Guarding, []demand, error) {
	g, err := v.o.Space.Guarding(edits)
	var refusal *mutate.Refusal
	switch {
	case errors.As(err, &refusal):
		return nil, nil, nil
	case err != nil:
		return nil, nil, fmt.Errorf("finding what a candidate guards: %w", err)
	}
	var demands []demand
	for _, key := range g.Locks() {
		d := demand{key: key}
		for _, name := range g.Vars(key) {
			if g.Named(name) && !ofSync(name.Type()) {
				d.vars = append(d.vars, name)
			}
		}
		if len(d.vars) > 0 {
			demands = append(demands, d)
		}
	}
	return g, demands, nil
}

// ofSync reports whether a type is one of package sync: an Add of a wait group may be under a lock for what
// it belongs to, and Wait and Done need none.
func ofSync(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync"
}

// completions lists what a candidate is completed to, the most complete first;
// the candidate itself, with what is demanded of it, is the last.
func (v *Validator) completions(ctx context.Context, m *mutate.Mutant) ([]*completion, error) {
	if v.o.Narrowing == nil {
		return []*completion{{mutant: m}}, nil
	}
	g, demands, err := v.demandsOf(m.Edits)
	if err != nil {
		return nil, err
	}
	plain := &completion{mutant: m, demands: demands}
	if len(demands) == 0 {
		return []*completion{plain}, nil
	}
	if plain.open, err = v.gaps(m.Edits, demands); err != nil {
		return nil, err
	}
	all := []*completion{plain}
	if relieved, err := v.relieve(ctx, plain); err != nil {
		return nil, err
	} else if relieved != nil {
		all = slices.Insert(all, 0, relieved)
	}
	complete, err := v.completeVars(ctx, g, plain)
	if err != nil {
		return nil, err
	}
	if complete != nil {
		all = slices.Insert(all, 0, complete)
	}
	wider, err := v.accompany(ctx, g, all[0])
	if err != nil {
		return nil, err
	}
	if wider != nil {
		all = slices.Insert(all, 0, wider)
	}
	return all, nil
}

// completeVars closes the gaps of a candidate; nil if there are none, or none
// can be closed. Where another lock guards the variable elsewhere it is the
// wrong lock that is held, and no more of it helps.
func (v *Validator) completeVars(ctx context.Context, g *mutate.Guarding, from *completion) (*completion, error) {
	if len(from.open) == 0 {
		return nil, nil
	}
	edits := from.mutant.Edits
	for _, d := range from.demands {
		if d.rivalled(g) {
			continue
		}
		more, _, err := v.o.Space.Complete(ctx, edits, d.key, d.vars...)
		if err != nil {
			return nil, fmt.Errorf("completing a candidate: %w", err)
		}
		edits = more
	}
	return v.completed(ctx, from, edits, from.demands)
}

// relieve closes the gaps that a function would leave without the edits by which it waits, or calls code of
// others, under a lock; nil if there is no way without that.
func (v *Validator) relieve(ctx context.Context, from *completion) (*completion, error) {
	if grown, err := sections.New(v.o.Program, v.o.Narrowing, v.model).Growth(from.mutant); err != nil || !grown.Blocks {
		return nil, err
	}
	place := func(e mutate.Edit) string { return e.File + " " + e.Func }
	edited := map[string]bool{}
	for _, e := range from.mutant.Edits {
		edited[place(e)] = true
	}
	for _, d := range from.demands {
		for _, in := range slices.Sorted(maps.Keys(edited)) {
			next, err := v.without(ctx, from, d, func(e mutate.Edit) bool { return place(e) == in }, func(e mutate.Edit) bool { return edited[place(e)] })
			if err != nil {
				return nil, err
			}
			if next == nil || len(next.open) > len(from.open) || len(next.mutant.Flags) > len(from.mutant.Flags) {
				continue
			}
			if less, err := v.blocksMore(from.mutant, next.mutant); less || err != nil {
				return next, err
			}
		}
	}
	return nil, nil
}

// without is a candidate without some edits, completed by those that may be added: those that block less come first.
func (v *Validator) without(ctx context.Context, from *completion, d demand, some, may func(mutate.Edit) bool) (*completion, error) {
	others := slices.DeleteFunc(slices.Clone(from.mutant.Edits), some)
	if len(others) == 0 {
		return nil, nil
	}
	edits, _, err := v.o.Space.CompleteBriefly(ctx, others, d.key, d.vars...)
	if err != nil {
		return nil, fmt.Errorf("completing a candidate otherwise: %w", err)
	}
	edits = slices.DeleteFunc(slices.Clone(edits), func(e mutate.Edit) bool { return !may(e) })
	return v.completed(ctx, from, edits, from.demands)
}

// rivalled reports whether another lock guards some of the variables elsewhere.
func (d demand) rivalled(g *mutate.Guarding) bool {
	return slices.ContainsFunc(d.vars, func(x *types.Var) bool { return len(g.Rivals(d.key, x)) > 0 })
}

// completed makes a completion of more edits; nil if they are no better.
func (v *Validator) completed(ctx context.Context, from *completion, edits []mutate.Edit, demands []demand) (*completion, error) {
	if len(edits) == len(from.mutant.Edits) && mutate.HasAll(from.mutant.Edits, edits) {
		return nil, nil
	}
	m, err := v.o.Space.Mutant(ctx, edits)
	var refusal *mutate.Refusal
	switch {
	case errors.As(err, &refusal):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("building a completed candidate: %w", err)
	}
	// What the lock goes around may wait; other flags are not worth it.
	if m.Hash == from.mutant.Hash || slices.ContainsFunc(m.Flags, func(f mutate.Flag) bool {
		return f != mutate.Blocks && !slices.Contains(from.mutant.Flags, f)
	}) {
		return nil, nil
	}
	open, err := v.gaps(m.Edits, demands)
	return &completion{mutant: m, demands: demands, open: open, unexercised: from.unexercised}, err
}

// maxCompanions bounds the variables that are guarded beside those that a
// failure names. Guessed.
const maxCompanions = 8

// blocksMore reports whether a mutant has what may wait, or code of others, in a section, and
// another one has not.
func (v *Validator) blocksMore(m, than *mutate.Mutant) (bool, error) {
	c := sections.New(v.o.Program, v.o.Narrowing, v.model)
	after, err := c.Growth(m)
	if err != nil || !after.Blocks {
		return false, err
	}
	before, err := c.Growth(than)
	return !before.Blocks, err
}

// accompany guards the companions of the variables that the evidence names, as
// far as that needs no flag and leaves no use of them out; nil if there are none. One that the
// original uses both with the lock and without is left as it is, if code of others, or what waits,
// came under the lock with it.
func (v *Validator) accompany(ctx context.Context, g *mutate.Guarding, from *completion) (*completion, error) {
	best := from
	for i, d := range from.demands {
		if d.rivalled(g) {
			continue
		}
		companions := g.Companions(d.key, d.vars...)
		for _, companion := range companions[:min(len(companions), maxCompanions)] {
			vars := append(slices.Clone(best.demands[i].vars), companion)
			edits, left, err := v.o.Space.Complete(ctx, best.mutant.Edits, d.key, vars...)
			if err != nil {
				return nil, fmt.Errorf("guarding companions: %w", err)
			}
			if len(left) > len(best.open) {
				continue
			}
			demands := slices.Clone(best.demands)
			demands[i].vars = vars
			next, err := v.completed(ctx, best, edits, demands)
			if err != nil {
				return nil, err
			}
			if next == nil && slices.Contains(g.Vars(d.key), companion) { // guarded already, and to stay so
				next = &completion{mutant: best.mutant, demands: demands, open: best.open}
			}
			if next == nil || len(next.mutant.Flags) > len(best.mutant.Flags) {
				continue
			}
			if g.HeldSomewhere(d.key, companion) {
				worse, err := v.blocksMore(next.mutant, best.mutant)
				if err != nil {
					return nil, err
				}
				if worse {
					continue // a use that its owner alone makes, as it seems
				}
			}
			next.unexercised = append(slices.Clone(best.unexercised), g.Name(companion))
			best = next
		}
	}
	if best == from {
		return nil, nil
	}
	return best, nil
}

// leaves reports whether a fix leaves uses without the lock that it guards them with
// elsewhere, in functions that could take it.
func (v *Validator) leaves(edits []mutate.Edit, demands []demand) (bool, error) {
	g, err := v.o.Space.Guarding(edits)
	if err != nil {
		return false, fmt.Errorf("finding what a fix guards: %w", err)
	}
	return slices.ContainsFunc(demands, func(d demand) bool {
		return d.met(g) && slices.ContainsFunc(g.Gaps(d.key, d.vars...), func(gap mutate.Gap) bool { return !gap.Apart })
	}), nil
}

// gaps are the uses of variables, as text, without the lock that edits guard
// them with elsewhere. A lock that guards nothing any more leaves none.
func (v *Validator) gaps(edits []mutate.Edit, demands []demand) ([]string, error) {
	if len(demands) == 0 {
		return nil, nil
	}
	g, err := v.o.Space.Guarding(edits)
	if err != nil {
		return nil, fmt.Errorf("finding what a candidate guards: %w", err)
	}
	var open []string
	for _, d := range demands {
		if !d.met(g) {
			continue
		}
		for _, gap := range g.Gaps(d.key, d.vars...) {
			open = append(open, gap.String())
		}
	}
	return slices.Compact(open), nil
}

// met reports whether the lock guards any of the variables.
func (d demand) met(g *mutate.Guarding) bool {
	has := g.Vars(d.key)
	return slices.ContainsFunc(d.vars, func(x *types.Var) bool { return slices.Contains(has, x) })
}

// exposes says which use of a variable a reduction of the candidate would leave
// without the lock that the candidate guards it with; "" for none.
func (j *job) exposes(m *mutate.Mutant) (string, error) {
	open, err := j.gaps(m.Edits, j.goal.demands)
	for _, gap := range open {
		if !slices.Contains(j.goal.open, gap) {
			return gap, err
		}
	}
	return "", err
}

// validateCompleted validates what a candidate can be completed to, the most
// complete first; done is false if none of that is a fix, or there is none.
func (v *Validator) validateCompleted(ctx context.Context, all []*completion) (fix *Fix, done bool, err error) {
	for _, c := range all {
		v.o.Log("completed: the lock goes around the other uses of its variables too: %s", describe(c.mutant.Edits...))
		fix, err := v.validateOne(ctx, c)
		var rejected *Rejected
		if !errors.As(err, &rejected) {
			return fix, true, err
		}
		v.o.Log("what was completed is refuted: %s", rejected.Reason)
	}
	return nil, false, nil
}

// validateOne validates a completed candidate. The search has not scored it;
// the checker makes up for that.
func (v *Validator) validateOne(ctx context.Context, c *completion) (*Fix, error) {
	j := v.newJob()
	j.goal = c
	if rejected, err := j.objection(c.mutant); err != nil || rejected != nil {
		return nil, errors.Join(err, asError(rejected))
	}
	r := fitness.Result{Score: fitness.FullScore}
	if v.o.Checker != nil {
		checked, err := j.explore(ctx, c.mutant, false)
		v.watch.lap("checking what was completed")
		if err != nil {
			return nil, err
		}
		r.Verdict = checked.Verdict
	}
	fix, err := j.validate(ctx, c.mutant, c.mutant, r)
	if fix != nil && fix.Mutant.Hash == c.mutant.Hash {
		fix.Score = scoreOf(fix.Confirmed)
	}
	return fix, err
}

// asError is a rejection as an error, nil if there is none.
func asError(r *Rejected) error {
	if r == nil {
		return nil
	}
	return r
}

// WithoutCompanions validates what m, a candidate of score r that became fix, gives
// without the variables that the tests do not exercise, for whoever wants no more
// than the tests show to be needed. It is nil if there are none, or if the rest
// leads to the same fix. It is confirmed and checked like any fix; what is known of
// the original is not asked again.
func (v *Validator) WithoutCompanions(ctx context.Context, fix *Fix, m *mutate.Mutant, r fitness.Result) (*Fix, error) {
	v.turn.Lock()
	defer v.turn.Unlock()
	if len(fix.Quality.Unexercised) == 0 {
		return nil, nil
	}
	j := v.newJob()
	candidate, err := j.admit(ctx, m)
	if err != nil {
		return nil, err
	}
	all, err := v.completions(ctx, candidate)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(c *completion) bool { return len(c.unexercised) == 0 })
	v.o.Log("without what the tests do not exercise: %s", describe(all[at].mutant.Edits...))
	var less *Fix
	if at < len(all)-1 {
		less, err = v.validateOne(ctx, all[at])
	} else {
		j.goal = all[at]
		less, err = j.validate(ctx, m, candidate, r)
	}
	if less == nil || less.Mutant.Hash == fix.Mutant.Hash {
		return nil, err
	}
	less.Incomplete = v.incomplete(less)
	less.Wider, less.Quality.Omitted = fix.Mutant.Hash, fix.Quality.Unexercised
	return less, err
}

// putBehind puts each fix that leaves companions out directly behind the one that
// it is a part of: what the tests do not exercise is left unguarded by it. Only a workaround,
// or what was validated less, does not come before its part.
func putBehind(fixes []*Fix) {
	for i := 0; i < len(fixes); i++ {
		less := fixes[i]
		at := slices.IndexFunc(fixes, func(f *Fix) bool { return f.Mutant.Hash == less.Wider })
		if less.Wider == "" || at <= i || len(fixes[at].Incomplete) > len(less.Incomplete) ||
			len(Workaround(fixes[at].Flags)) > 0 && len(Workaround(less.Flags)) == 0 {
			continue
		}
		copy(fixes[i:at], fixes[i+1:at+1])
		fixes[at] = less
		i--
	}
}

package repair

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"mendel/internal/result"
	"mendel/mutate"
	"mendel/validate"
)

// mostTried is how many edits are tried at a time against what speaks against a fix. They are
// built together. Guessed.
const mostTried = 24

// A climbed is what was reached with one more edit, and how much speaks against it then: objections of the
// scenarios that failed before, and places that are left; and what is wrong with the edits themselves.
type climbed struct {
	mutant  *mutate.Mutant
	against int
	faults  int
}

// climb adds one edit to what was reached: the one after which the least speaks against it, among the edits
// of all operators in functions that something speaks against. It adds none after which no less does, and none
// with which the tests fail.
func (w *extension) climb(ctx context.Context) (err error) {
	if w.space, err = mutate.NewSpace(w.Program, w.narrowing, w.judges.space.Operators(), mutate.Within(ctx)); err != nil {
		return fmt.Errorf("enumerate edits: %w", err)
	}
	all, err := w.candidates(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	if err := w.count(ctx, all); err != nil {
		return err
	}
	before := len(w.objections) + len(w.left)
	slices.SortStableFunc(all, func(a, b climbed) int {
		return cmp.Or(cmp.Compare(a.against, b.against), cmp.Compare(a.faults, b.faults), cmp.Compare(len(a.mutant.Flags), len(b.mutant.Flags)))
	})
	w.Progress.Step("%d edits tried against %d objections", len(all), before)
	for _, c := range all {
		if c.against >= before {
			break
		}
		r, err := w.evaluator.Evaluate(ctx, c.mutant)
		if err != nil {
			return err
		}
		if r.Passes == r.Runs && r.Runs > 0 {
			w.reached, w.grown = c.mutant, true
			return nil
		}
		w.Progress.Step("not with %s: %s", result.Describe(c.mutant.Edits), failing(r))
	}
	return nil
}

// candidates are what was reached with each edit that may be worth it, the likeliest first.
func (w *extension) candidates(ctx context.Context) (all []climbed, err error) {
	named, byLock := w.functions(w.name), w.onlyUnguarded()
	edits := slices.DeleteFunc(slices.Clone(w.space.Edits()), func(e mutate.Edit) bool {
		return !named[e.File+" "+e.Func] || byLock && e.Lock == nil || len(validate.Workaround(e.Flags)) > 0
	})
	slices.SortStableFunc(edits, func(a, b mutate.Edit) int { return cmp.Compare(b.Worth(), a.Worth()) })
	seen := map[string]bool{}
	for _, e := range edits {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m, err := w.with(ctx, e)
		if err != nil {
			return nil, err
		}
		if m == nil || seen[m.Hash] {
			continue
		}
		seen[m.Hash] = true
		if why, err := w.validator.Veto(m); why != nil || err != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		if all = append(all, climbed{mutant: m}); len(all) == mostTried {
			break
		}
	}
	return all, nil
}

// onlyUnguarded reports whether all that speaks against what was reached are uses without a lock. An edit that takes
// none can only hide them, by another order of what the function does.
func (w *extension) onlyUnguarded() bool {
	return len(w.objections) == 0 && !slices.ContainsFunc(w.left, func(p validate.Place) bool { return !p.Unguarded })
}

// count says how much speaks against each.
func (w *extension) count(ctx context.Context, all []climbed) error {
	sets := make([]map[string][]byte, len(all))
	for i, c := range all {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		left, err := w.validator.Left(c.mutant)
		if err != nil {
			return err
		}
		all[i].against, sets[i] = len(left), c.mutant.Files
		if !w.mendsItself(c.mutant, left) {
			all[i].against = len(w.left)
		}
		if all[i].faults, err = w.validator.OwnFaults(c.mutant); err != nil {
			return err
		}
	}
	if len(w.objections) == 0 || w.scenarios == nil {
		return nil
	}
	failing, err := w.scenarios.TryEach(ctx, w.from.Files, sets, w.objections)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.Progress.Step("scenarios cannot tell the edits apart: %v", err)
		failing = slices.Repeat([]int{len(w.objections)}, len(all))
	}
	for i, n := range failing {
		if n < 0 { // it does not build
			n = len(w.objections)
		}
		all[i].against += n
	}
	return nil
}

// mendsItself says whether the places that a mutant no longer leaves are in the functions of the edits that it
// has more than what was reached. An edit that hides a fault elsewhere mends nothing.
func (w *extension) mendsItself(m *mutate.Mutant, left []validate.Place) bool {
	edited := map[string]bool{}
	for _, e := range m.Edits {
		if !mutate.Has(w.reached.Edits, e) {
			edited[e.File+" "+e.Func] = true
		}
	}
	for _, l := range w.left {
		if slices.ContainsFunc(left, func(o validate.Place) bool { return o.What == l.What }) {
			continue
		}
		in := map[string]bool{}
		w.name(in, l.File, l.Line)
		mended := false
		for fn := range in {
			mended = mended || edited[fn]
		}
		if !mended {
			return false
		}
	}
	return true
}

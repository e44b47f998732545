package validate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mendel/analysis/locks/changes"
	"mendel/mutate"
	"mendel/validate/rules"
)

// minimise takes out the edits that the fix does not need, the most
// objectionable first.
func (j *job) minimise(ctx context.Context) error {
	edits := slices.Clone(j.mutant.Edits)
	if j.goal != nil && j.goal.whole || len(edits) < 2 {
		return nil // without its only edit it is the original
	}
	slices.SortStableFunc(edits, func(a, b mutate.Edit) int { return rules.Gravest(b.Flags) - rules.Gravest(a.Flags) })
	_, err := Minimise(ctx, edits, j.o.MinimizeSteps, j.needless)
	if errors.Is(err, ErrLimit) {
		j.o.Log("minimising stopped after %d steps: an edit may be needless", j.o.MinimizeSteps)
		return nil
	}
	return err
}

// worse is a flag that a mutant would have and the present one does not; "" if there is none.
// It is asked of the model of locks, too: one signal of two that are to be broadcasts may do
// for the tests.
func (j *job) worse(m *mutate.Mutant) (mutate.Flag, error) {
	if f := newFlag(j.mutant, m); f != "" {
		return f, nil
	}
	var had, would Quality
	before, err := j.addFindings(j.mutant, &had, nil, changes.HeldLonger, changes.RingLeft)
	if err != nil {
		return "", err
	}
	after, err := j.addFindings(m, &would, nil, changes.HeldLonger, changes.RingLeft)
	if err != nil {
		return "", err
	}
	for _, f := range Workaround(after) {
		if !slices.Contains(before, f) {
			return f, nil
		}
	}
	return "", nil
}

// needless reports whether a subset of the present edits is a fix too. Then it
// replaces them.
func (j *job) needless(ctx context.Context, subset []mutate.Edit) (bool, error) {
	if len(subset) == 0 {
		return false, nil
	}
	if err := j.refutedMeanwhile(); err != nil {
		return false, err
	}
	m, err := j.build(ctx, subset)
	if err != nil || m == nil {
		return false, err
	}
	gone := missing(j.mutant.Edits, subset)
	what := "without " + describe(gone...)
	if e := belongs(gone, subset); e != nil {
		j.step(what, false, "the source shows that it is wrong without "+describe(*e))
		return false, nil
	}
	if exposed, err := j.exposes(m); err != nil || exposed != "" {
		if err == nil {
			j.step(what, false, exposed+" then")
		}
		return false, err
	}
	f, err := j.worse(m)
	if err != nil {
		return false, err
	}
	if f != "" {
		j.step(what, false, fmt.Sprintf("it would be flagged %s", f))
		return false, nil
	}
	if objection, err := j.objection(m); err != nil || objection != nil {
		if err == nil {
			j.step(what, false, objection.Reason)
		}
		return false, err
	}
	if m.Hash == j.mutant.Hash {
		// The edit changed nothing beside the others: what was confirmed holds.
		j.step(what, true, "the source stays the same")
		j.mutant = m
		return true, nil
	}
	c, why, err := j.holds(ctx, m)
	var rejected *Rejected
	if errors.As(err, &rejected) {
		j.step(what, false, rejected.Reason)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	j.step(what, true, why)
	j.mutant, j.confirmed = m, c
	return true, nil
}

// belongs finds an edit among those taken out that surely mends something, as others that stay
// do for the same lock, or without one, or in the same group; nil if there is none.
func belongs(gone, stay []mutate.Edit) *mutate.Edit {
	for i, e := range gone {
		like := func(o mutate.Edit) bool {
			same := o.Group != "" && o.Group == e.Group || o.Lock == nil && e.Lock == nil || o.Lock != nil && e.Lock != nil && o.Lock.Key == e.Lock.Key
			return o.Sure && o.Operator == e.Operator && same
		}
		if e.Sure && slices.ContainsFunc(stay, like) {
			return &gone[i]
		}
	}
	return nil
}

// missing lists the edits of all that are not in subset.
func missing(all, subset []mutate.Edit) []mutate.Edit {
	var out []mutate.Edit
	for _, e := range all {
		if !mutate.Has(subset, e) {
			out = append(out, e)
		}
	}
	return out
}

// sameLock reports whether two edits take the same lock. Where it is to be
// declared, if it is new, does not matter.
func sameLock(a, b mutate.Edit) bool {
	return a.Lock != nil && b.Lock != nil && a.Lock.Key == b.Lock.Key && a.Lock.Expr == b.Lock.Expr &&
		(a.Lock.New == nil) == (b.Lock.New == nil)
}

package validate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mendel/mutate"
)

// admit returns the candidate itself or, when policy speaks against it, what
// is left of it without the offending edits, if that builds.
func (j *job) admit(ctx context.Context, m *mutate.Mutant) (*mutate.Mutant, error) {
	objection, err := j.objection(m)
	if err != nil || objection == "" {
		return m, err
	}
	rejected := &Rejected{Mutant: m, Stage: StagePolicy, Reason: objection}
	rest := slices.DeleteFunc(slices.Clone(m.Edits), func(e mutate.Edit) bool {
		return slices.Contains(e.Flags, mutate.DropsGuard) || j.o.NoSerialize && slices.Contains(e.Flags, mutate.Serialises)
	})
	if len(rest) == 0 || len(rest) == len(m.Edits) {
		return nil, rejected
	}
	less, err := j.build(ctx, rest)
	if err != nil {
		return nil, err
	}
	if less == nil {
		return nil, rejected
	}
	switch objection, err := j.objection(less); {
	case err != nil:
		return nil, err
	case objection != "":
		return nil, rejected
	}
	return less, nil
}

// objection says why policy speaks against a mutant; "" when it does not.
func (j *job) objection(m *mutate.Mutant) (string, error) {
	if j.o.NoSerialize && slices.Contains(m.Flags, mutate.Serialises) {
		return "it serialises a goroutine body", nil
	}
	if !slices.Contains(m.Flags, mutate.DropsGuard) {
		return "", nil
	}
	kept, err := j.covers.keepsGuards(m)
	if err != nil {
		return "", err
	}
	if !kept {
		return "it drops a lock that guards data and puts none in its place", nil
	}
	return "", nil
}

// build makes a mutant of edits; nil without an error when they give none.
func (j *job) build(ctx context.Context, edits []mutate.Edit) (*mutate.Mutant, error) {
	m, err := j.o.Space.Mutant(ctx, edits)
	var refusal *mutate.Refusal
	switch {
	case errors.As(err, &refusal):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("building a smaller candidate: %w", err)
	}
	return m, nil
}

// newFlag returns a flag of b that a has not, "" if there is none.
func newFlag(a, b *mutate.Mutant) mutate.Flag {
	for _, f := range b.Flags {
		if !slices.Contains(a.Flags, f) {
			return f
		}
	}
	return ""
}

// flags are the flags of the best mutant so far. A dropped guard that another
// lock replaces wherever data is accessed, and that the confirming runs did not
// miss, is no reason to prefer other fixes.
func (j *job) flags() ([]mutate.Flag, error) {
	flags := slices.Clone(j.mutant.Flags)
	if !slices.Contains(flags, mutate.DropsGuard) {
		return flags, nil
	}
	replaced, err := j.covers.replacesGuards(j.mutant)
	if replaced {
		j.o.Log("not flagged %s: another lock is put in place of the one removed", mutate.DropsGuard)
		flags = slices.DeleteFunc(flags, func(f mutate.Flag) bool { return f == mutate.DropsGuard })
	}
	return flags, err
}

package validate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mendel/mutate"
)

// admit returns the candidate itself or, if policy speaks against it, what is
// left of it without the edits at fault, if that builds.
func (j *job) admit(ctx context.Context, m *mutate.Mutant) (*mutate.Mutant, error) {
	rejected, err := j.objection(m)
	if err != nil || rejected == nil {
		return m, err
	}
	rest, err := j.acceptable(ctx, m, rejected)
	if err != nil {
		return nil, err
	}
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
	switch again, err := j.objection(less); {
	case err != nil:
		return nil, err
	case again != nil:
		return nil, rejected
	}
	return less, nil
}

// acceptable are the edits of a mutant that policy does not speak against.
func (j *job) acceptable(ctx context.Context, m *mutate.Mutant, r *Rejected) ([]mutate.Edit, error) {
	if r.Breach != nil {
		return j.innocent(ctx, m)
	}
	return slices.DeleteFunc(slices.Clone(m.Edits), func(e mutate.Edit) bool {
		return slices.Contains(e.Flags, mutate.DropsGuard) || j.o.NoSerialize && slices.Contains(e.Flags, mutate.Serialises)
	}), nil
}

// objection says why policy speaks against a mutant; nil when it does not.
func (j *job) objection(m *mutate.Mutant) (*Rejected, error) {
	if j.o.NoSerialize && slices.Contains(m.Flags, mutate.Serialises) {
		return &Rejected{Mutant: m, Stage: StagePolicy, Reason: "it serialises a goroutine body"}, nil
	}
	judged, err := j.judge(m)
	if err != nil {
		return nil, err
	}
	if judged.breach != nil {
		return breaks(m, StagePolicy, judged.breach), nil
	}
	if !slices.Contains(m.Flags, mutate.DropsGuard) {
		return nil, nil
	}
	kept, err := j.covers.KeepsGuards(m)
	if err != nil {
		return nil, err
	}
	if !kept {
		return &Rejected{Mutant: m, Stage: StagePolicy, Reason: "it drops a lock that guards data and puts none in its place"}, nil
	}
	return nil, nil
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

// flags are the flags of the best mutant so far. A dropped guard is no flag
// if another lock replaces it wherever data is accessed, and the confirming runs
// passed without it.
func (j *job) flags() ([]mutate.Flag, error) {
	flags := slices.Clone(j.mutant.Flags)
	if !slices.Contains(flags, mutate.DropsGuard) {
		return flags, nil
	}
	replaced, err := j.covers.ReplacesGuards(j.mutant)
	if replaced {
		j.o.Log("not flagged %s: another lock is put in place of the one removed", mutate.DropsGuard)
		flags = slices.DeleteFunc(flags, func(f mutate.Flag) bool { return f == mutate.DropsGuard })
	}
	return flags, err
}

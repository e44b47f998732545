package validate

import (
	"context"
	"slices"

	"mendel/analysis/locks/changes"
	"mendel/mutate"
	"mendel/validate/rules"
	"mendel/validate/sections"
)

// A Prospect is the fix that a mutant may become, as far as its source tells,
// before it is reduced.
type Prospect struct {
	Edits []mutate.Edit // what the mutant is completed to
	Flags []mutate.Flag // sorted; those that the model of locks finds among them
}

// Prospect finds what fix a mutant may become. It builds no test binary.
func (v *Validator) Prospect(ctx context.Context, m *mutate.Mutant) (*Prospect, error) {
	v.turn.Lock()
	defer v.turn.Unlock()
	all, err := v.completions(ctx, m)
	if err != nil {
		return nil, err
	}
	best := all[0]
	splits, err := v.splits(best.mutant)
	if err != nil {
		return nil, err
	}
	flags := slices.Clone(best.mutant.Flags)
	if len(best.open) > 0 {
		leaves, err := v.leaves(best.mutant.Edits, best.demands)
		if err != nil {
			return nil, err
		}
		if leaves {
			flags = append(flags, mutate.IncompleteGuard)
		}
	}
	if len(splits) > 0 {
		flags = append(flags, mutate.SplitSection)
	}
	grown, err := sections.New(v.o.Program, v.o.Narrowing, v.model).Growth(best.mutant)
	if err != nil {
		return nil, err
	}
	if grown.Blocks {
		flags = append(flags, mutate.Blocks)
	}
	if rules.SharesLock(v.o.Narrowing, best.mutant.Edits) {
		flags = append(flags, mutate.SharedLock)
	}
	if len(v.secondGuards(best.mutant.Edits)) > 0 {
		flags = append(flags, mutate.WrongLock)
	}
	// Of the mutant itself: what it is completed to may be refused, and is to leave nothing out.
	if flags, err = v.addFindings(m, new(Quality), flags, changes.LeftOut); err != nil {
		return nil, err
	}
	slices.Sort(flags)
	return &Prospect{Edits: best.mutant.Edits, Flags: slices.Compact(flags)}, nil
}

// Veto returns why a mutant can be no fix, decided by its source alone: policy or
// a static rule speaks against it; nil if it may be a fix. A part of it may be one
// all the same, and Validate looks for that. Veto builds nothing, and is safe to
// call while Validate runs. The error is for sources that cannot be compared.
func (v *Validator) Veto(m *mutate.Mutant) (*Rejected, error) {
	j := &job{Validator: v, covers: sections.New(v.o.Program, v.o.Narrowing, v.model)}
	return j.objection(m)
}

package validate

import (
	"context"
	"slices"

	"mendel/analysis/locks"
	"mendel/mutate"
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
	quality, err := newCovers(v.o.Program, v.o.Narrowing, v.model).quality(best.mutant)
	if err != nil {
		return nil, err
	}
	if quality.blocks {
		flags = append(flags, mutate.Blocks)
	}
	if v.sharesLock(best.mutant.Edits) {
		flags = append(flags, mutate.SharedLock)
	}
	if len(v.secondGuards(best.mutant.Edits)) > 0 {
		flags = append(flags, mutate.WrongLock)
	}
	// Of the mutant itself: what it is completed to may be refused, and is to leave nothing out.
	if flags, err = v.addFindings(m, new(Quality), flags, locks.LeftOut); err != nil {
		return nil, err
	}
	slices.Sort(flags)
	return &Prospect{Edits: best.mutant.Edits, Flags: slices.Compact(flags)}, nil
}

package validate

import (
	"cmp"
	"slices"
	"strings"

	"mendel/mutate"
)

// Rank sorts fixes, best first: unflagged, then those that block in a section,
// nest locks, drop a guard, and last of all those that serialise a goroutine
// body; within these fewer flags, fewer changed lines, fewer guarded
// statements, cheaper. Ties are broken by the mutant's hash, so that the order is total.
func Rank(fixes []*Fix) {
	slices.SortStableFunc(fixes, func(a, b *Fix) int {
		return cmp.Or(
			cmp.Compare(worst(a.Flags), worst(b.Flags)),
			cmp.Compare(len(a.Flags), len(b.Flags)),
			cmp.Compare(a.Changed.Total(), b.Changed.Total()),
			cmp.Compare(a.Guarded, b.Guarded),
			cmp.Compare(len(a.NewLocks), len(b.NewLocks)),
			cmp.Compare(a.Cost.rank(), b.Cost.rank()),
			cmp.Compare(a.Changed.Comments, b.Changed.Comments),
			strings.Compare(a.Mutant.Hash, b.Mutant.Hash),
		)
	})
}

// gravity orders flags by how much they speak against a fix. An unknown flag
// weighs more than none and less than any other.
func gravity(f mutate.Flag) int {
	switch f {
	case mutate.Serialises:
		return 5
	case mutate.DropsGuard:
		return 4
	case mutate.Nested:
		return 3
	case mutate.Blocks:
		return 2
	}
	return 1
}

// worst is the gravity of the gravest flag, 0 without flags.
func worst(flags []mutate.Flag) int {
	w := 0
	for _, f := range flags {
		w = max(w, gravity(f))
	}
	return w
}

// rank is the cost as a single figure for comparison, the mean of both ratios.
// What was not measured counts as unchanged.
func (c Cost) rank() float64 {
	if c.Pairs == 0 {
		return 1
	}
	return (c.Time + c.Switches) / 2
}

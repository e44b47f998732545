package validate

import (
	"cmp"
	"slices"
	"strings"

	"mendel/mutate"
	"mendel/validate/rules"
)

// Rank sorts fixes, best first: those whose validation is incomplete come last, and before
// them workarounds. Among the others the unflagged come first, then those whose flags are
// less grave; within these fewer flags, no clear loss of parallelism against the best
// of them, fewer changed lines, less that may block in a section, shorter
// sections, fewer guarded statements, cheaper. Ties are broken by the mutant's
// hash, so that the order is total. A fix without what the tests do not exercise
// comes directly behind the one with it, unless that is a workaround.
func Rank(fixes []*Fix) {
	best := map[string]float64{} // speed-up, by flags
	for _, f := range fixes {
		if f.Parallel.Rounds > 0 {
			best[flagKey(f.Flags)] = max(best[flagKey(f.Flags)], f.Parallel.After)
		}
	}
	loses := func(f *Fix) int {
		return boolInt(f.Parallel.Rounds > 0 && f.Parallel.High < (1-parallelMargin)*best[flagKey(f.Flags)])
	}
	slices.SortStableFunc(fixes, func(a, b *Fix) int {
		return cmp.Or(
			cmp.Compare(boolInt(len(a.Incomplete) > 0), boolInt(len(b.Incomplete) > 0)),
			cmp.Compare(boolInt(len(Workaround(a.Flags)) > 0), boolInt(len(Workaround(b.Flags)) > 0)),
			cmp.Compare(rules.Gravest(a.Flags), rules.Gravest(b.Flags)),
			cmp.Compare(len(a.Flags), len(b.Flags)),
			cmp.Compare(flagKey(a.Flags), flagKey(b.Flags)),
			cmp.Compare(loses(a), loses(b)),
			cmp.Compare(a.Changed.Total(), b.Changed.Total()),
			cmp.Compare(len(a.Quality.Blocking), len(b.Quality.Blocking)),
			cmp.Compare(a.Quality.LongestSection, b.Quality.LongestSection),
			cmp.Compare(a.Guarded, b.Guarded),
			cmp.Compare(len(a.NewLocks), len(b.NewLocks)),
			cmp.Compare(a.Cost.rank(), b.Cost.rank()),
			cmp.Compare(a.Changed.Comments, b.Changed.Comments),
			strings.Compare(a.Mutant.Hash, b.Mutant.Hash),
		)
	})
	putBehind(fixes)
}

// parallelMargin is how much of the best fix's speed-up another may fall short
// of, with three quarters of its rounds, and not be ranked behind it for that.
const parallelMargin = 0.10

// flagKey identifies a set of flags.
func flagKey(flags []mutate.Flag) string {
	names := make([]string, len(flags))
	for i, f := range flags {
		names[i] = string(f)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// Workaround are the flags by which a fix puts the bug off, or gives something up for it,
// instead of mending it; see [rules.Flags]. Empty: it is a fix.
func Workaround(flags []mutate.Flag) []mutate.Flag { return rules.Workaround(flags) }

// rank is the cost as a single figure for comparison, the mean of both ratios.
// What was not measured counts as unchanged.
func (c Cost) rank() float64 {
	if c.Pairs == 0 {
		return 1
	}
	return (c.Time + c.Switches) / 2
}

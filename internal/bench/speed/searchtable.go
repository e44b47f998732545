package speed

import (
	"fmt"
	"math"
	"slices"

	"mendel/internal/bench/tables"
)

// What is asked of the search.
const (
	leastSpeedup  = 10.0    // mutants per minute, in times those of the other version, median
	mostBuilding  = 0.2     // of the search's time, on each package
	leastVariants = 0.9     // of the programs that are built, all packages together
	mostPeak      = 4 << 30 // bytes resident of Mendel and its children
)

// each is a figure of those repairs that searched.
func each(runs []searched, figure func(searched) float64) []float64 {
	var all []float64
	for _, s := range runs {
		if s.Seconds > 0 {
			all = append(all, figure(s))
		}
	}
	return all
}

// total adds up a figure of them.
func total(runs []searched, figure func(searched) float64) (sum float64) {
	for _, value := range each(runs, figure) {
		sum += value
	}
	return sum
}

func mutants(s searched) float64     { return float64(s.Mutants) }
func seconds(s searched) float64     { return s.Seconds }
func building(s searched) float64    { return s.Building }
func built(s searched) float64       { return float64(s.Programs) }
func executables(s searched) float64 { return float64(s.Executables) }
func variants(s searched) float64    { return float64(s.Variants) }
func peak(s searched) float64        { return float64(s.Peak) }

// share is a part of something; 0 if there is nothing.
func share(part, of float64) float64 {
	if of <= 0 {
		return 0
	}
	return part / of
}

// speedup is in how many times as many mutants are scored per minute as before, the median
// of the rounds in which both searched; 0: there is none. A version that scored none in a
// round is taken to have scored one: then it is no less than that.
func (c searchCost) speedup() float64 {
	var ratios []float64
	for i, before := range c.Before {
		if i >= len(c.After) || before.Seconds <= 0 || c.After[i].Seconds <= 0 {
			continue
		}
		before.Mutants = max(before.Mutants, 1)
		ratios = append(ratios, c.After[i].perMinute()/before.perMinute())
	}
	return tables.Median(ratios)
}

func searchTable(costs []searchCost) *tables.Table {
	t := &tables.Table{Header: []string{
		"package of", "lines", "mutants before", "a minute", "mutants", "a minute", "ratio", "of the search building", "before", "executables", "programs", "as variants", "peak", "before",
	}}
	for _, c := range costs {
		before := []string{"-", "-", "-", "-"}
		if len(c.Before) > 0 {
			before = []string{
				fmt.Sprintf("%.0f", tables.Median(each(c.Before, mutants))), fmt.Sprintf("%.1f", tables.Median(each(c.Before, searched.perMinute))),
				tables.Percent(share(total(c.Before, building), total(c.Before, seconds))), tables.Mebibytes(int64(slices.Max(append(each(c.Before, peak), 0)))),
			}
		}
		t.Add(c.Bug, c.Lines, before[0], before[1],
			fmt.Sprintf("%.0f", tables.Median(each(c.After, mutants))), fmt.Sprintf("%.1f", tables.Median(each(c.After, searched.perMinute))), tables.FormatPositive("%.1f", c.speedup()),
			tables.Percent(share(total(c.After, building), total(c.After, seconds))), before[2],
			fmt.Sprintf("%.0f", tables.Median(each(c.After, executables))), fmt.Sprintf("%.0f", tables.Median(each(c.After, built))),
			tables.Percent(share(total(c.After, variants), total(c.After, built))), tables.Mebibytes(int64(slices.Max(append(each(c.After, peak), 0)))), before[3])
	}
	return t
}

// A criterion is something that is asked, and what came of it.
type criterion struct {
	asked, figure string
	met           bool
}

// searchCriteria are what is asked of the search.
func searchCriteria(costs []searchCost) []criterion {
	if len(costs) == 0 {
		return nil
	}
	var speedups, shares []float64
	var variant, all, most float64
	for _, c := range costs {
		if len(c.Before) > 0 {
			speedups = append(speedups, c.speedup())
		}
		shares = append(shares, share(total(c.After, building), total(c.After, seconds)))
		variant, all = variant+total(c.After, variants), all+total(c.After, built)
		most = slices.Max(append(each(c.After, peak), most))
	}
	var asked []criterion
	if len(speedups) > 0 {
		median, least := tables.Median(speedups), slices.Min(speedups)
		asked = append(asked,
			criterion{fmt.Sprintf("mutants scored per minute, in the median %.0f times as many as before", leastSpeedup), fmt.Sprintf("%.1f times", median), median >= leastSpeedup},
			criterion{"on no package fewer than before", fmt.Sprintf("%.1f times at least", least), least >= 1})
	}
	longest := slices.Max(shares)
	asked = append(asked,
		criterion{fmt.Sprintf("building takes at most %s of the search on each package", tables.Percent(mostBuilding)), tables.Percent(longest) + " at most", longest <= mostBuilding},
		criterion{fmt.Sprintf("at least %s of the programs are variants of functions in one executable", tables.Percent(leastVariants)), floored(share(variant, all)), share(variant, all) >= leastVariants},
		criterion{fmt.Sprintf("memory of Mendel and its children at most %s", tables.Mebibytes(mostPeak)), tables.Mebibytes(int64(most)), most <= mostPeak})
	return asked
}

// floored is a share in whole percents, never more than it is.
func floored(share float64) string { return fmt.Sprintf("%.0f %%", math.Floor(100*share)) }

func criteriaTable(criteria []criterion) *tables.Table {
	t := &tables.Table{Header: []string{"asked", "figure", "met"}}
	for _, c := range criteria {
		met := "no"
		if c.met {
			met = "yes"
		}
		t.Add(c.asked, c.figure, met)
	}
	return t
}

// searchMisses are the criteria that the searches do not meet, and repairs that searched
// nothing.
func searchMisses(costs []searchCost) (all []string) {
	for _, c := range searchCriteria(costs) {
		if !c.met {
			all = append(all, fmt.Sprintf("the search: %s: %s", c.asked, c.figure))
		}
	}
	for _, c := range costs {
		for _, s := range slices.Concat(c.Before, c.After) {
			if s.Problem != "" {
				all = append(all, fmt.Sprintf("%s, seed %d: nothing was searched: %s", c.Bug, s.Seed, s.Problem))
			}
		}
	}
	return all
}

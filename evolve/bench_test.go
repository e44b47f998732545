package evolve

import (
	"context"
	"testing"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

// landscapes are fixes of different shapes among 480 edits: 30 sites, 4
// operators, 4 locks. Everything that is not a fix passes 6 of 15 runs, unless it says so.
var landscapes = []struct {
	name     string
	score    func(m *mutate.Mutant) float64
	distinct func(m *mutate.Mutant) float64
}{
	{name: "single", score: step(func(m *mutate.Mutant) bool { return on(m, "lockmethod", 2, 1) })},
	{name: "cold-single", score: step(func(m *mutate.Mutant) bool { return on(m, "lockmethod", 22, 1) })},
	// Two sections that must be on one lock, whichever.
	{name: "pair", score: step(func(m *mutate.Mutant) bool {
		for lock := range 4 {
			if on(m, "lockstatement", 1, lock) && on(m, "lockstatement", 3, lock) {
				return true
			}
		}
		return false
	})},
	// The first step makes it worse.
	{name: "valley", score: func(m *mutate.Mutant) float64 {
		lock, swap := on(m, "lockstatement", 0, 2), on(m, "swaplocks", 2, 0)
		switch {
		case lock && swap:
			return 1000
		case lock || swap:
			return 200
		}
		return 400
	}},
	// Three steps, each of which helps.
	{name: "slope", score: func(m *mutate.Mutant) float64 {
		score := 400.0
		for node := range 3 {
			if on(m, "lockstatement", node, 0) {
				score += 200
			}
		}
		return score
	}},
	{name: "races", score: noRace, distinct: races},
}

// races are those left of three, each of which one lock at its place mends; as
// long as one is left, no run passes.
func races(m *mutate.Mutant) float64 {
	left := 3.0
	for node := range 3 {
		if on(m, "lockstatement", node, 0) {
			left--
		}
	}
	return left
}

func noRace(m *mutate.Mutant) float64 {
	if races(m) == 0 {
		return 1000
	}
	return 0
}

func step(fixed func(m *mutate.Mutant) bool) func(m *mutate.Mutant) float64 { return flat(fixed).score }

func on(m *mutate.Mutant, operator string, node, lock int) bool {
	for _, e := range m.Edits {
		if e.Operator == operator && e.Node == node && e.Lock.Expr[1] == byte('0'+lock) {
			return true
		}
	}
	return false
}

// variants are searches to compare.
var variants = []struct {
	name    string
	options Options
}{
	{"weighted", Options{}},
	{"uniform", Options{UniformOperators: true}},
	{"no-opening", Options{NoOpening: true}},
	{"no-slope", Options{NoSlope: true}},
	{"random", Options{Random: true}},
}

// BenchmarkSearch reports the quality of searches: the share of seeds 1 to 50
// that found the fix, and the evaluations they took. Its time is that of the
// search alone; scores cost nothing here.
func BenchmarkSearch(b *testing.B) {
	for _, l := range landscapes {
		for _, variant := range variants {
			b.Run(l.name+"/"+variant.name, func(b *testing.B) {
				const seeds = 50
				found, evaluations := 0, 0
				for b.Loop() {
					found, evaluations = 0, 0
					for seed := range uint64(seeds) {
						o := variant.options
						o.Seed, o.Kind, o.Workers = seed+1, evidence.Race, 1
						r, err := Search(context.Background(), grid(30, operators, 4), &fakeEvaluator{score: l.score, distinct: l.distinct}, o)
						if err != nil {
							b.Fatal(err)
						}
						evaluations += r.Evaluations
						if r.Ended == Accepted {
							found++
						}
					}
				}
				b.ReportMetric(float64(found)/seeds, "found/seed")
				b.ReportMetric(float64(evaluations)/max(1, float64(found)), "evaluations/fix")
			})
		}
	}
}

package evolve

import (
	"cmp"
	"slices"

	"mendel/fitness"
	"mendel/mutate"
)

// maxBest is how many mutants a Result names: more than anybody reads.
const maxBest = 10

// A verdict is what Accept said of a mutant.
type verdict int

// Verdicts, in the order of preference.
const (
	accepted verdict = iota
	unjudged
	rejected
)

// A ledger holds every score, by hash, and the best mutants.
type ledger struct {
	results     map[string]fitness.Result
	evaluations int
	top         float64 // best score of a mutant with edits
	ranked      []ranked
}

type ranked struct {
	Scored
	verdict verdict
	slope   float64
}

func newLedger() *ledger { return &ledger{results: make(map[string]fitness.Result)} }

// add records a score.
func (l *ledger) add(m *mutate.Mutant, r fitness.Result) {
	l.results[m.Hash] = r
	l.evaluations++
	if len(m.Edits) > 0 {
		l.top = max(l.top, r.Score)
	}
}

// rank puts a mutant among the best if it belongs there. It is called once for each source.
func (l *ledger) rank(sc Scored, v verdict, slope float64) {
	l.ranked = append(l.ranked, ranked{sc, v, slope})
	slices.SortStableFunc(l.ranked, func(a, b ranked) int {
		if a.verdict == accepted || b.verdict == accepted {
			return cmp.Compare(a.verdict, b.verdict)
		}
		return cmp.Or(
			cmp.Compare(b.Result.Score, a.Result.Score),
			cmp.Compare(a.verdict, b.verdict),
			cmp.Compare(b.slope, a.slope),
			cmp.Compare(len(a.Mutant.Edits), len(b.Mutant.Edits)),
		)
	})
	if len(l.ranked) > maxBest {
		clear(l.ranked[maxBest:]) // let go of the sources
		l.ranked = l.ranked[:maxBest]
	}
}

func (l *ledger) best() []Scored {
	best := make([]Scored, len(l.ranked))
	for i, r := range l.ranked {
		best[i] = r.Scored
	}
	return best
}

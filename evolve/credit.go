package evolve

// What became of single edits. This goes beyond Kelk 2015, where only
// operators have weights (section 4.2.9); it does some of the work of
// crossover: what helped one member is likelier to be tried by the others.

import "mendel/fitness"

// Guessed, not measured:
const (
	untried    = 2   // merit of an edit that no mutation has brought in yet
	leastMerit = 0.5 // of one that only ever did harm: it may be half of a fix
	mostMerit  = 8
	meritSlope = 20 // merit for a mean rise over the whole scale
)

// merits are how much likelier than another edit one is to be drawn.
type merits struct{ sums map[string]account }

func newMerits() *merits { return &merits{sums: make(map[string]account)} }

// record takes down what bringing in an edit did to a score.
func (ms *merits) record(id string, before, after *state) {
	a := ms.sums[id]
	a.trials++
	a.gain += (after.score - before.score) / fitness.FullScore
	ms.sums[id] = a
}

// of returns an edit's merit; it is positive.
func (ms *merits) of(id string) float64 {
	a := ms.sums[id]
	if a.trials == 0 {
		return untried
	}
	return min(max(1+meritSlope*a.gain/float64(a.trials), leastMerit), mostMerit)
}

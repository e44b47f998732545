package evolve

// Credit of single edits, by their results. This goes beyond Kelk 2015, where
// only operators have weights (section 4.2.9). It does some of the work of
// crossover: what helped one member is likelier to be tried by the others.

// Guessed, not measured:
const (
	newCredit   = 2   // of an edit that no mutation has added yet
	leastCredit = 0.5 // of one that only ever did harm: it may be half of a fix
	mostCredit  = 8
	creditSlope = 20 // credit for a mean rise over the whole scale
)

// credits say how much likelier than another one an edit is to be drawn.
type credits struct{ sums map[string]account }

func newCredits() *credits { return &credits{sums: make(map[string]account)} }

// record notes what adding an edit did to a score.
func (c *credits) record(id string, before, after *state) {
	a := c.sums[id]
	a.trials++
	a.gain += gain(before.rating, after.rating)
	c.sums[id] = a
}

// of returns an edit's credit; it is positive.
func (c *credits) of(id string) float64 {
	a := c.sums[id]
	if a.trials == 0 {
		return newCredit
	}
	return min(max(1+creditSlope*a.gain/float64(a.trials), leastCredit), mostCredit)
}

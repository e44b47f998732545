package evolve

// What a mutant is worth in the search: its score and, second to it, the slope
// (see fitness.Result.Slope). Kelk 2015 knows the score alone. On real programs
// every mutant scores 0 as long as one of several races is left, and a search
// that sees no more than that is a random one.

import (
	"cmp"

	"mendel/fitness"
	"mendel/mutate"
)

// A rating is what a mutant is worth beside others: the higher score and, of
// equal ones, the higher slope.
type rating struct {
	score float64 // 0 to fitness.FullScore
	slope float64 // 0 to 1
}

func (r rating) compare(o rating) int {
	return cmp.Or(cmp.Compare(r.score, o.score), cmp.Compare(r.slope, o.slope))
}

func (r rating) plus(o rating) rating { return rating{r.score + o.score, r.slope + o.slope} }

func (r rating) over(n int) rating { return rating{r.score / float64(n), r.slope / float64(n)} }

// slopeGain is what a rise over the whole slope is worth, to an edit and its
// operator, beside one over the whole scale of scores. Slopes differ by little: one
// failure of three gone is a tenth. Chosen with BenchmarkSearch.
const slopeGain = 2

// gain is what a mutation has brought, 1 being the whole scale of scores.
func gain(before, after rating) float64 {
	return (after.score-before.score)/fitness.FullScore + slopeGain*(after.slope-before.slope)
}

// A state is a mutant and its rating.
type state struct {
	mutant  *mutate.Mutant
	result  fitness.Result
	rating       // of result, unless it was reset to 0 or demoted
	pending bool // planned, its score is not known yet
	refuted bool // it had a full score; result.Samples are what refuted it
}

// settle rates a state that was planned.
func (st *state) settle(s *search) {
	if !st.pending {
		return
	}
	st.result = s.ledger.results[st.mutant.Hash]
	st.rating = s.rate(st.result)
	st.pending = false
}

// worse reports whether a state is worse than what it was made from.
func (st *state) worse(before *state) bool {
	if st.pending {
		return st.score < before.score // as if it scored 0
	}
	return st.compare(before.rating) < 0
}

// rate rates a result. Slopes are relative to the original's.
func (s *search) rate(r fitness.Result) rating {
	if s.NoSlope {
		return rating{score: r.Score}
	}
	return rating{r.Score, r.Slope(s.original.result)}
}

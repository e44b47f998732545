package evolve

// Convergence: Kelk 2015, table 4.11, "Improv. Window", "Avg. Fit. Delta" and
// "Best Fit. Delta". The thesis gives no formula; ours is below.
//
// Deviation: a search does not converge while there is an edit that was not
// tried alone. On a flat landscape nothing improves until the right one comes;
// from then on the members take them one after the other (mutation.go).

// progress is what a generation reached.
type progress struct{ mean, best rating }

// convergeSlope is the smallest rise of a slope that counts as an improvement:
// less than one failure of six gone. Guessed.
const convergeSlope = 0.05

// converged reports whether, in the last window of generations, neither the mean
// nor the best score of the population rose by its smallest improvement above
// where the window began, and the best slope did not either. A population that
// fell and recovered has not risen.
func converged(history []progress, o Options) bool {
	if o.ConvergeWindow < 0 || o.Random || len(history) <= o.ConvergeWindow {
		return false
	}
	window := history[len(history)-1-o.ConvergeWindow:]
	start := window[0]
	for _, p := range window[1:] {
		if p.mean.score-start.mean.score >= o.ConvergeMean || p.best.score-start.best.score >= o.ConvergeBest {
			return false
		}
		if p.best.score >= start.best.score && p.best.slope-start.best.slope >= convergeSlope {
			return false
		}
	}
	return true
}

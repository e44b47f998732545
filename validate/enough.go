package validate

import (
	"math"
	"time"

	"mendel/internal/binomial"
)

const (
	// Confirming runs end when a bug that is still there, as frequent as before,
	// would have passed them all with less than this probability.
	remainingChance = 1e-6
	// confidence of the lower bound of that frequency.
	confidence = 0.95

	// A candidate that the checker has passed is confirmed by so many runs at
	// least, and by slowFloor where a run takes longer than slowRun on average.
	// Noise is the second judge then. Guesses, as what follows.
	runsFloor = 20
	slowFloor = 10
	slowRun   = 2 * time.Second
	// aloneFactor times as many where noise is the only judge and not each run of the original
	// has failed: a candidate may mend what is frequent and leave what is rare.
	aloneFactor = 3

	// Beyond the floor no run is made when they have taken so long, added up. As
	// two to four go on side by side on each processor, two processors take a
	// quarter to an eighth of that.
	confirmTime = 30 * time.Second
	aloneTime   = 90 * time.Second

	// A step of reducing is confirmed by fewer runs, because what is left at the
	// end is confirmed in full.
	stepRuns  = 30
	stepFloor = 5 // of slow runs
	stepTime  = 10 * time.Second
)

// A quota says how many noised runs confirm a mutant.
type quota struct {
	need  int           // runs that leave no chance worth mentioning
	floor int           // never fewer
	slow  int           // the floor, where runs are slow
	most  int           // never more
	time  time.Duration // that the runs may take, added up, beyond the floor; 0: any
	// certain says that runs under what failed the original would have shown the
	// failure, if any was made.
	certain bool
	rest    int // runs that are enough then
}

// after is the quota of a mutant that has passed so many runs under what failed the
// original: noise is the second judge then. Where what is predicted around the changes is
// forced as well, it is the third.
func (q quota) after(forced int) quota {
	if q.certain && forced > 0 {
		q.need, q.floor, q.slow = 0, min(q.floor, q.rest), min(q.slow, slowFloor)
	}
	return q
}

// enough reports whether so many runs, which took so long when added up, confirm
// a mutant.
func (q quota) enough(runs int, elapsed time.Duration) bool {
	floor := q.floor
	if elapsed > time.Duration(runs)*slowRun {
		floor = q.slow
	}
	switch {
	case runs >= q.most:
		return true
	case runs < floor:
		return false
	}
	return runs >= q.need || q.time > 0 && elapsed >= q.time
}

// confirms reports whether a series of runs is enough.
func (q quota) confirms(c Confirmation) bool {
	return q.after(c.Forced).enough(c.Runs, time.Duration(c.Runs)*c.Elapsed)
}

// wanted is how many runs there are to be, unless they are slow.
func (q quota) wanted() int { return min(max(q.floor, q.need), q.most) }

// Expected is how many noised runs confirm a fix if each takes so long: those that
// Confirm asks for, after the checker has passed the candidate or without it.
func (v *Validator) Expected(checked bool, each time.Duration) int {
	if v.o.NoNoise {
		return 0
	}
	q := v.full(checked)
	n := 1
	for !q.enough(n, time.Duration(n)*each) {
		n++
	}
	return n
}

// full is what confirms a fix. With Options.Runs it is exactly as many runs as the
// user wants, or more where the failure was rare.
func (v *Validator) full(checked bool) quota {
	most := v.runs()
	if v.o.Runs > 0 {
		return quota{need: most, floor: most, slow: most, most: most}
	}
	q := quota{need: v.need(), floor: runsFloor, slow: slowFloor, most: most, time: confirmTime, certain: v.o.ForcedCertain, rest: runsFloor}
	if v.o.Saturate != nil {
		q.rest = slowFloor
	}
	switch {
	case !checked && v.always():
		q.slow, q.time = runsFloor, aloneTime
	case !checked:
		q.floor, q.slow, q.time = aloneFactor*runsFloor, aloneFactor*slowFloor, aloneTime
	}
	return q
}

// always reports whether each run of the original has failed.
func (v *Validator) always() bool { return v.o.Before.Runs > 0 && v.o.Before.Passes == 0 }

// brief is what confirms a step of reducing a fix that is confirmed in full later.
func (v *Validator) brief() quota {
	most := min(v.runs(), stepRuns)
	if v.o.Runs > 0 {
		return quota{need: most, floor: most, slow: most, most: most}
	}
	return quota{need: v.need(), floor: min(runsFloor, most), slow: stepFloor, most: most, time: stepTime}
}

// need is how many runs have to pass until a bug as frequent as before is there
// with less than the remaining chance. If it was never seen, no number is enough.
func (v *Validator) need() int {
	p := lowerBound(v.o.Before.Runs-v.o.Before.Passes, v.o.Before.Runs)
	if p == 0 {
		return math.MaxInt
	}
	return int(math.Ceil(min(math.Log(remainingChance)/math.Log1p(-p), math.MaxInt32)))
}

// Unseen is the natural logarithm of the probability that n runs of a program all
// pass that failed in some runs before: n ln(1-p), where p is the lower bound of
// the failure's frequency with 95 % confidence. 0 if it did not fail.
func Unseen(failed, runs, n int) float64 {
	return float64(n) * math.Log1p(-lowerBound(failed, runs))
}

// lowerBound is the lower confidence bound of a failure's frequency: with a smaller
// frequency as many failures or more would be seen in less than 5 % of the cases.
func lowerBound(failed, runs int) float64 {
	if failed > runs {
		return 0
	}
	return binomial.Lower(failed, runs, 1-confidence)
}

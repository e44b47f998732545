package validate

import (
	"context"
	"fmt"
	"slices"

	"mendel/fitness/noise"
)

const (
	// Ratios beyond these, seen in the same direction by clearShare of the
	// pairs, are a difference. On an idle machine two copies of one program
	// stay within them; guesses otherwise.
	timeMargin     = 0.10
	switchesMargin = 0.25
	clearShare     = 0.75

	// costFailures is how many pairs may fail before measuring is given up:
	// a deadlock costs a time-out each.
	costFailures = 2
)

// A comparison of two programs.
type comparison struct {
	Cost
	time, switches direction
}

// A direction is which of two programs clearly has less of something.
type direction int

const (
	equal direction = iota
	less
	more
)

// compare runs two programs (files that replace the original's; nil: the
// original) in turns, without noise and race detector, and one at a time: A B,
// B A, A B, ... Pairs in which one fails do not count.
func (v *Validator) compare(ctx context.Context, a, b map[string][]byte) (comparison, error) {
	binA, err := v.o.Runner.Build(ctx, noise.Plain, a)
	if err != nil {
		return comparison{}, fmt.Errorf("building to compare costs: %w", err)
	}
	defer binA.Close()
	binB, err := v.o.Runner.Build(ctx, noise.Plain, b)
	if err != nil {
		return comparison{}, fmt.Errorf("building to compare costs: %w", err)
	}
	defer binB.Close()

	var times, switches []float64
	for i, failed := 0, 0; i < v.o.CostPairs && failed < costFailures; i++ {
		before, after, err := v.pair(ctx, binA, binB, i%2 == 1)
		if err != nil {
			return comparison{}, fmt.Errorf("comparing costs: %w", err)
		}
		if !before.Pass || !after.Pass || before.Elapsed <= 0 {
			failed++
			continue
		}
		times = append(times, float64(after.Elapsed)/float64(before.Elapsed))
		// One more on each side: none against one is not infinitely more.
		switches = append(switches, float64(after.Switches+1)/float64(before.Switches+1))
	}
	if len(times) == 0 {
		return comparison{}, nil
	}
	return comparison{
		Cost:     Cost{len(times), median(times), median(switches)},
		time:     directionOf(times, timeMargin),
		switches: directionOf(switches, switchesMargin),
	}, nil
}

// pair runs both programs once; swapped, the second first.
func (v *Validator) pair(ctx context.Context, a, b Binary, swapped bool) (before, after noise.Outcome, err error) {
	once := func(b Binary) noise.Outcome {
		if err != nil {
			return noise.Outcome{}
		}
		var out []noise.Outcome
		out, err = b.RunMany(ctx, 1, noise.RunOptions{Quiet: true, Timeout: v.o.Timeout}, nil)
		if err == nil && len(out) != 1 {
			err = fmt.Errorf("%d outcomes of one run", len(out))
		}
		if err != nil {
			return noise.Outcome{}
		}
		return out[0]
	}
	if swapped {
		after = once(b)
		before = once(a)
	} else {
		before = once(a)
		after = once(b)
	}
	return before, after, err
}

// directionOf judges ratios by their median and by how many agree with it.
func directionOf(ratios []float64, margin float64) direction {
	m := median(ratios)
	down, up := 0, 0
	for _, r := range ratios {
		if r < 1 {
			down++
		} else if r > 1 {
			up++
		}
	}
	enough := func(n int) bool { return float64(n) >= clearShare*float64(len(ratios)) }
	switch {
	case m <= 1-margin && enough(down):
		return less
	case m >= 1+margin && enough(up):
		return more
	}
	return equal
}

func median(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// worse tells whether the second program clearly costs more.
func (c comparison) worse() bool { return c.time == more || c.switches == more }

// better tells whether the second program clearly costs less.
func (c comparison) better() bool { return !c.worse() && (c.time == less || c.switches == less) }

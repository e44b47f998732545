package validate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/sourcegraph/conc/pool"

	"mendel/fitness/noise"
)

const (
	// A difference counts when the median of the ratios is beyond the margin,
	// the median of the differences beyond the floor, and clearShare of at
	// least clearPairs pairs agree: nine of ten equal programs look the same
	// way once in a hundred times. The floors keep out what starting a process
	// costs now and then. Guesses all.
	timeMargin     = 0.10
	timeFloor      = 500 * time.Microsecond
	switchesMargin = 0.25
	switchesFloor  = 10
	clearShare     = 0.9
	clearPairs     = 5

	// No pair is begun when pairs have taken costTime, and none at all once a run
	// has taken longer than slowest: to compare slow programs costs more than it
	// tells.
	costTime = 3 * time.Second
	slowest  = time.Second

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
// B A, A B, ... Pairs in which one fails do not count. Slow programs are not
// compared: they are taken to be equal.
func (v *Validator) compare(ctx context.Context, a, b map[string][]byte) (comparison, error) {
	if v.slow {
		return comparison{}, nil
	}
	var built [2]Binary
	both := pool.New().WithContext(ctx).WithFirstError()
	for i, files := range []map[string][]byte{a, b} {
		both.Go(func(ctx context.Context) (err error) {
			built[i], err = v.o.Runner.Build(ctx, noise.Plain, files)
			return err
		})
	}
	err := both.Wait()
	for _, b := range built {
		if b != nil {
			defer b.Close()
		}
	}
	if err != nil {
		return comparison{}, fmt.Errorf("building to compare costs: %w", err)
	}
	c, longest, err := v.measure(ctx, built[0], built[1], v.o.Timeout)
	v.slow = v.slow || longest > slowest
	return c, err
}

// measure compares two built programs. A run takes no longer than limit; 0: the
// runner's. Of slow programs fewer pairs are run; longest is the time of the longest
// run that passed.
func (v *Validator) measure(ctx context.Context, binA, binB Binary, limit time.Duration) (c comparison, longest time.Duration, err error) {
	var times, switches pairs
	var spent time.Duration
	for i, failed := 0, 0; i < v.o.CostPairs && failed < costFailures && spent < costTime && longest <= slowest; i++ {
		before, after, err := v.pair(ctx, binA, binB, i%2 == 1, limit)
		if err != nil {
			return comparison{}, 0, fmt.Errorf("comparing costs: %w", err)
		}
		spent += before.Elapsed + after.Elapsed
		if !before.Pass || !after.Pass || before.Elapsed <= 0 {
			failed++
			continue
		}
		longest = max(longest, before.Elapsed, after.Elapsed)
		times.add(float64(before.Elapsed), float64(after.Elapsed), 0)
		// One more on each side: none against one is not infinitely more.
		switches.add(float64(before.Switches), float64(after.Switches), 1)
	}
	n := len(times.ratios)
	if n == 0 || longest > slowest {
		return comparison{}, longest, nil
	}
	return comparison{
		Cost: Cost{
			Pairs: n, Time: median(times.ratios), Switches: median(switches.ratios),
			TimeInterval: medianInterval(times.ratios), SwitchesInterval: medianInterval(switches.ratios),
		},
		time:     times.direction(timeMargin, float64(timeFloor)),
		switches: switches.direction(switchesMargin, switchesFloor),
	}, longest, nil
}

// pairs are the measurements of one quantity of two programs.
type pairs struct{ ratios, differences []float64 }

// add takes in a pair; both are increased by plus before they are divided.
func (p *pairs) add(before, after, plus float64) {
	p.ratios = append(p.ratios, (after+plus)/(before+plus))
	p.differences = append(p.differences, after-before)
}

// pair runs both programs once; swapped, the second first.
func (v *Validator) pair(ctx context.Context, a, b Binary, swapped bool, limit time.Duration) (before, after noise.Outcome, err error) {
	once := func(b Binary) noise.Outcome {
		if err != nil {
			return noise.Outcome{}
		}
		var out []noise.Outcome
		out, err = b.RunMany(ctx, 1, noise.RunOptions{Quiet: true, Timeout: limit}, nil)
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

// direction judges whether the second program clearly has less or more.
func (p pairs) direction(margin, floor float64) direction {
	n := len(p.ratios)
	down, up := 0, 0
	for _, d := range p.differences {
		if d < 0 {
			down++
		} else if d > 0 {
			up++
		}
	}
	clear := func(agreeing int) bool { return n >= clearPairs && float64(agreeing) >= clearShare*float64(n) }
	ratio, difference := median(p.ratios), median(p.differences)
	switch {
	case ratio <= 1-margin && difference <= -floor && clear(down):
		return less
	case ratio >= 1+margin && difference >= floor && clear(up):
		return more
	}
	return equal
}

func median(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// worse reports whether the second program clearly costs more.
func (c comparison) worse() bool { return c.time == more || c.switches == more }

// better reports whether the second program clearly costs less.
func (c comparison) better() bool { return !c.worse() && (c.time == less || c.switches == less) }

// An Interval is where the median of a ratio lies with a confidence of 95 % at
// least; zero: too few pairs were measured to say.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Differs reports whether the interval excludes that nothing has changed.
func (i Interval) Differs() bool { return i != Interval{} && (i.Low > 1 || i.High < 1) }

// doubt is one minus the confidence of an Interval.
const doubt = 0.05

// medianInterval is the interval of the median of what some figures were drawn
// from, by their order alone, whatever their distribution: between the k-th
// smallest and the k-th largest, where fewer than k of n coins show heads, or fewer
// than k tails, with a probability of doubt at most. (It is what benchstat has for a
// median.) It takes six figures at least.
func medianInterval(xs []float64) Interval {
	s := slices.Sorted(slices.Values(xs))
	n := len(s)
	k := 0
	heads, sum := 1.0, 1.0 // ways to have k heads, and at most so many
	all := pow2(n)
	for 2*sum <= doubt*all && k < n/2 {
		k++
		heads = heads * float64(n-k+1) / float64(k)
		sum += heads
	}
	if k == 0 {
		return Interval{}
	}
	return Interval{s[k-1], s[n-k]}
}

func pow2(n int) float64 {
	p := 1.0
	for range n {
		p *= 2
	}
	return p
}

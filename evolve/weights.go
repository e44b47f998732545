package evolve

// Operator weights: Kelk 2015, section 4.2.9.
//
// The thesis says what raises a weight (a higher fitness, a lower frequency of
// the failure), that each kind of failure has weights of its own, that a
// window of recent generations counts, and that no weight is ever zero. The
// formula is ours: the operator's prior times how its mean gain in the window
// compares with what is expected of any operator, the mean being drawn towards
// that expectation while there are few trials.

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/fitness"
	"mendel/mutate"
)

// Guessed, not measured:
const (
	expectedGain = 0.1  // of one mutation
	pseudoTrials = 5    // how many trials the expectation counts for
	leastPrior   = 0.05 // of an operator that asks for less
	leastFactor  = 0.1  // what failure can make of a prior
	mostFactor   = 8    // what success can make of it
	ofFault      = 3    // of an operator's prior where a fault is found that it mends
)

type weightKey struct {
	operator string
	kind     evidence.Kind
}

// A trial is one mutation by an operator of a mutant that failed in some way.
type trial struct {
	weightKey
	generation int
	gain       float64 // 0 to 1
}

// An account sums an operator's trials in the window.
type account struct {
	trials int
	gain   float64
}

// weights are the operators' chances, by kind of failure.
type weights struct {
	space    Space
	uniform  bool
	faults   []evidence.Fault // what is wrong, as far as it is known
	window   int              // generations
	trials   []trial
	accounts map[weightKey]account
}

func newWeights(s Space, o Options) *weights {
	return &weights{space: s, uniform: o.UniformOperators, faults: o.Faults, window: o.WeightWindow}
}

// name is what an edit is weighed as: its operator, or a form of that. See
// [mutate.Operator.Weighed].
func (w *weights) name(e *mutate.Edit) string {
	if op := w.space.Operator(e.Operator); op != nil {
		name, _ := op.Weighed(e.Form)
		return name
	}
	return e.Operator
}

// of returns the weight, by its name, of an operator or a form of one against a
// kind of failure; it is positive.
func (w *weights) of(operator string, kind evidence.Kind) float64 {
	if w.uniform {
		return 1
	}
	prior := 1.0
	name, form, _ := strings.Cut(operator, " ")
	if op := w.space.Operator(name); op != nil {
		_, priors := op.Weighed(form)
		if p, ok := priors[kind]; ok {
			prior = max(p, leastPrior)
		}
		if slices.ContainsFunc(op.Faults, func(f evidence.Fault) bool { return slices.Contains(w.faults, f) }) {
			prior *= ofFault
		}
	}
	a := w.accounts[weightKey{operator, kind}]
	mean := (pseudoTrials*expectedGain + a.gain) / float64(pseudoTrials+a.trials)
	return prior * min(max(mean/expectedGain, leastFactor), mostFactor)
}

// record notes a mutation for each kind of failure that the mutant it was made
// from showed.
func (w *weights) record(generation int, operator string, before, after *state) {
	raise := max(0, gain(before.rating, after.rating))
	for _, kind := range slices.Sorted(maps.Keys(before.result.Failures)) {
		drop := max(0, frequency(before.result, kind)-frequency(after.result, kind))
		if after.result.Runs == 0 {
			drop = 0 // what was not run shows nothing
		}
		w.trials = append(w.trials, trial{weightKey{operator, kind}, generation, (raise + drop) / 2})
	}
}

// roll moves the window to the end of a generation.
func (w *weights) roll(generation int) {
	w.trials = slices.DeleteFunc(w.trials, func(t trial) bool { return t.generation <= generation-w.window })
	w.accounts = make(map[weightKey]account)
	for _, t := range w.trials {
		a := w.accounts[t.weightKey]
		a.trials++
		a.gain += t.gain
		w.accounts[t.weightKey] = a
	}
}

// frequency is the share of the runs that failed in a way first.
func frequency(r fitness.Result, kind evidence.Kind) float64 {
	if r.Runs == 0 {
		return 0
	}
	return float64(r.Failures[kind]) / float64(r.Runs)
}

// dominant is the kind of failure that a mutant shows most: the one to fight
// next. One that is not known, or known to be clean, is to be kept from the
// failure the search began with.
func dominant(r fitness.Result, otherwise evidence.Kind) evidence.Kind {
	kinds := slices.SortedFunc(maps.Keys(r.Failures), func(a, b evidence.Kind) int {
		return cmp.Or(cmp.Compare(r.Failures[b], r.Failures[a]), cmp.Compare(a, b))
	})
	if len(kinds) == 0 || r.Failures[kinds[0]] == 0 || r.Failures[kinds[0]] == r.Failures[otherwise] {
		return otherwise
	}
	return kinds[0]
}

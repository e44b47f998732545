package evolve

import (
	"context"

	"mendel/analysis/evidence"
	"mendel/fitness"
	"mendel/mutate"
)

// An Evaluator scores a mutant; *fitness.Evaluator is one.
type Evaluator interface {
	Evaluate(ctx context.Context, m *mutate.Mutant) (fitness.Result, error)
}

// A Space offers edits and builds mutants; *mutate.Space is one.
type Space interface {
	Edits() []mutate.Edit
	Operator(name string) *mutate.Operator
	Mutant(ctx context.Context, edits []mutate.Edit) (*mutate.Mutant, error)
}

// Options are the parameters of the search; zero values are CORE's (Kelk 2015, table of parameters).
type Options struct {
	Population  int // 30
	Generations int // 30
	Workers     int // runtime.NumCPU()
	Seed        uint64
	Kind        evidence.Kind // of the failure to repair: which weights to start with

	ReplaceEvery     int     // 5 generations
	ReplaceFraction  float64 // 0.10 of the population
	ReplaceBest      float64 // 0.75: chance to take a member of the upper quarter, else the original
	WeakTurns        int     // 3
	WeightWindow     int     // 5 generations
	ConvergeWindow   int     // 10 generations
	ConvergeMean     float64 // 0.01
	ConvergeBest     float64 // 1
	UniformOperators bool    // choose operators at random instead of by weight (ablation)

	// Accept is asked for each new mutant with a full score, in the order of
	// the population; true ends the search. nil: the first full score ends it.
	Accept  func(ctx context.Context, m *mutate.Mutant, r fitness.Result) (bool, error)
	Observe func(Event) // nil: nobody; calls do not overlap
}

// An Event tells of the search's progress.
type Event struct {
	Generation  int // 1 is the first
	Evaluations int // so far
	Best        float64
	Mean        float64
	Done        bool           // the generation is complete
	Mutant      *mutate.Mutant // just scored; nil when Done
	Result      fitness.Result
}

// Ended says why a search ended.
type Ended string

// Reasons for the end of a search.
const (
	Accepted  Ended = "accepted"
	Exhausted Ended = "generations-exhausted"
	Converged Ended = "converged"
	NoEdits   Ended = "no-edits"
	Stopped   Ended = "stopped" // ctx ended
)

// A Scored mutant.
type Scored struct {
	Mutant *mutate.Mutant
	Result fitness.Result
}

// A Result is what a search found.
type Result struct {
	Ended       Ended
	Best        []Scored // distinct, best first, at most 10
	Generations int
	Evaluations int // calls of the evaluator
}

// Search looks for a mutant with a full score. When ctx ends it returns the
// best so far with ctx's error.
func Search(ctx context.Context, s Space, eval Evaluator, o Options) (*Result, error) {
	panic("contract")
}

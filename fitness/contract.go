package fitness

import (
	"context"
	"time"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/mutate"
)

// A Result is the score of a mutant and what it rests on.
type Result struct {
	Score    float64 // 0 to 1000; 1000: every run passed
	Runs     int
	Passes   int
	Timeouts int
	Failures map[evidence.Kind]int // runs by their first failure's kind
	Samples  []evidence.Failure    // one per signature, at most 8
	Refused  string                // why it was not run: "does not build: ..."
	Elapsed  time.Duration         // mean of the passing runs
	Switches float64               // voluntary context switches, mean of the passing runs
	Cached   bool
}

// A Source of scores: noise, and later the checker.
type Source interface {
	// Score judges a mutant. ok is false when the source cannot tell and the
	// next one decides. The error is for a broken environment or ctx, never for a bad mutant.
	Score(ctx context.Context, m *mutate.Mutant) (r Result, ok bool, err error)
}

// Options configure an Evaluator.
type Options struct {
	Harness *noise.Harness
	Runs    int // noised runs per mutant; 0: 15 (CORE)
	Seed    uint64
	Before  []Source                         // asked before noise, in order
	Observe func(m *mutate.Mutant, r Result) // nil: nobody; called for each evaluation that was not cached
}

// An Evaluator scores mutants and remembers the results by hash. It is safe for concurrent use.
type Evaluator struct{}

// NewEvaluator returns an evaluator.
func NewEvaluator(o Options) *Evaluator { panic("contract") }

// Evaluate scores a mutant.
func (e *Evaluator) Evaluate(ctx context.Context, m *mutate.Mutant) (Result, error) {
	panic("contract")
}

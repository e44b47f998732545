package validate_test

import (
	"context"
	"errors"
	"log"

	"mendel/analysis"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/mutate"
	"mendel/validate"
)

// A candidate of the search becomes a fix, or is rejected.
func Example() {
	var (
		ctx       = context.Background()
		program   *analysis.Program   // see analysis.Load
		narrowing *analysis.Narrowing // see analysis.Narrow
		tool      *gotool.Toolchain
		harness   *noise.Harness // see noise.New
		space     *mutate.Space  // see mutate.NewSpace
		before    fitness.Result // score of the original
		candidate *mutate.Mutant // with a full score
		result    fitness.Result // its score
	)
	v := validate.New(validate.Options{
		Space: space, Runner: validate.Harness(harness), Tool: tool,
		Program: program, Narrowing: narrowing, Before: before, Seed: 1,
	})
	fix, err := v.Validate(ctx, candidate, result)
	var rejected *validate.Rejected
	switch {
	case errors.As(err, &rejected):
		log.Print(rejected) // an ordinary outcome: the search goes on
	case err != nil:
		log.Fatal(err) // the environment, or ctx; fix may still be a confirmed one
	default:
		log.Printf("a fix that changes %d lines, confirmed by %d runs", fix.Changed.Total(), fix.Confirmed.Runs)
	}
}

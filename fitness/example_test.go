package fitness_test

import (
	"context"
	"log"

	"mendel/checker"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/mutate"
)

// A mutant is scored by the checker and, where that cannot tell, by noise.
func Example() {
	var (
		ctx      = context.Background()
		harness  *noise.Harness  // see noise.New
		explorer fitness.Checker // builds mutants and explores their schedules
		original *checker.Report // what it said of the program without edits
		mutant   *mutate.Mutant  // see mutate.Space
	)
	source := fitness.NewCheckerSource(fitness.CheckerOptions{Checker: explorer, Original: original, Seed: 1})
	evaluator := fitness.NewEvaluator(fitness.Options{
		Harness: harness,
		Before:  []fitness.Source{source},
		Seed:    1,
	})
	result, err := evaluator.Evaluate(ctx, mutant)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("score %.0f: %d of %d runs passed", result.Score, result.Passes, result.Runs)
}

package evolve_test

import (
	"context"
	"errors"
	"log"

	"mendel/analysis/evidence"
	"mendel/evolve"
	"mendel/fitness"
	"mendel/mutate"
	"mendel/validate"
)

// A search that ends with the first mutant that validation makes a fix of.
func Example() {
	var (
		ctx       = context.Background()
		space     *mutate.Space       // see mutate.NewSpace
		evaluator *fitness.Evaluator  // see fitness.NewEvaluator
		validator *validate.Validator // see validate.New
	)
	found, err := evolve.Search(ctx, space, evaluator, evolve.Options{
		Seed: 1,
		Kind: evidence.Race,
		Accept: func(ctx context.Context, m *mutate.Mutant, r fitness.Result) (bool, error) {
			fix, err := validator.Validate(ctx, m, r)
			var rejected *validate.Rejected
			if errors.As(err, &rejected) {
				return false, nil // the search goes on
			}
			return fix != nil, err
		},
		EndGeneration: func(_ context.Context, e evolve.Event) (bool, error) {
			evaluator.EndGeneration()
			return e.Evaluations > 500, nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("the search ended: %s", found.Ended)
}

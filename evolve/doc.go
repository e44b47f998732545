// Package evolve searches for a mutant with a full score: a genetic algorithm
// without crossover.
//
// The algorithm is GA-C of CORE (Kelk, Automatic Repair of Concurrency Bugs,
// 2015, section 4.2). It runs on eaopt, with a Model of our own. Each file says
// which section it follows and where it departs.
//
// # Words
//
// A member of the population has a mutant, that is, a set of edits, and a past
// of its own: the state that its mutant was made from, and for how many turns it
// has scored below the mean. In each generation every member is mutated once: an
// edit is added, exchanged for a sibling at the same place, or taken out. The
// original is the program without any edit. A composite edit stands for several.
// It is drawn like any other; the space takes it apart, so that the mutant has
// its parts, and mutations of that mutant work on the parts.
//
// # A generation
//
//  1. Members are sorted, best first. Each is mutated in turn (mutation.go): an
//     operator, or a form with a prior of its own, is drawn by its weight
//     (weights.go), then an edit by its worth, which is its nearness to the
//     evidence times the belief in it (catalogue.go). If the space refuses the mutant, another
//     edit is drawn. Sources that were planned before are avoided.
//  2. The mutants are built together (batch.go), in batches of 2, 4, 16 and then 64 in the
//     first generation, if the evaluator is a Preparer. While a batch is mutated and built, up to
//     Options.Workers mutants of the batch before are scored at once. Scores are
//     committed in the order of the members, in whatever order they arrive
//     (generation.go).
//  3. A mutant with a full score is offered to Options.Accept when its score is
//     committed. While Accept runs no scoring starts, and a build that is under
//     way is put off: Accept makes many runs and needs the machine. So it is with
//     what is behind a mutant without a flag from its full score on (holds.go). If it
//     accepts, the mutants behind are cancelled and forgotten.
//  4. Weights are computed anew, and Options.EndGeneration is called. Every few
//     generations the weak are replaced (replacement.go). The search ends when
//     EndGeneration says so, when nothing is left to try (exhaustion.go) or when
//     nothing improves any more (convergence.go).
//
// The first generation (opening.go) is not random. It tries single edits, those
// of the greatest worth first, spread over the operators by weight, because one edit near the
// failure repairs most concurrency bugs. Later generations continue with it
// beside the mutations: a member that is no better than the original probes
// single edits that were not tried alone (mutation.go), and the search does not
// converge while one is left. The first generation ends early (early.go) when a
// mutant's own failures have told where to go on, and no mutant may be a fix. A neutral mutation is kept: it may be
// the first of two steps. The result of a single edit for one member counts as credit for the
// others (credit.go).
//
// # What is better
//
// The higher score is better and, of equal scores, the higher slope
// (fitness.Result.Slope): fewer failures in a failed run than the original shows,
// or later ones. Nothing that the slope says outweighs a score. Members that are
// no better than the original follow, now and then, one that is. A mutant with a
// full score that Options.Rejected knows to be no fix is worth what the original
// is: nothing goes on from it rather than from another, and nothing is credited
// with it.
//
// # Repeatability
//
// Every draw comes from a stream that depends on the run's seed, the generation
// and the member's slot in it. No draw depends on a score of its own generation,
// but that the first may end early; that is decided where a batch ends, by the
// scores of the batches before it.
// So, if scores depend on the mutant alone, the same seed gives the same
// mutants, events and result, with any number of workers and with or without
// batches.
//
// # Comparison
//
// Options can leave out what CORE's search does not have, or the genetic
// algorithm itself (randomsearch.go), to measure what each is good for.
//
// # Example
//
//	found, err := evolve.Search(ctx, space, evaluator, evolve.Options{
//		Seed: 1,
//		Kind: evidence.Race,
//		Accept: func(ctx context.Context, m *mutate.Mutant, r fitness.Result) (bool, error) {
//			fix, err := validator.Validate(ctx, m, r)
//			var rejected *validate.Rejected
//			if errors.As(err, &rejected) {
//				return false, nil // the search goes on
//			}
//			return fix != nil, err
//		},
//	})
package evolve

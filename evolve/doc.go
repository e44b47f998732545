// Package evolve searches for a mutant with a full score: a genetic algorithm
// without crossover.
//
// The algorithm is GA-C of CORE (Kelk, Automatic Repair of Concurrency Bugs,
// 2015, section 4.2) on top of eaopt, whose Model is replaced by one of our
// own. Each file says which section it follows and where it departs.
//
// # Words
//
// A member of the population is a mutant, that is, a set of edits, with the
// member's own past: the state it came from, and for how many turns it has
// done worse than the others. A generation makes one mutation of each member:
// it adds an edit, exchanges one for a sibling at the same place, or takes one
// away. The original is the program without any edit. A composite edit, one
// that stands for several, is drawn like any other; the space takes it apart, so
// that a mutant has its parts, and what comes of that mutant has plain edits.
//
// # A generation
//
//  1. Members are put in order, best first. Each is mutated in turn
//     (mutation.go); an operator is drawn by its weight (weights.go), then a
//     place by its nearness to the evidence (catalogue.go). What the space
//     refuses is dropped and another drawn; sources seen before are avoided.
//  2. The mutants are built together in batches of 2, 4, 8, 16 (batch.go), if
//     the evaluator is a Preparer. While a batch is mutated and built the one
//     before is scored, by up to Options.Workers at once. Scores are committed
//     in the order of the members, whatever the order in which they arrive
//     (generation.go).
//  3. A full score is offered to Options.Accept at its commit. While Accept
//     runs no further scoring starts, and a batch that is being built is put
//     off: Accept makes many runs and is given the machine. When it accepts,
//     everything behind is cancelled and forgotten.
//  4. Weights are recomputed; every few generations the weak are replaced
//     (replacement.go); the search ends when nothing is left to try
//     (exhaustion.go) or nothing improves any more (convergence.go).
//
// The first generation (opening.go) is not random: single edits, the hottest
// first, spread over the operators by weight, since most concurrency bugs fall
// to one edit near where they show. Later generations go on with it beside the
// mutations: a member that is no better than the original goes on excursions,
// single edits that were not tried alone (mutation.go), and the search does not
// converge while one is left. A mutant that changes nothing for the
// better is kept: it may be the first of two steps. What a single edit did for
// one member is remembered for the others (merits.go).
//
// # Repeatability
//
// Every draw comes from a stream derived from the run's seed, the generation
// and the member's place in it, and a draw never looks at a score of its own
// generation. So with scores that depend on the mutant alone, the same seed
// gives the same mutants, events and result, with any number of workers and
// with or without batches.
//
// # Comparison
//
// Options can leave out what this search has beyond CORE's, or the genetic
// algorithm itself (scatter.go), to measure what each is good for.
//
//	found, err := evolve.Search(ctx, space, evaluator, evolve.Options{
//		Seed:   1,
//		Kind:   evidence.Race,
//		Accept: validate,
//	})
package evolve

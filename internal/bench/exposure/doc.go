// Package exposure counts the runs in which a strategy exposes a bug: with several seeds
// and one build, for evaluations that set strategies beside each other.
//
//	tries, err := exposure.Measure(ctx, cover.TrialOptions{Options: cover.Options{
//		Dir: dir, Strategy: cover.Noise, Runs: 200, Workers: 1,
//	}, Seeds: 20})
//	fmt.Println(tries.Words()) // "7 (20 of 20)"
package exposure

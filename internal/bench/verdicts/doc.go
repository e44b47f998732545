// Package verdicts compares the checker's verdicts with those of an independent
// enumerator, on random programs.
//
// Run draws programs of two or three goroutines over all primitives (generate.go),
// and writes them as tests of one package (source.go). A model (model.go) makes all
// executions of each and tells how they can end: in a race, a deadlock, blocked
// goroutines, a panic, an outcome that the test refuses, or well. The model knows
// the Go memory model and the documentation of sync, and nothing of the checker.
// Then the checker explores each test without a bound on preemptions. What it
// finds must be what the model finds. Programs that it calls exhausted are run
// under noise and the race detector, too: no run may fail.
//
//	err := verdicts.Run(ctx, verdicts.Options{
//		Programs: 1000, Seed: 1, Runs: 3,
//	}, os.Stdout, os.Stderr)
package verdicts

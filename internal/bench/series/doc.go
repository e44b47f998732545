// Package series repairs a module of several packages within one budget, and a
// package with two bugs.
//
// Run makes the module of subjects: some with their bugs, one corrected. Each
// broken package must be fixed, and nothing be found in the sound one. Then all
// patches together are applied to one untouched copy, which must build, pass
// vet and its tests.
//
//	err := series.Run(ctx, series.Options{
//		Dir: "subjects", Broken: []string{"account", "deadlock"}, Sound: "lottery",
//		Budget: 5 * time.Minute, Seed: 1, Runs: 100,
//	}, os.Stdout, os.Stderr)
package series

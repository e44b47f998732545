// Package modules looks for false alarms of the checker in correct programs.
//
// Run copies packages of the standard library from GOROOT, and libraries at exact
// versions from the module cache, checks each of their tests by itself, and then
// those of the corrected subjects. Of a package of the standard library, standard.go
// says what cannot be built elsewhere, and why. A failure for which a time-out has to
// expire early is by design: it is listed, and the test is checked once more without.
// No test may fail, except where somebody has looked and the failure is real:
// reviewed.go lists these.
//
//	err := modules.Run(ctx, modules.Options{
//		Only: []string{"conc/pool"}, Limit: 5 * time.Second, Seed: 1,
//	}, os.Stdout, os.Stderr)
//
// With Profile it measures instead what it costs to profile the libraries' tests, as
// mendel cover does, beside plain runs with the race detector.
package modules

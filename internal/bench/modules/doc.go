// Package modules looks for false alarms of the checker in correct programs.
//
// Run copies libraries at exact versions from the module cache, checks each of
// their tests by itself, and then those of the corrected subjects. No test may
// fail, except where somebody has looked and the failure is real: reviewed.go
// lists these.
//
//	err := modules.Run(ctx, modules.Options{
//		Only: []string{"conc/pool"}, Limit: 5 * time.Second, Seed: 1,
//	}, os.Stdout, os.Stderr)
package modules

// Package core repairs the subjects with several seeds, verifies the patches,
// and judges the outcome by criteria.
//
// Run makes all repairs, seed by seed over all subjects and arms, and times
// builds beside the first of them. Then it verifies each distinct patch once and
// tries to repair the corrected copies, in which nothing may be found. The
// report is saved after each step, and a later run goes on with it if it was
// made under the same conditions.
//
// Words: CORE is the tool of Kelk (2015), whose subjects and published times the
// tables compare with. The arms and trials are those of package trial.
//
//	err := core.Run(ctx, core.Options{
//		Effort: programs.Effort{Limit: 2 * time.Minute, Runs: 1000},
//		Dir: "subjects", Set: subject.CoreSet, Arms: []string{trial.DefaultArm},
//		Seeds: 3, First: 1, Rounds: 5, Check: time.Minute, Out: "results",
//	}, os.Stdout, os.Stderr)
package core

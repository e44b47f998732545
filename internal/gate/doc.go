// Package gate checks the packages of a module within one budget, and says whether anything
// new is wrong.
//
//	s, err := gate.Run(ctx, gate.Options{Check: check.Options{Budget: 10 * time.Minute, Out: "mendel-out"}, Patterns: []string{"./..."}})
//	if err == nil && s.Verdict == gate.Failed {
//		// s.Packages say what is new
//	}
//
// Each package is checked by package check, in a directory of its own below the output
// directory, with an equal share of what is left of the budget; what one does not need
// goes to the others. Several are checked at a time, and share the workers: while one is
// loaded or linked, which keeps one processor busy, another one is explored. The output directory has the summary
// (checks.json), the failures as SARIF (failures.sarif), and the tests as JUnit's XML has them (junit.xml), which CI
// systems read.
//
// Words: a baseline is a file with failures that are known, so that only new ones fail
// the gate. A failure is known by its package and its signature. A shard is a part of the
// packages: i/n is every n-th of them from the i-th on, by import path. The packages that
// a change can have affected are those whose tests are built of a package in whose
// directory, or below it in testdata, a file has changed; where go.mod, go.sum or go.work
// has changed, or a file that belongs to no package, they are all.
//
// # Limits
//
// What is under way when the budget ends is stopped, so the last packages may be left
// untried: a share is for schedules, and how long a build takes is known after it. A change
// of what tests read from elsewhere, such as environment or network, affects nothing.
// A package with failures in the baseline is searched on behind them (check.Options.All),
// as far as its share of the budget goes.
package gate

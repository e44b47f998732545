// Package batch repairs several packages within one budget.
//
// [Run] first triages each package for some seconds (is there a failure, how
// often, how many edits) and puts those that seem easy first. Then it repairs one
// after the other, each in a directory of its own below the output directory. Those
// that fail share the time that is left, and what one does not need goes to the
// others. A share limits the search of a package: what it has found may be validated as long as the budget reaches.
// Packages of which nothing is known come after those that fail. A package of which the look shows no failure comes
// last, with what they leave, if that is more than the look had; when it has shown to fail, it goes on before others of that kind. Of a
// large budget a tenth is kept for those whose tests are too slow to be run often in a look. What mended a package is
// tried first in those after it: packages that use a third one may fail by the same bug there.
//
//	series, err := batch.Run(ctx, result.Wanted{Out: "mendel-out", Budget: 8 * time.Hour}, []string{"./..."})
//	if err != nil {
//		return err
//	}
//	applied, err := series.Apply(false)
//
// Where several packages are fixed, a [Combination] is one patch of all fixes that
// do not contradict each other, if what comes out builds. [Series.Apply] writes the
// same.
//
// A [Series] is what series.json has; it is written after each step, so that a
// series that was stopped goes on. A [Package] is one of its packages and what
// became of it.
package batch

// Package seed makes faulty variants of a correct package and asks its own tests
// which of them they notice: mutation testing for concurrency.
//
//	res, err := seed.Run(ctx, seed.Options{Dir: dir, Out: out})
//	...
//	fmt.Println(res.Noticed, "of", res.Noticed+res.Missed)
//
// # Faults
//
// A fault is one [Operator] applied at one place. The operators are those of
// ConMAn (Bradbury, Cordy and Dingel 2006, "Mutation operators for concurrent
// Java") as far as Go has their counterparts, and some for what Java has not:
// deferred releases, wait groups, channels, contexts. ConMAn's operators for
// static and volatile variables, barriers, fairness and the priorities of
// threads have none.
//
// A fault is an edit of text and keeps the layout of everything else. Faults
// that do not compile are dropped, and so are those that give the source of the
// original or of another fault. Tests and generated files are left as they are.
//
// # Judges
//
// The checker explores the tests of each variant for some seconds. Variants are
// built many at a time. A time-out is believed not to expire while goroutines
// can go on, so that a test is not said to notice a fault because it is
// impatient. Where the checker cannot follow the tests, runs under noise and
// the race detector judge. A fault is
//
//   - noticed, if a test fails that does not fail without it,
//   - missed, if no schedule fails that was tried,
//   - unknown, if neither judge can tell.
//
// # Guards of a patch
//
// [Guards] takes away what a patch adds, one thing at a time: a test that the patch needs notices
// it. Who asks decides by what tests; a repair asks of its best fix.
//
// # Limits
//
// A missed fault may be one that no test can notice: a statement more in a
// critical section is no fault where nothing waits for its lock. Whoever reads
// the list has to decide that.
//
// A fault is one place of one file. Types of sync/atomic are taken apart
// (splitatomic) and not made plain, since all uses would have to change.
// What the tests of other packages notice is not asked.
package seed

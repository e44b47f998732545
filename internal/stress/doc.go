// Package stress repeats the tests of a package, and says how often they fail, of what,
// and how to see each failure again.
//
//	r, err := stress.Run(ctx, stress.Options{Dir: "internal/cache", Run: "TestEvict", Out: "mendel-out"})
//	if err == nil && r.Verdict == stress.Failed {
//		err = r.Print(os.Stdout, stress.PrintOptions{})
//	}
//
// The tests run in three modes, in turn: plain, as the user runs them; with noise and the
// race detector (package noise); and under the checker's control (package checker), where
// a run is one random schedule of one test. Failures with equal signatures are a group,
// whatever the mode. Of a group the result says in how many runs of each mode it was seen,
// with the interval in which its frequency lies with a confidence of 95 %, and names a
// file for mendel replay: a schedule where the checker has found one, which fails always;
// else the seed of a noised run, or the test alone.
//
// [Options].Bisect looks for the commit that brought a failure. A commit is bad when it fails
// as the last one does; that is certain. It is taken for good when so many runs have passed
// that a failure as frequent as at the last commit would hardly have been missed; the
// [Bisection] says how likely it was.
//
// [Options].Log writes the events of runs, a [Line] each, and [Compare] compares runs. There
// a goroutine has a name by how it came into being, main/a_test.go:12#1/a.go:7#2 for the
// second one that was started at a.go:7 by the first one that main started at
// a_test.go:12. An object is named by its type and where the first goroutine, by name, that
// uses it does so first. If that goroutine does not come so far in a run, as in a deadlock,
// the object has another name there.
//
// A function is excluded by //mendel:exclude in its comment (analysis.Excluded).
//
// A frequency is that of a mode on this machine under the load that the other runs make.
// That of schedules is no estimate for real runs, where schedules are not equally likely.
package stress

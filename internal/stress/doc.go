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
// A frequency is that of a mode on this machine under the load that the other runs make.
// That of schedules is no estimate for real runs, where schedules are not equally likely.
package stress

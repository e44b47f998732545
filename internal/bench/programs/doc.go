// Package programs makes copies of programs and runs them in the three ways that
// an evaluation knows: plainly with go test, with noise, and instrumented for
// the checker.
//
// Nothing here changes the user's files: Copy and PatchedCopy make copies of a
// module, without its testdata, and git applies the patches. Instrument builds
// the tests of a package so that the checker controls them. Unpack and Only are for
// evaluations that carry their programs in an archive.
//
// Words: an Effort is how much an evaluation spends, in time, runs and processes.
// A noised run is one whose goroutines are delayed at random.
//
//	said, err := programs.PatchedCopy(ctx, dir, source, patch)
//	if err == nil && said == "" {
//		p := programs.Patched{Dir: dir, Seed: 1, Effort: programs.Effort{Runs: 200}}
//		done, problem, err := programs.NoisedRuns(ctx, p)
//		...
//	}
package programs

// Package gotool runs the user's go command and the test binaries it builds.
// Nothing else in Mendel starts a process for them.
//
// Building and running are separate steps with separate limits, so that a
// package that does not compile, a test that fails and a machine out of disk
// space are never taken for one another:
//
//	tool, err := gotool.Open(ctx, dir) // no go command, too old, no module: err says the way out
//	...
//	err = tool.BuildTest(ctx, gotool.BuildOptions{
//		Package: "./account",
//		Race:    tool.RaceErr == nil,
//		Overlay: gotool.Overlay{"/home/me/bank/account/account.go": mutant},
//		Output:  filepath.Join(temp, "account.test"),
//	})
//	if be := (*gotool.BuildError)(nil); errors.As(err, &be) {
//		// the mutant is not Go: be.Diagnostics say where
//	}
//	...
//	result, err := gotool.Run(ctx, gotool.RunOptions{
//		Path: filepath.Join(temp, "account.test"),
//		Args: []string{"-test.run=^TestTransfer$"},
//		Dir:  "/home/me/bank/account",
//	})
//	// err: it could not be run. result.Stop: who ended it. result.Output: what it said.
//
// # Builds
//
// A build reads the user's tree and writes only its output: changed files
// reach the compiler through -overlay. So the tree is never copied, its
// workspace, vendored packages, build tags and GOFLAGS hold as they are
// (an -overlay of the user's own too), and the build cache stays warm. An
// overlay may replace files of several modules, add files, and add packages:
// one below GOROOT/src can be imported by every package without a change to
// any go.mod. Names in an overlay are written as the go command knows the
// files, that is, as seen from [Toolchain].Dir with symbolic links unresolved.
//
// [Diagnostic] positions are absolute and in the user's files, also when the
// contents came from an overlay. What has no position (an import cycle, the
// linker) is in [BuildError].Output.
//
// A go command that is out of time, or whose ctx ends, dies with the compilers
// and linkers it started; its temporary files lie in a directory of its own
// and go too.
//
// # Runs
//
// [Run] takes the program for hostile, because mutants are. It returns when
// the program and all its descendants are gone, and what they left in the
// temporary directory given to them too. A program is ended at
//
//   - its time limit: SIGQUIT first, at which a Go program prints its
//     goroutines and ends, then SIGKILL after a grace period;
//   - its limits of resident memory and number of processes, descendants
//     included, looked at 40 times a second;
//   - its limit of output, of which the beginning is kept;
//   - the end of ctx.
//
// It has no terminal and an empty stdin, and leaves no core file behind.
//
// # Containment
//
// On Linux, descendants are found by process group, by session, by parent as
// long as that lives, and by an environment variable that is unique to the
// run. To get away, a process has to leave the session, lose its environment
// and lose its parent, all between two looks; that takes intent, against which
// only a container helps. The program, though not its descendants, also dies
// when Mendel is killed.
//
// On macOS and other Unix systems the process group is all that is found, its
// memory is looked at twice a second by means of ps, and programs outlive a
// Mendel that was killed. On Windows there are limits of time and output
// only, no goroutine dump, and descendants are left to taskkill. The build tag
// "portable" selects the Unix version on Linux, to test it.
//
// [RunResult].MaxRSS is the larger of what the system counted for the largest
// single process and what was seen of the whole group. Linux counts from
// before the program replaced the caller in the new process, so the number is
// never less than the caller's own size then.
package gotool

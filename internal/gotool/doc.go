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
// A go command that is out of time or memory, or whose ctx ends, dies with the
// compilers and linkers it started; its temporary files lie in a directory of
// its own and go too. A program that takes a compiler too long, or more memory
// than there is, is a [BuildError] like any other that does not build.
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
//     included, looked at 40 times a second, and up to 1000 times the nearer it
//     is to one;
//   - its limit of disk: what lies in its temporary directory, looked at up to
//     40 times a second, and on Linux what it writes anywhere;
//   - its limit of output, of which the beginning is kept;
//   - the end of ctx.
//
// It has no terminal and an empty stdin.
//
// On Linux it leaves no core file behind, and limits of the kernel are used
// where they do not get in the way of ordinary programs. RLIMIT_AS and
// RLIMIT_DATA would: the race detector reserves terabytes. So would
// RLIMIT_FSIZE, as a file with holes may be larger than any disk. RLIMIT_NPROC
// counts the threads of all the user's programs; it is set some thousands above
// them, where it stops only what forks without end, and binds everybody but
// root.
//
// # Containment
//
// On Linux, descendants are found by a mark that they inherit, whatever they do
// to their session, environment and parent: a value of a resource limit that
// limits nothing (RLIMIT_RTTIME). It is set before the program's first
// instruction. Where that is not possible, or a program changes the limit on
// purpose, they are found by process group, by session, by parent as long as
// that lives, and by an environment variable that is unique to the run. When a
// run ends, ids are gone through in the order in which they were given out,
// and whatever has the mark is killed before its child's turn comes: no process
// is quick enough to be missed. If memory runs out, the kernel ends such
// programs first.
//
// Processes in sessions of their own may each have as large a share of the
// processors as all of Mendel. So that they can be counted and ended while they
// multiply, a run of more than 16 processes is kept off one processor, if there
// are several; and as root, counting and ending is done before everything else
// on the machine. An ordinary user's fork bomb can still take some seconds to
// end, and grow up to RLIMIT_NPROC meanwhile, if others want that processor too.
//
// User and process id namespaces would end all that by themselves, and are not
// used: to a program in one, the user's files belong to others, its id is 1 and
// signals do not do what they do elsewhere, and a process the size of Mendel
// would be copied for each start. So a program can still reach what its user
// can: files anywhere, other processes, Mendel. What it writes to a file system
// in memory, other than the one for temporary files, is neither memory nor disk.
//
// The program dies when Mendel is killed. Its descendants and the temporary
// directories then are the work of a process that [Guard] has started and that
// outlives Mendel.
//
// On macOS and other Unix systems the process group is all that is found, its
// memory and processes are looked at twice a second by means of ps, and
// programs outlive a Mendel that was killed; the guard removes directories only.
// So it is on Windows, where there are limits of time, output and disk only, no
// goroutine dump, and descendants are left to taskkill. The build tag
// "portable" selects the Unix version on Linux, to test it.
//
// [RunResult].MaxRSS is the larger of what the system counted for the largest
// single process and what was seen of the whole group. Linux counts from
// before the program replaced the caller in the new process, so the number is
// never less than the caller's own size then.
package gotool

// Package gotool runs the user's go command and the test binaries it builds.
// Nothing else in Mendel starts a process for them.
//
// Building and running are separate steps with separate limits, so that a
// package that does not compile, a test that fails and a machine out of disk
// space are never taken for one another:
//
//	tool, err := gotool.Open(ctx, dir) // no go command, too old, no module: err names the way out
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
//	// err: it could not be run. result.Stop: who ended it. result.Output: what it printed.
//
// # Builds
//
// A build reads the user's tree and writes only its output: changed files
// reach the compiler through -overlay. So the tree is never copied, and the
// build cache stays warm. The user's workspace, vendored packages, build tags and
// GOFLAGS stay in effect, also an -overlay of the user's own. An overlay may
// replace files of several modules, add files, and add packages. Every package
// can import one below GOROOT/src, without a change to any go.mod. GOROOT itself may be
// anywhere: a build that changes the library has a GOROOT of links to the toolchain's
// files (goroot.go), since the go command lets an overlay replace nothing in the module cache.
// That GOROOT lies in [Toolchain.CacheDir], in the build cache, and is made anew when the
// toolchain has changed; messages of the compiler, and of programs that
// [Toolchain.Run] runs, name the library's files as the user knows them. Names in an
// overlay are written as the go command knows the files, that is, as seen from
// [Toolchain].Dir with symbolic links unresolved.
//
// [Diagnostic] positions are absolute and in the user's files, also when the
// contents came from an overlay. What has no position (an import cycle, the
// linker) is in [BuildError].Output.
//
// What a build compiles stays in the user's build cache, for other builds and other runs. A
// program that nobody builds again ([BuildOptions].Once), such as a mutant, only reads it:
// the go command asks this same executable for what is compiled (readcache.go). The first build of
// its kind is kept, so that the library and the dependencies are there. Programs of other modules that use
// Mendel as a library keep everything; so do users with a GOCACHEPROG of their own.
//
// A go command that reaches its limit of time or memory, or whose ctx ends, is
// killed with the compilers and linkers it started. Its temporary files are in a
// directory of its own and are removed too. A program that takes a compiler too
// long, or more memory than there is, is a [BuildError] like any other program
// that does not build.
//
// # Runs
//
// [Run] expects a hostile program, because mutants can be hostile. It returns
// when the program and all its descendants are gone, and the files in their
// temporary directory too. A program is ended at
//
//   - its time limit: SIGQUIT first, at which a Go program prints its
//     goroutines and ends, then SIGKILL after a grace period;
//   - its limits of resident memory and number of processes, descendants
//     included. They are checked 40 times a second, and up to 1000 times when it
//     is near a limit;
//   - its limit of disk: the files in its temporary directory, and on Linux all
//     that it writes anywhere. Both are checked 5 times a second, and up to 40
//     times when the limit is low;
//   - its limit of output, of which the beginning is kept;
//   - the end of ctx.
//
// It has no terminal and an empty stdin. With [RunOptions].Private it works in a place of its own that stands for a
// package's directory (place.go): several runs do not see what the others write, and the user's files stay as they are.
//
// On Linux it leaves no core file. Limits of the kernel are used where they do
// not disturb ordinary programs. RLIMIT_AS and RLIMIT_DATA would: the race
// detector reserves terabytes. So would RLIMIT_FSIZE, since a file with holes may
// be larger than any disk. RLIMIT_NPROC counts the threads of all the user's
// programs. It is set some thousands above their number, where it stops only
// programs that fork without end. It does not bind root.
//
// # Containment
//
// On Linux, descendants inherit a mark, whatever they do to their session,
// environment and parent. The mark is a value of a resource limit that limits
// nothing (RLIMIT_RTTIME). It is set before the program's first instruction.
// Where that is not possible, or a program changes the limit on purpose,
// descendants are found by process group, by session, by parent as long as that
// lives, and by an environment variable that is unique to the run. When a run
// ends, process ids are visited in the order in which they were given out. Each
// marked process is killed before its child's turn comes, so no process is quick
// enough to be missed. If memory runs out, the kernel ends such programs first.
//
// Processes in sessions of their own may each have as large a share of the
// processors as all of Mendel. They must be counted and ended while they
// multiply. So a run of more than 16 processes is kept off one processor, if
// there are several. As root, counting and ending have priority over everything
// else on the machine. An ordinary user's fork bomb can still take some seconds
// to end, and grow up to RLIMIT_NPROC meanwhile, if others want that processor
// too.
//
// User and process id namespaces would end all descendants by themselves. They
// are not used: to a program in one, the user's files belong to others, its id
// is 1, and signals do not do what they do elsewhere. Also, a process the size of
// Mendel would be copied for each start. So a program can still reach what its
// user can: files anywhere, other processes, Mendel. Files in a file system in
// memory, other than the one for temporary files, count as neither memory nor
// disk.
//
// When Mendel is killed, the program dies too. A process that [Guard] started
// outlives Mendel; it ends the program's descendants and removes the temporary
// directories.
//
// On macOS and other Unix systems only the process group is found. Its memory
// and processes are checked twice a second by means of ps. Programs outlive a
// Mendel that was killed, and the guard removes directories only. On Windows
// there are limits of time, output and disk only, there is no goroutine dump,
// and taskkill ends the descendants. Programs and guard are as on macOS. The
// build tag "portable" selects the Unix version on Linux, to test it.
//
// [RunResult].MaxRSS is the larger of two numbers: what the system counted for
// the largest single process, and what was seen of the whole group. Linux counts
// from before the program replaced the caller in the new process, so the number
// is never less than the caller's own size then.
package gotool

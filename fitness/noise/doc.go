// Package noise runs a program's tests under noise and reports what went wrong.
//
// A [Harness] rebuilds the packages of a module with hooks at synchronisation
// operations, at the beginning of goroutines and at statements that mention a
// variable of the narrowing, and runs the tests under the race detector. In
// each run a seed decides which hooks yield or sleep, how often and for how
// long. So interleavings occur that hardly ever occur without noise (Edelstein et
// al. 2002, "Multithreaded Java program test generation", the noise of ConTest,
// which CORE and ARC build on). An [Outcome] is one run, classified by package
// evidence.
//
//	h, err := noise.New(noise.Config{Tool: tool, Program: program, Narrowing: narrowing})
//	...
//	defer h.Close()
//	b, err := h.Build(ctx, noise.Noised, mutant.Files)
//	...
//	defer b.Close()
//	outcomes, err := h.RunMany(ctx, b, 15, noise.RunOptions{Seed: 1}, nil)
//
// # Hooks
//
// Hooks are inserted within lines, in an overlay. So race reports, panics and
// dumps show the lines of the file as it is on disk. The errors of a mutant that
// does not compile are taken from a build without hooks. A hook is a call of a
// function of package hook. That package is compiled into the program as
// mendelrt/noise, part of the standard library of that build, so that no go.mod
// changes. A hook stands
//
//   - before and after statements that lock, unlock, wait, signal, send,
//     receive, close, start a goroutine or call sync/atomic, as package operations
//     finds them;
//   - before statements that mention a narrowed variable. Not after
//     them: noise on both sides of accesses hides what it should show (CFLASH,
//     2020);
//   - before statements by which a test fails (t.Error and the like);
//   - first in the body of goroutines, of loops whose condition mentions one,
//     and of the cases of a select.
//
// Operations and variables are told by their types. The types of a mutant are those that
// the space of edits has found (analysis.Program.Recheck keeps them). In a text without
// types, one that others have rewritten, they are told by their names.
//
// Hooks are put only where a statement may stand in a list: never between a
// label and its statement, never after a statement that ends a list.
//
// Hooks add no happens-before edge; see package hook. Packages import one more
// package. That can change the order in which packages that do not depend on
// each other are initialised.
//
// # Building
//
// [Harness.Build] builds one program. With -race that took 0.5 to 0.9 s of processor
// time in packages of 100 to 400 lines, four fifths of it linking, and 3.4 s in one
// of 5,000 lines with its tests, of which linking was a third; starting a test and
// running it took 0.02 s. So [Harness.BuildAll] builds mutants together, as variants of
// functions in one executable (package schema): the hooks of a function have the same
// numbers in all of them, and what a run prints is put into the lines and names of the
// mutant before it is classified. What does not fit, such as an edit that changes a type as no
// other does, has no binary, and is built by itself. The latest executables are kept, and the
// original's: [Harness.Obtain] builds what is in none of them.
//
// # Outcomes
//
// A run passes when the binary exits with status 0 and a test was run. If no
// test was run, Pass is false and there is no failure. A failed run names at
// least one failure: what the output shows, else the exit status. Package hook
// finds deadlocks, and goroutines that the tests leave blocked for ever, inside
// the process. It does not wait for the time-out to find a deadlock. If a test
// fails by an assertion, the goroutines that are blocked then are a failure of
// their own, where they may be why. [Harness.Past] asks which other goroutines
// have to do with the assertion. A run that
// times out is asked for a goroutine dump. A Plain build has no hooks, so its
// deadlocks time out, and the dump shows them.
package noise

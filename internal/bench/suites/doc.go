// Package suites checks the whole test suites of well-known libraries, as a user would with
// mendel check ./..., and says how many tests have a verdict, and what the failures are.
//
// The manifest names the libraries, modules at exact versions, which the go command
// fetches, and judges failures by reading: a bug that a maintainer would mend, a flake (a
// test that cannot hold on a slow machine), goroutines that a test leaves, or false. A
// judgement names a test, a kind and a part of the message. Failures of which somebody has
// yet to say what they are, are listed.
//
//	err := suites.Run(ctx, suites.Options{Budget: time.Minute, Out: "out"}, os.Stdout, os.Stderr)
//
// Each library has a command of its own, one after the other. What came of it is kept in
// the output directory, with what the command has written; an evaluation that goes on there
// leaves out what the same Mendel has checked with the same budget. Judgements are read
// anew each time.
package suites

// Package regress measures how many repaired programs get a regression test, by which means,
// in which time, and whether the test is right.
//
// The programs are those of package cases, and the subjects. Of each a failing schedule is looked for
// as mendel check does it, and a regression test is asked for as mendel reproduce --fixed
// does it, with the right fix that is known:
//
//	o := regress.Options{Sets: []string{"small"}, Check: 20 * time.Second, Budget: 2 * time.Minute, Seed: 1}
//	err := regress.Run(ctx, o, os.Stdout, os.Stderr)
//
// The test is then written into copies of the program with each patch that is known, and run by the go
// command alone. It is wrong if it fails with a right one, or passes with a wrong one in which the checker
// still finds a failure of the same kind in the same test. With Out all is kept after each program,
// and the same command goes on there.
package regress

// Package cases has programs with one bug each, of which it is known what mends them.
//
// They are archives, embedded here: modules, libraries, and small programs that have one
// kind of bug each. The comment of an archive says of what kind the bug is, in its first
// line, and what it is. Below truth/ an archive has what is kept from a repair:
//
//	truth/fix.patch       a right fix, as a human would make it
//	truth/alt/*.patch     other right fixes
//	truth/wrong/*.patch   plausible ones that are wrong; the text above the diff says why,
//	                      and whether the program's own tests pass
//	truth/faults            names of the bug, as docs/faults.md has them, a line each; any is right
//	truth/judge_test.go   tests that show more of the bug than the program's own; of another package of the
//	                      module in truth/DIRECTORY/judge_test.go
//
// All others are the program:
//
//	all, err := cases.Read([]string{"small"}, nil)
//	err = all[0].Write(dir)
package cases

// Package trial makes one repair of a copy of a program and sums it up.
//
// Run repairs in this process, or with the executable of another version of
// Mendel, and measures time and memory. It also compares what --write would
// leave with what git makes of the patch. Repair repairs a package or some tests
// of a program in its place.
//
// Moments are when a repair came how far. Those of a version whose results do not
// tell are read from its log, to the second.
//
// Words: an Arm is a way to repair that differs from the default in some
// options, such as "random+population=2"; with several arms an evaluation
// compares what a part of the method is worth. A candidate is a mutant with a
// full score that is not validated yet.
//
//	arms, err := trial.ParseArms([]string{"default", "random"})
//	t, err := trial.Run(ctx, "subjects/account", 1, arms[1], programs.Effort{Limit: time.Minute})
//	fmt.Println(t.Line())
package trial

// Package winners tells which operators win where: whose edits are in the best
// fix of a program.
//
// Run repairs small programs, each with a bug whose natural fix is an edit of one
// operator. They are in testdata/programs.txtar, whose comment names the operators
// that should win. With Options.Without each program is repaired a second time
// without these operators, and without all composite edits that need theirs, which
// shows whether only they mend it.
//
// From saved results of other evaluations (core.json, goker-repair.json,
// real.json) it counts the bugs that each operator won. An operator that won
// neither there nor here is named.
//
// Words: an operator wins a program if the best fix has an edit of it, or if one of
// its composite edits made the candidate: a fix has the parts of such an edit in its
// place.
package winners

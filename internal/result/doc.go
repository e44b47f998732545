// Package result holds what was asked of a repair and what it found, as data
// and as files.
//
// [Wanted] is what the user asks. [Result] is what a repair answers: how it
// ended ([Status]), the [Failure]s of the original, the [Fix]es with their
// [Evidence], what was rejected, and what the work was. A Result is what
// result.json has; [Read] and [Result.Save] are the two directions. In the
// process that made it, a Result has a live part besides ([Live]): the loaded
// program and the mutants of the fixes, which printing an annotated diff and
// applying a fix need. Who makes a Result attaches it:
//
//	r := &result.Result{Status: result.Fixed, Fixes: fixes}
//	result.Attach(r, result.Live{Out: out, Program: program, Fixes: validated})
//	err := r.Print(os.Stdout, false)
//
// Keys of JSON are promised: a key may be added, and is never renamed.
// testdata/pin at the root holds the package to that.
//
// Nothing in this package runs a program or decides anything about a repair.
package result

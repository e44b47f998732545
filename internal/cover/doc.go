// Package cover measures which interleavings the tests of a package have seen, and
// forces those that they have not.
//
// [Run] runs each test once as it is, and forces, one in a run, the interleavings
// that this predicts and that no run has exposed yet. Every run predicts: what a test
// does only under a forced interleaving is found so. When nothing is left, runs with
// noise show whether there is more, until three in a row predict nothing new (the
// paper profiles first, and until then; here a first failure needs fewer runs). Its
// [Result] is what cover.json has. Package interleave has the method.
//
// # Memory
//
// The store of the output directory keeps which iRoots were exposed, and how often
// others were tried. What one test has exposed is not forced in another one, nor in a
// later run of the command, as long as the source is the same: of the program, and of
// the test files in which ends are. That rests on the paper's hypothesis that what an
// interleaving does depends on no values; Options.Fresh does without. What made a
// test fail is forced first the next time, whatever has changed meanwhile, as long as its
// places can be found: they are named by function, operation and operand.
package cover

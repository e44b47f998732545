// Package cover measures which interleavings the tests of a package have seen, and
// forces those that they have not.
//
// [Run] runs each test once as it is, and forces, one in a run, the interleavings
// that this predicts and that no run has exposed yet. Every run predicts: what a test
// does only under a forced interleaving is found so. When nothing is left, runs with
// noise show whether there is more, until three in a row predict nothing new (the
// paper profiles first, and until then; here a first failure needs fewer runs). Its
// [Result] is what cover.json has. Package interleave has the method.
package cover

// Package cover measures which interleavings the tests of a package have seen, and
// forces those that they have not.
//
// [Run] profiles each test until runs predict nothing new, and then forces the
// predicted interleavings that no run has exposed, one in a run (package
// interleave). Its [Result] is what cover.json has.
package cover

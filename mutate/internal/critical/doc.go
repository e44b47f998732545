// Package critical recognises critical sections: the statements between an acquisition of a lock
// and the releases that every path from it reaches. [Section] says which forms are recognised, and
// where nothing is known for certain. It knows no edits, and functions by whatever the caller
// knows them by.
//
// The tests are package mutate's: TestSections, on testdata/sections, and
// TestEditsKeepSectionsBalanced, which edits all of them.
package critical

// Package effects says what statements do that matters to a lock around them, or to its
// absence: they take locks, wait, or call what may do so. It has the words for notes about it,
// too: "s.count must be changed".
package effects

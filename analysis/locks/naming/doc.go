// Package naming says which variable an expression means: a [Path] from a parameter, a local or
// a package variable on, over fields and elements. It sees through local names that keep their
// value, accessors, condition variables and what a call gives the function that it runs.
//
// Two locks are the same where their paths are. Paths that differ are taken for two, though
// they may meet.
//
// [Names] remember what they have found. Who asks them has them to themselves: a model of
// locks is locked meanwhile.
package naming

// Package program knows the functions of a program and who calls whom, and which of its
// expressions are locks.
//
// A [Program] is indexed when it is first asked for something, and does not change then; so
// it may be asked by several goroutines at once. That of a mutant ([Program.Mutant]) has only
// the functions that the mutant changes, and asks the original for all others.
//
// A lock has a key, the field, package variable or element that it is, in whatever value
// ([KeyOf]). The key is the same in a program and its mutants; so are the names of functions.
package program

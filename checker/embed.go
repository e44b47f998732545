// Package checker holds, embedded, the packages that are compiled into the
// program under test: the engine (checker/sched) and what replaces packages of
// the standard library (checker/shim). They import the standard library and
// each other only.
package checker

import "embed"

// Runtime has the sources below sched and shim, by slash-separated names.
// Tests are among them.
//
//go:embed sched shim wire state driver
var Runtime embed.FS

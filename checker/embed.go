package checker

import "embed"

// Runtime has the sources of what is compiled into the program under test, by
// slash-separated names. Tests are among them. These packages import the
// standard library and each other only.
//
//go:embed sched shim wire state driver
var Runtime embed.FS

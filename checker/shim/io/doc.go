// Package io replaces the standard library's package of that name in programs
// that use its pipes. [Pipe] works under control of the scheduler. Everything
// else is the real package's.
//
// A Write copies into the buffer of a Read while both wait, and the copy counts as
// made by the reader. A program whose pipes belong to a package that is not
// rewritten keeps the real package.
package io

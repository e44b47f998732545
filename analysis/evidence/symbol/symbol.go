// Package symbol reads the names of functions as the runtime prints them.
//
// Two readers of goroutine dumps share it: package evidence, and the noise
// runtime, which is compiled into the program under test. So this file imports
// the standard library alone, and [Source] is its text.
package symbol

import "strings"

// Root starts the import paths of what Mendel compiles into a program.
const Root = "mendelrt/"

// PackageOf is the import path in a function's name:
// "example.com/bank.(*Account).Transfer" gives "example.com/bank". Dots in the
// last element of a path are printed, and returned, as %2e.
func PackageOf(fn string) string {
	end := strings.IndexAny(fn, "([") // slashes in receivers and type arguments do not count
	if end < 0 {
		end = len(fn)
	}
	slash := strings.LastIndexByte(fn[:end], '/') + 1
	dot := strings.IndexByte(fn[slash:], '.')
	if dot < 0 {
		return ""
	}
	return fn[:slash+dot]
}

// IsRuntime reports whether a function belongs to the runtime, or to a package
// whose frames only show how the program waits or calls: sync, time, reflect,
// syscall and what Mendel compiles in. A function without a package, such as
// panic, belongs to the runtime.
func IsRuntime(fn string) bool {
	p := PackageOf(fn)
	switch p {
	case "", "runtime", "sync", "sync/atomic", "syscall", "reflect", "time":
		return true
	}
	return strings.HasPrefix(p, "runtime/") || strings.HasPrefix(p, "internal/") || strings.HasPrefix(p, Root)
}

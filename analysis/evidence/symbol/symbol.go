// Package symbol reads the names of functions, and the headers of goroutines, as the
// runtime prints them.
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

// Elided is a function's name with "[...]" for type arguments, as dumps have it. The
// race detector prints them: "bank.(*Box[go.shape.int]).Put[go.shape.string]" gives
// "bank.(*Box[...]).Put[...]".
func Elided(fn string) string {
	if !strings.Contains(fn, "[") {
		return fn
	}
	var b strings.Builder
	depth := 0
	for _, c := range fn {
		if c == ']' && depth > 0 {
			if depth--; depth == 0 {
				b.WriteString("...")
			}
		}
		if depth == 0 {
			b.WriteRune(c)
		}
		if c == '[' {
			depth++
		}
	}
	if depth > 0 {
		return fn // brackets that are not closed
	}
	return b.String()
}

// Unlabelled is the header of a goroutine in a dump without the labels of package
// runtime/pprof, which modules of Go 1.27 show:
//
//	goroutine 7 [select, 2 minutes] {tenant: "a b"}:
//	goroutine 7 [select, 2 minutes labels:{"tenant": "a b"}]:
//
// The second is Go 1.26 with GODEBUG=tracebacklabels=1.
func Unlabelled(header string) string {
	if state, labels, ok := strings.Cut(header, "] {"); ok && strings.HasSuffix(labels, "}:") {
		return state + "]:"
	}
	if state, labels, ok := strings.Cut(header, " labels:{"); ok && strings.HasSuffix(labels, "}]:") {
		return state + "]:"
	}
	return header
}

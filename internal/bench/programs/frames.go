package programs

import (
	"regexp"
)

// inner matches the end of the name of a function literal, a wrapper or a method
// value, which begins with the name of the declared function.
var inner = regexp.MustCompile(`(\.func\d+|\.gowrap\d+|\.\d+|-fm|-range\d+)+$`)

// DeclaredFunction is the function in which a function lies, without its
// package: "(*Store).tick" for "(*Store).tick.func1.2".
func DeclaredFunction(name string) string { return inner.ReplaceAllString(name, "") }

package programs

import (
	"regexp"
)

// inner is what follows the name of a declared function in that of a literal
// in it, a wrapper or a method value.
var inner = regexp.MustCompile(`(\.func\d+|\.gowrap\d+|\.\d+|-fm|-range\d+)+$`)

// DeclaredFunction is the function in which a function lies, without its
// package: "(*Store).tick" for "(*Store).tick.func1.2".
func DeclaredFunction(name string) string { return inner.ReplaceAllString(name, "") }

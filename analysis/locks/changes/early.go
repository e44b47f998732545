package changes

import (
	"go/ast"
	"maps"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/guards"
	"mendel/analysis/locks/program"
)

// early finds functions that are returned, iterators for example, and read a variable that
// others change each time that they ran: now it is read once, when they are made.
func (c *comparison) early() {
	for _, key := range slices.Sorted(maps.Keys(c.now)) {
		if !guards.Written(c.now[key]) {
			continue
		}
		for _, u := range c.now[key] {
			if u.Write || u.In.Up != nil || usedIn(c.was[key], u.In.Name) {
				continue
			}
			for _, lit := range u.In.Lits {
				if usedIn(c.was[key], lit.Name) && !usedIn(c.now[key], lit.Name) && returnedBy(u.In, lit) {
					c.report(ReadEarly, u, "%s is read when the function that is returned is made, and was when that runs", u.Name)
				}
			}
		}
	}
}

// usedIn reports whether some uses are in a function of a name.
func usedIn(uses []access.Use, name string) bool {
	return slices.ContainsFunc(uses, func(u access.Use) bool { return u.In.Name == name })
}

// returnedBy reports whether a function returns a literal.
func returnedBy(fn, lit *program.Func) bool {
	returned := false
	locks.EachReturn(fn.Body, func(ret *ast.ReturnStmt) {
		returned = returned || slices.ContainsFunc(ret.Results, func(e ast.Expr) bool { return ast.Unparen(e) == lit.Node })
	})
	return returned
}

package halves

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// groups finds functions of the package's users that wait for a group without having told
// anybody, where the patch puts the Add of others in one section with a question: whoever waits
// is to answer it first, as Close does by a flag, or they go on to add while it waits.
func (c *change) groups() (found []Finding) {
	had := c.before.grouped()
	for _, add := range c.after.grouped() {
		if add.method != "Add" || !add.locked || !slices.ContainsFunc(had, func(o groupCall) bool {
			return o.method == "Add" && o.of == add.of && o.in.name == add.in.name && !o.locked
		}) {
			continue
		}
		for _, wait := range c.after.grouped() {
			if wait.method == "Wait" && wait.of == add.of && wait.in.Name.IsExported() && wait.in.name != add.in.name && !wait.told {
				found = append(found, c.at(wait.in, wait.at.Pos(), "%s waits for %s, and %s may add to it meanwhile: the flag by which the patch keeps it from that is not set here", wait.in.Name.Name, wait.of.name, add.in.Name.Name))
			}
		}
	}
	return found
}

// counts finds Adds behind a section of their function, where the patch moves another Add to the group into a section:
// what was asked there may no longer be so.
func (c *change) counts() (found []Finding) {
	had, has := c.before.grouped(), c.after.grouped()
	mended := func(of field) bool {
		return slices.ContainsFunc(has, func(n groupCall) bool {
			return n.method == "Add" && n.of == of && n.locked && slices.ContainsFunc(had, func(o groupCall) bool {
				return o.method == "Add" && o.of == of && o.in.name == n.in.name && !o.locked
			})
		})
	}
	for _, add := range has {
		if add.method == "Add" && !add.locked && mended(add.of) && !takesAway(add.at) && (sectionBefore(add.in, add.at) || c.asksBefore(add.in, add.at)) {
			found = append(found, c.at(add.in, add.at.Pos(), "%s counts behind the section that asks whether to: the patch counts in the section elsewhere", types.ExprString(add.at.(*ast.CallExpr).Fun)))
		}
	}
	return found
}

// sectionBefore reports whether a function takes a lock in its own list before a place.
func sectionBefore(fn *function, at ast.Node) bool {
	return slices.ContainsFunc(fn.Body.List, func(s ast.Stmt) bool {
		e, ok := s.(*ast.ExprStmt)
		return ok && s.Pos() < at.Pos() && strings.HasSuffix(lockMethod(fn.info(), e.X), "Lock") && !strings.HasSuffix(lockMethod(fn.info(), e.X), "Unlock")
	})
}

// asksBefore reports whether a function leaves, before a place, by what it asks a function of the program that takes
// a lock.
func (c *change) asksBefore(fn *function, at ast.Node) bool {
	return slices.ContainsFunc(fn.Body.List, func(s ast.Stmt) bool {
		test, ok := s.(*ast.IfStmt)
		return ok && s.End() < at.Pos() && hasReturn(test.Body) && syntax.Any(test.Cond, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return false
			}
			f := syntax.Callee(fn.info(), call.Fun)
			return f != nil && slices.ContainsFunc(c.after.funcs, func(to *function) bool {
				return to.info().Defs[to.Name] == types.Object(f.Origin()) && lockCalls(to) > 0
			})
		})
	})
}

// takesAway reports whether a call of Add takes something away, as Done does.
func takesAway(add ast.Node) bool {
	call, ok := add.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	switch e := ast.Unparen(call.Args[0]).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.SUB
	case *ast.BinaryExpr:
		return e.Op == token.SUB
	}
	return false
}

// A groupCall is a call of a method of a wait group in a field.
type groupCall struct {
	of     field
	method string
	in     *function
	at     ast.Node
	locked bool // in a section that begins in the function's own list
	told   bool // something is assigned, or stored, before it
}

func (v *version) grouped() (list []groupCall) {
	for _, fn := range v.funcs {
		for n := range ast.Preorder(fn.Body) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				continue
			}
			f := syntax.Callee(fn.info(), call.Fun)
			if f == nil || !strings.HasPrefix(f.FullName(), "(*sync.WaitGroup).") {
				continue
			}
			if of, ok := fieldOf(fn.info(), call.Fun.(*ast.SelectorExpr).X); ok {
				list = append(list, groupCall{of, f.Name(), fn, call, inSection(fn, call), tells(fn, call)})
			}
		}
	}
	return list
}

// inSection reports whether a lock is taken in a function's own list before a place, and not
// released there again.
func inSection(fn *function, at ast.Node) (held bool) {
	for _, s := range fn.Body.List {
		if s.Pos() > at.Pos() {
			break
		}
		if e, ok := s.(*ast.ExprStmt); ok {
			switch lockMethod(fn.info(), e.X) {
			case "Lock", "RLock":
				held = true
			case "Unlock", "RUnlock":
				held = false
			}
		}
	}
	return held
}

// lockMethod is the method of a mutex that is called; "": none.
func lockMethod(info *types.Info, e ast.Expr) string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return ""
	}
	f := syntax.Callee(info, call.Fun)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync" {
		return ""
	}
	return f.Name()
}

// tells reports whether a function assigns to a field, or stores an atomic value, before a place.
func tells(fn *function, at ast.Node) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() > at.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			f := syntax.Callee(fn.info(), n.Fun)
			return f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync/atomic" && !strings.HasPrefix(f.Name(), "Load")
		case ast.Stmt:
			return slices.ContainsFunc(syntax.Assigned(n), func(e ast.Expr) bool { _, field := ast.Unparen(e).(*ast.SelectorExpr); return field })
		}
		return false
	})
}

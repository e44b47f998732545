package halves

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// groups finds functions of the package's users that wait for a group without having told
// anybody, where the patch puts the Add of others in one section with a question: whoever waits
// is to answer it first, as Close does by a flag, or they go on to add while it waits.
func groups(c *pair.Change) (found []pair.Finding) {
	had := grouped(c.Before)
	for _, add := range grouped(c.After) {
		if add.method != "Add" || !add.locked || !slices.ContainsFunc(had, func(o groupCall) bool {
			return o.method == "Add" && o.of == add.of && o.in.FullName == add.in.FullName && !o.locked
		}) {
			continue
		}
		for _, wait := range grouped(c.After) {
			if wait.method == "Wait" && wait.of == add.of && wait.in.Name.IsExported() && wait.in.FullName != add.in.FullName && !wait.told {
				found = append(found, c.At(wait.in, wait.at.Pos(), "%s waits for %s, and %s may add to it meanwhile: the flag by which the patch keeps it from that is not set here", wait.in.Name.Name, wait.of.Name, add.in.Name.Name))
			}
		}
	}
	return found
}

// counts finds Adds behind a section of their function, where the patch moves another Add to the group into a section:
// what was asked there may no longer be so.
func counts(c *pair.Change) (found []pair.Finding) {
	had, has := grouped(c.Before), grouped(c.After)
	mended := func(of pair.Field) bool {
		return slices.ContainsFunc(has, func(n groupCall) bool {
			return n.method == "Add" && n.of == of && n.locked && slices.ContainsFunc(had, func(o groupCall) bool {
				return o.method == "Add" && o.of == of && o.in.FullName == n.in.FullName && !o.locked
			})
		})
	}
	for _, add := range has {
		if add.method == "Add" && !add.locked && mended(add.of) && !takesAway(add.at) && (sectionBefore(add.in, add.at) || asksBefore(c, add.in, add.at)) {
			found = append(found, c.At(add.in, add.at.Pos(), "%s counts behind the section that asks whether to: the patch counts in the section elsewhere", types.ExprString(add.at.(*ast.CallExpr).Fun)))
		}
	}
	return found
}

// sectionBefore reports whether a function takes a lock in its own list before a place.
func sectionBefore(fn *pair.Function, at ast.Node) bool {
	return slices.ContainsFunc(fn.Body.List, func(s ast.Stmt) bool {
		e, ok := s.(*ast.ExprStmt)
		return ok && s.Pos() < at.Pos() && strings.HasSuffix(pair.LockMethod(fn.Info(), e.X), "Lock") && !strings.HasSuffix(pair.LockMethod(fn.Info(), e.X), "Unlock")
	})
}

// asksBefore reports whether a function leaves, before a place, by what it asks a function of the program that takes
// a lock.
func asksBefore(c *pair.Change, fn *pair.Function, at ast.Node) bool {
	return slices.ContainsFunc(fn.Body.List, func(s ast.Stmt) bool {
		test, ok := s.(*ast.IfStmt)
		return ok && s.End() < at.Pos() && pair.HasReturn(test.Body) && syntax.Any(test.Cond, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return false
			}
			f := syntax.Callee(fn.Info(), call.Fun)
			return f != nil && slices.ContainsFunc(c.After.Funcs, func(to *pair.Function) bool {
				return to.Info().Defs[to.Name] == types.Object(f.Origin()) && pair.LockCalls(to) > 0
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
	of     pair.Field
	method string
	in     *pair.Function
	at     ast.Node
	locked bool // in a section that begins in the function's own list
	told   bool // something is assigned, or stored, before it
}

func grouped(v *pair.Version) (list []groupCall) {
	for _, fn := range v.Funcs {
		for n := range ast.Preorder(fn.Body) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				continue
			}
			f := syntax.Callee(fn.Info(), call.Fun)
			if f == nil || !strings.HasPrefix(f.FullName(), "(*sync.WaitGroup).") {
				continue
			}
			if of, ok := pair.FieldOf(fn.Info(), call.Fun.(*ast.SelectorExpr).X); ok {
				list = append(list, groupCall{of, f.Name(), fn, call, inSection(fn, call), tells(fn, call)})
			}
		}
	}
	return list
}

// tells reports whether a function assigns to a field, or stores an atomic value, before a place.
func tells(fn *pair.Function, at ast.Node) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() > at.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			f := syntax.Callee(fn.Info(), n.Fun)
			return f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync/atomic" && !strings.HasPrefix(f.Name(), "Load")
		case ast.Stmt:
			return slices.ContainsFunc(syntax.Assigned(n), func(e ast.Expr) bool { _, field := ast.Unparen(e).(*ast.SelectorExpr); return field })
		}
		return false
	})
}

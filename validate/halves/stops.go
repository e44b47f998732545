package halves

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// stops finds calls of a timer's Stop whose result is not asked, in functions where the patch
// leaves it so, although it asks elsewhere whether the same timer has fired. If the patch
// changes what the timer does when it fires, that may well look whether it is too late.
func stops(c *pair.Change) (found []pair.Finding) {
	had, has := stopped(c.Before), stopped(c.After)
	for timer, asked := range has.asked {
		if asked <= had.asked[timer] || !firesAsBefore(c, timer) {
			continue
		}
		for _, l := range has.ignored[timer] {
			found = append(found, c.At(l.In, l.At.Pos(), "nobody asks here whether %s has fired, as the patch does elsewhere", timer.Name))
		}
	}
	return found
}

// firesAsBefore reports whether the patch changes neither the functions that make a timer nor
// what it calls when it fires.
func firesAsBefore(c *pair.Change, of pair.Field) bool {
	for _, fn := range c.After.Funcs {
		for n := range ast.Preorder(fn.Body) {
			a, ok := n.(*ast.AssignStmt)
			if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
				continue
			}
			if to, ok := pair.FieldOf(fn.Info(), a.Lhs[0]); ok && to == of && (c.Changed(fn) || callsChanged(c, fn, a.Rhs[0])) {
				return false
			}
		}
	}
	return true
}

// callsChanged reports whether an expression of a function calls one that the patch changes.
func callsChanged(c *pair.Change, fn *pair.Function, e ast.Expr) bool {
	return syntax.Any(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		f, ok := fn.Info().Uses[id].(*types.Func)
		if !ok {
			return false
		}
		to := c.After.Named[f.Origin().FullName()]
		return to != nil && c.Changed(to)
	})
}

// A stopping is how timers are stopped.
type stopping struct {
	asked   map[pair.Field]int
	ignored map[pair.Field][]pair.Place
}

func stopped(v *pair.Version) stopping {
	s := stopping{make(map[pair.Field]int), make(map[pair.Field][]pair.Place)}
	for _, fn := range v.Funcs {
		syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			f := syntax.Callee(fn.Info(), call.Fun)
			sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if f == nil || !method || f.FullName() != "(*time.Timer).Stop" {
				return
			}
			of, ok := pair.FieldOf(fn.Info(), sel.X)
			if !ok || len(path) == 0 {
				return
			}
			switch path[len(path)-1].(type) {
			case *ast.ExprStmt:
				s.ignored[of] = append(s.ignored[of], pair.Place{In: fn, At: call})
			case *ast.DeferStmt, *ast.GoStmt:
			default:
				s.asked[of]++
			}
		})
	}
	return s
}

package halves

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
)

// stops finds calls of a timer's Stop whose result is not asked, in functions where the patch
// leaves it so, although it asks elsewhere whether the same timer has fired. If the patch
// changes what the timer does when it fires, that may well look whether it is too late.
func (c *change) stops() (found []Finding) {
	had, has := c.before.stopped(), c.after.stopped()
	for timer, asked := range has.asked {
		if asked <= had.asked[timer] || !c.firesAsBefore(timer) {
			continue
		}
		for _, l := range has.ignored[timer] {
			found = append(found, c.at(l.in, l.at.Pos(), "nobody asks here whether %s has fired, as the patch does elsewhere", timer.name))
		}
	}
	return found
}

// firesAsBefore reports whether the patch changes neither the functions that make a timer nor
// what it calls when it fires.
func (c *change) firesAsBefore(of field) bool {
	for _, fn := range c.after.funcs {
		for n := range ast.Preorder(fn.Body) {
			a, ok := n.(*ast.AssignStmt)
			if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
				continue
			}
			if to, ok := fieldOf(fn.info(), a.Lhs[0]); ok && to == of && (c.changed(fn) || c.callsChanged(fn, a.Rhs[0])) {
				return false
			}
		}
	}
	return true
}

// callsChanged reports whether an expression of a function calls one that the patch changes.
func (c *change) callsChanged(fn *function, e ast.Expr) bool {
	return syntax.Any(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		f, ok := fn.info().Uses[id].(*types.Func)
		if !ok {
			return false
		}
		to := c.after.named[f.Origin().FullName()]
		return to != nil && c.changed(to)
	})
}

// A field is one of a type.
type field struct{ owner, name string }

// A stopping is how timers are stopped.
type stopping struct {
	asked   map[field]int
	ignored map[field][]left
}

func (v *version) stopped() stopping {
	s := stopping{make(map[field]int), make(map[field][]left)}
	for _, fn := range v.funcs {
		syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			f := syntax.Callee(fn.info(), call.Fun)
			sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if f == nil || !method || f.FullName() != "(*time.Timer).Stop" {
				return
			}
			of, ok := fieldOf(fn.info(), sel.X)
			if !ok || len(path) == 0 {
				return
			}
			switch path[len(path)-1].(type) {
			case *ast.ExprStmt:
				s.ignored[of] = append(s.ignored[of], left{fn, call})
			case *ast.DeferStmt, *ast.GoStmt:
			default:
				s.asked[of]++
			}
		})
	}
	return s
}

// fieldOf identifies a field of a type.
func fieldOf(info *types.Info, e ast.Expr) (field, bool) {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || info.Selections[sel] == nil {
		return field{}, false
	}
	recv := info.Selections[sel].Recv()
	if p, ok := recv.Underlying().(*types.Pointer); ok {
		recv = p.Elem()
	}
	return field{types.TypeString(recv, nil), sel.Sel.Name}, true
}

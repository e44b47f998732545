package rules

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
)

// What is put into a new map or list that is assigned, or copied, as a whole is put where that goes:
//
//	c.texts = make(map[string]*text)        texts := make(map[string]*text)
//	for key, s := range raw {               for key, s := range raw {
//		c.texts[key] = &text{raw: s}    →     	texts[key] = &text{raw: s}
//	}                                       }
//	                                        c.texts = texts
//
// So is what is appended to one, and a list that is appended to another one that has been filled so.
// And who deletes all elements of a map one by one may as well make a new one.

// filled notes the elements of variables of functions that an assignment puts elsewhere.
func (r *effectCollector) filled(s *ast.AssignStmt, certain bool) {
	if len(s.Lhs) != len(s.Rhs) {
		return
	}
	for i, e := range s.Lhs {
		from := ast.Unparen(s.Rhs[i])
		if call, ok := from.(*ast.CallExpr); ok && syntax.Builtin(r.info, call) == "append" {
			from = call.Args[0]
		}
		if v, ok := r.object(from).(*types.Var); ok && r.fills(v) && !r.internal(e) {
			r.elements(e, certain)
		}
	}
}

// elements notes that the elements of a map or list are written.
func (r *effectCollector) elements(e ast.Expr, certain bool) {
	if key, ok := r.variable(e); ok {
		r.add(assignKey+key+"[]", effect{what: "what is put into " + types.ExprString(e), at: e.Pos(), certain: certain, internal: r.internal(e), names: r.names(e)})
	}
}

// fills reports whether the declared function that is read writes elements of a variable of its own, or appends some.
func (r *effectCollector) fills(v *types.Var) bool {
	decl := r.functions[r.decl]
	if len(decl) == 0 {
		return false
	}
	body := decl[len(decl)-1].decl.Body
	return body.Pos() <= v.Pos() && v.Pos() < body.End() && syntax.Any(body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok {
			return false
		}
		for i, e := range s.Lhs {
			if element, ok := ast.Unparen(e).(*ast.IndexExpr); ok && r.object(element.X) == v {
				return true
			}
			if id, ok := ast.Unparen(e).(*ast.Ident); ok && r.info.ObjectOf(id) == v && len(s.Lhs) == len(s.Rhs) && r.appends(s.Rhs[i]) {
				return true
			}
		}
		return false
	})
}

// appends reports whether an expression is an append of something.
func (r *effectCollector) appends(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && syntax.Builtin(r.info, call) == "append" && len(call.Args) > 1
}

// clearing notes the delete of a loop over a map that deletes each key.
func (r *effectCollector) clearing(loop *ast.RangeStmt) {
	key, ok := loop.Key.(*ast.Ident)
	if !ok {
		return
	}
	for _, s := range loop.Body.List {
		if exitsEarly(s) {
			return
		}
		stmt, ok := s.(*ast.ExprStmt)
		if !ok {
			continue
		}
		call, ok := stmt.X.(*ast.CallExpr)
		if ok && syntax.Builtin(r.info, call) == "delete" && types.ExprString(call.Args[0]) == types.ExprString(loop.X) && types.ExprString(call.Args[1]) == key.Name {
			r.clears[call.Pos()] = true
		}
	}
}

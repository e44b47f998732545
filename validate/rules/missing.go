package rules

import (
	"go/ast"
	"go/token"
	"go/types"
)

// To ask whether an element is there before it is put in or deleted leaves out no work: what is
// put in is there then, and what is deleted is not. So an assignment under the condition that
// nothing is there is one that an early return leaves out as well, and the rules do not see that. Nor does
// it leave out work to ask whether a variable has already the value that it is to get.

// missingIn notes the effects of an if statement that are left out only where nothing is to be
// done: m[k] = v under !ok or m[k] == nil, delete(m, k) under ok or m[k].
func (r *effectCollector) missingIn(s *ast.IfStmt) {
	r.setIn(s)
	element, there := r.asksWhetherThere(s)
	if element == "" {
		return
	}
	for _, stmt := range s.Body.List {
		switch stmt := stmt.(type) {
		case *ast.AssignStmt:
			for _, e := range stmt.Lhs {
				if !there && types.ExprString(e) == element {
					r.missing[e.Pos()] = true
				}
			}
		case *ast.ExprStmt:
			call, ok := stmt.X.(*ast.CallExpr)
			if id, isName := identOf(call, ok); isName && there && id == "delete" && len(call.Args) == 2 &&
				types.ExprString(call.Args[0])+"["+types.ExprString(call.Args[1])+"]" == element {
				r.missing[call.Pos()] = true
			}
		}
	}
}

// setIn notes the assignments of an if statement that are left out only where the variable has the value already:
// closed = true under !closed, open = false under open.
func (r *effectCollector) setIn(s *ast.IfStmt) {
	cond, is := ast.Unparen(s.Cond), "false"
	if not, ok := cond.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		cond, is = ast.Unparen(not.X), "true"
	}
	for _, stmt := range s.Body.List {
		a, ok := stmt.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
			continue
		}
		for i, e := range a.Lhs {
			value, ok := ast.Unparen(a.Rhs[i]).(*ast.Ident)
			if ok && r.info.Uses[value] == types.Universe.Lookup(is) && types.ExprString(e) == types.ExprString(cond) {
				r.missing[e.Pos()] = true
			}
		}
	}
}

func identOf(call *ast.CallExpr, ok bool) (string, bool) {
	if !ok {
		return "", false
	}
	id, ok := call.Fun.(*ast.Ident)
	if !ok {
		return "", false
	}
	return id.Name, true
}

// asksWhetherThere is the element or variable, as it is written, of which an if statement asks
// no more than whether it is there; "" if it asks something else.
func (r *effectCollector) asksWhetherThere(s *ast.IfStmt) (element string, there bool) {
	cond, there := ast.Unparen(s.Cond), true
	if not, ok := cond.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		cond, there = ast.Unparen(not.X), false
	}
	switch e := cond.(type) {
	case *ast.IndexExpr:
		return types.ExprString(e), there
	case *ast.Ident:
		return r.found[r.info.Uses[e]], there
	case *ast.BinaryExpr:
		if id, ok := ast.Unparen(e.Y).(*ast.Ident); ok && r.info.Uses[id] == types.Universe.Lookup("nil") && (e.Op == token.EQL || e.Op == token.NEQ) {
			return types.ExprString(e.X), e.Op == token.NEQ
		}
	}
	return "", false
}

// lookedUp notes v, ok := m[k]: ok says whether the element is there.
func (r *effectCollector) lookedUp(s *ast.AssignStmt) {
	if len(s.Lhs) != 2 || len(s.Rhs) != 1 {
		return
	}
	element, ok := ast.Unparen(s.Rhs[0]).(*ast.IndexExpr)
	if id, isName := s.Lhs[1].(*ast.Ident); ok && isName {
		r.found[r.info.ObjectOf(id)] = types.ExprString(element)
	}
}

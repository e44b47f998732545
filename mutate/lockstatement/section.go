package lockstatement

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/dave/dst"

	"mendel/mutate"
)

// A section is some consecutive statements and the form in which they are locked.
type section struct {
	stmts    []ast.Stmt
	deferred bool       // the release is deferred: it ends with the function
	exits    []ast.Stmt // otherwise: a release goes before each of these, too
}

// find plans the section of an edit again.
func find(fn *mutate.Function, e mutate.Edit) (section, bool) {
	for _, st := range fn.Statements() {
		if fn.ID(st.Stmt) == e.Node && e.Count >= 1 && st.Index+e.Count <= len(st.List) {
			s, ok := plan(fn, st, e.Count)
			return s, ok && len(s.stmts) == e.Count
		}
	}
	return section{}, false
}

// plan finds the form for count statements from st on; ok is false when there is
// none that is right Go.
func plan(fn *mutate.Function, st mutate.Statement, count int) (s section, ok bool) {
	end := st.Index + count
	s.stmts = st.List[st.Index:end]
	if fn.HasGotoTarget(s.stmts...) || !balanced(fn, s.stmts) {
		return s, false
	}
	s.exits = fn.Exits(s.stmts...)
	last := s.stmts[count-1]
	if len(s.exits) == 0 {
		return s, !terminates(last) && !isFallthrough(last)
	}
	branches := slices.ContainsFunc(s.exits, isBranch) // with a deferred release they would leave locked
	// A lone return behind the statements may be covered with them.
	if !branches && end+1 == len(st.List) && isReturn(st.List[end]) && deferrable(fn, st, end+1) {
		s.stmts, s.deferred, s.exits = st.List[st.Index:end+1], true, nil
		return s, true
	}
	if !branches && deferrable(fn, st, end) {
		s.deferred, s.exits = true, nil
		return s, true
	}
	if terminates(last) {
		return s, false
	}
	for _, exit := range s.exits {
		if !fn.PlainExit(exit) {
			return s, false
		}
	}
	return s, true
}

// deferrable tells whether a release deferred at st runs when the statements up
// to end of its list have: they are the last of the function's body, or of a
// block outside of loops that ends in a return.
func deferrable(fn *mutate.Function, st mutate.Statement, end int) bool {
	if end != len(st.List) {
		return false
	}
	if st.Owner == fn.Body {
		return true
	}
	return isReturn(st.List[end-1]) && !inLoop(fn, st.Stmt)
}

// balanced tells whether the sections that begin or end among the statements
// lie there whole.
func balanced(fn *mutate.Function, stmts []ast.Stmt) bool {
	inside := func(n ast.Node) bool { return stmts[0].Pos() <= n.Pos() && n.End() <= stmts[len(stmts)-1].End() }
	for _, s := range fn.Sections() {
		for _, r := range s.Releases {
			if inside(r) != inside(s.Acquire) {
				return false
			}
		}
	}
	return true
}

func isReturn(s ast.Stmt) bool {
	_, ok := s.(*ast.ReturnStmt)
	return ok
}

func isBranch(s ast.Stmt) bool {
	_, ok := s.(*ast.BranchStmt)
	return ok
}

func isFallthrough(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// inLoop tells whether a loop of the function is around a statement, or a goto could make one.
func inLoop(fn *mutate.Function, s ast.Stmt) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if n == nil || n == s || found {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			found = n.Pos() <= s.Pos() && s.End() <= n.End()
		case *ast.BranchStmt:
			found = n.Tok == token.GOTO
		}
		return true
	})
	return found
}

// nodes finds the section's statements in the edited tree. They must still be
// neighbours: what other edits put among them may not lock or unlock.
func (s section) nodes(m *mutate.Mutation, fn *mutate.Function, e mutate.Edit) ([]dst.Stmt, error) {
	var nodes []dst.Stmt
	var list *[]dst.Stmt
	at := 0
	for i, stmt := range s.stmts {
		n, ok := m.Node(e.File, fn.ID(stmt)).(dst.Stmt)
		if !ok {
			return nil, mutate.Refuse(e, "another edit removed one of the statements")
		}
		l, index, ok := m.Place(e.File, n)
		if !ok || i > 0 && (l != list || index <= at) {
			return nil, mutate.Refuse(e, "another edit moved one of the statements")
		}
		for j := at + 1; i > 0 && j < index; j++ {
			if m.IsLockCall((*l)[j]) {
				return nil, mutate.Refuse(e, "another section begins or ends among the statements")
			}
		}
		list, at = l, index
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// terminates tells whether nothing is reached behind a statement. It follows
// the language's definition of a terminating statement.
func terminates(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.GOTO || s.Tok == token.BREAK || s.Tok == token.CONTINUE
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	case *ast.BlockStmt:
		return listTerminates(s.List)
	case *ast.IfStmt:
		return s.Else != nil && listTerminates(s.Body.List) && terminates(s.Else)
	case *ast.ForStmt:
		return s.Cond == nil && !breaksOut(s.Body)
	case *ast.LabeledStmt:
		return true // a break may name it; be careful
	case *ast.SwitchStmt:
		return clausesTerminate(s.Body)
	case *ast.TypeSwitchStmt:
		return clausesTerminate(s.Body)
	case *ast.SelectStmt:
		return selectTerminates(s.Body)
	}
	return false
}

func listTerminates(list []ast.Stmt) bool {
	return len(list) > 0 && terminates(list[len(list)-1])
}

func clausesTerminate(body *ast.BlockStmt) bool {
	hasDefault := false
	for _, c := range body.List {
		c := c.(*ast.CaseClause)
		hasDefault = hasDefault || c.List == nil
		if len(c.Body) > 0 && isFallthrough(c.Body[len(c.Body)-1]) {
			continue
		}
		if !listTerminates(c.Body) {
			return false
		}
	}
	return hasDefault && !breaksOut(body)
}

func selectTerminates(body *ast.BlockStmt) bool {
	for _, c := range body.List {
		if !listTerminates(c.(*ast.CommClause).Body) {
			return false
		}
	}
	return !breaksOut(body)
}

// breaksOut tells whether a break without a label leaves the statement whose
// body this is.
func breaksOut(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK
		}
		return !found
	})
	return found
}

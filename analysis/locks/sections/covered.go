package sections

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
)

// A Section is what a function evaluates while it certainly holds a lock that its text took last
// at one place.
type Section struct {
	naming.Lock
	In *program.Func
	// Nodes are the simple statements and the expressions, as they come; of a literal of
	// which it is not seen who runs it, the body, as if it ran where it stands. Other
	// literals are functions of their own.
	Nodes    []ast.Node
	Stmts    []ast.Stmt      // that begin there, calls of locks and blocks left out
	Deferred []*ast.CallExpr // calls that were deferred, and are made there
}

// Of lists the sections of a function. Only what is held on all paths counts; what
// callers hold is left out.
func Of(of *locks.Model, fn *program.Func) []Section {
	m := of.Lock()
	defer of.Unlock()
	return In(m, fn)
}

// In lists the sections of a function.
func In(m *locks.View, fn *program.Func) []Section {
	var list []Section
	for _, f := range m.Flows(fn) {
		list = append(list, sectionsOf(m, fn, m.GoingOn(fn, f))...)
	}
	return list
}

func sectionsOf(m *locks.View, fn *program.Func, f *locks.Flow) []Section {
	var list []Section
	begun := make(map[token.Pos]int) // index by where the lock was taken
	at := func(n ast.Node) *Section {
		taken := TakenBefore(m, fn, f.Lock, n.Pos())
		i, known := begun[taken]
		if !known {
			i, begun[taken] = len(list), len(list)
			list = append(list, Section{Lock: f.Lock, In: fn})
		}
		return &list[i]
	}
	held := func(n ast.Node) bool { h, _ := f.At(n); return h.Always }
	g := m.Graph(fn)
	for _, b := range g.Blocks {
		for _, n := range b.Nodes {
			if locks.Implicit(fn, n) || onlyLocks(fn, n) {
				continue
			}
			if held(n) {
				s := at(n)
				s.Nodes = append(s.Nodes, n)
				addUnseen(m, fn, n, s)
			}
			if d, ok := n.(*ast.DeferStmt); ok && held(d.Call) {
				s := at(n)
				s.Deferred = append(s.Deferred, d.Call)
			}
		}
	}
	for _, s := range statements(fn) {
		if held(g.Node(s)) {
			begun := at(s)
			begun.Stmts = append(begun.Stmts, s)
		}
	}
	return list
}

// addUnseen adds the literals in a node of which it is not seen who runs them.
func addUnseen(m *locks.View, fn *program.Func, n ast.Node, s *Section) {
	for _, lit := range fn.Lits {
		if lit.Node.Pos() < n.Pos() || n.End() < lit.Node.End() || m.Started(lit) {
			continue
		}
		if !seenRun(m, lit, nil) {
			s.Nodes = append(s.Nodes, lit.Body)
			s.Stmts = append(s.Stmts, statements(lit)...)
		}
	}
}

// seenRun reports whether it is seen who runs a literal: not only others of which it is not.
func seenRun(m *locks.View, lit *program.Func, asked []*program.Func) bool {
	list, ok := m.Entrances(lit)
	asked = append(asked, lit)
	return ok && slices.ContainsFunc(list, func(at locks.Entrance) bool {
		return at.In.Up == nil || !slices.Contains(asked, at.In) && (m.Started(at.In) || seenRun(m, at.In, asked))
	})
}

// TakenBefore is the last place before another one, and on a way to it, where the text of a function takes a lock.
func TakenBefore(m *locks.View, fn *program.Func, l naming.Lock, at token.Pos) token.Pos {
	taken := token.NoPos
	for _, c := range m.Calls(fn) {
		op, ok := program.LockMethod(fn.Info(), c.Call.Fun)
		if ok && c.Call.Pos() < at && (op.Method == "Lock" || op.Method == "RLock") && m.LockOf(fn, op).Path == l.Path && fn.LeadsTo(c.Call, at) {
			taken = max(taken, c.Call.Pos())
		}
	}
	return taken
}

// statements are the statements of a function's own text, without calls of locks, and without
// what only groups others.
func statements(fn *program.Func) []ast.Stmt {
	var list []ast.Stmt
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.LabeledStmt:
		case ast.Stmt:
			if !onlyLocks(fn, n) {
				list = append(list, n)
			}
		}
		return true
	})
	return list
}

// onlyLocks reports whether a statement is only a call of a lock's method, at once or
// deferred, also in a literal of just that.
func onlyLocks(fn *program.Func, n ast.Node) bool {
	var e ast.Expr
	switch s := n.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.DeferStmt:
		if lit, ok := s.Call.Fun.(*ast.FuncLit); ok && len(lit.Body.List) == 1 {
			return onlyLocks(fn, lit.Body.List[0])
		}
		e = s.Call
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	_, ok = program.LockMethod(fn.Info(), call.Fun)
	return ok
}

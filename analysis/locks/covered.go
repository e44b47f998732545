package locks

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis"
)

// A Section is what a function evaluates while it certainly holds a lock that its text took last
// at one place.
type Section struct {
	Lock
	In *Func
	// Nodes are the simple statements and the expressions, as they come; of a literal of
	// which it is not seen who runs it, the body, as if it ran where it stands. Other
	// literals are functions of their own.
	Nodes    []ast.Node
	Stmts    []ast.Stmt      // that begin there, calls of locks and blocks left out
	Deferred []*ast.CallExpr // calls that were deferred, and are made there
}

// Sections lists the sections of a function. Only what is held on all paths counts; what
// callers hold is left out.
func (of *Model) Sections(fn *Func) []Section {
	m := of.Lock()
	defer of.Unlock()
	return m.sectionsIn(fn)
}

func (m *View) sectionsIn(fn *Func) []Section {
	var list []Section
	for _, f := range m.flowsOf(fn) {
		list = append(list, m.sectionsOf(fn, m.goingOn(fn, f))...)
	}
	return list
}

// goingOn is a flow that goes on behind calls by which the goroutine waits for itself.
func (m *View) goingOn(fn *Func, f *flow) *flow {
	if !f.relocks {
		return f
	}
	fr := m.frame(fn, f.lock)
	fr.through, fr.before = true, make(map[ast.Node]state)
	ways := []entry{{}}
	for _, e := range m.entries(fn) {
		if e.lock.Path == f.lock.Path {
			ways = e.ways
		}
	}
	fr.run(ways...)
	return &flow{lock: f.lock, before: fr.before}
}

func (m *View) sectionsOf(fn *Func, f *flow) []Section {
	var list []Section
	begun := make(map[token.Pos]int) // index by where the lock was taken
	at := func(n ast.Node) *Section {
		taken := m.takenBefore(fn, f.lock, n.Pos())
		i, known := begun[taken]
		if !known {
			i, begun[taken] = len(list), len(list)
			list = append(list, Section{Lock: f.lock, In: fn})
		}
		return &list[i]
	}
	held := func(n ast.Node) bool { h, _ := f.at(n); return h.Always }
	g := m.graph(fn)
	for _, b := range g.Blocks {
		for _, n := range b.Nodes {
			if implicit(fn, n) || onlyLocks(fn, n) {
				continue
			}
			if held(n) {
				s := at(n)
				s.Nodes = append(s.Nodes, n)
				m.addUnseen(fn, n, s)
			}
			if d, ok := n.(*ast.DeferStmt); ok && held(d.Call) {
				s := at(n)
				s.Deferred = append(s.Deferred, d.Call)
			}
		}
	}
	for _, s := range statements(fn) {
		if held(g.node(s)) {
			begun := at(s)
			begun.Stmts = append(begun.Stmts, s)
		}
	}
	return list
}

// implicit reports whether a node of a function's graph is not in its text.
func implicit(fn *Func, n ast.Node) bool {
	e, empty := n.(*ast.EmptyStmt)
	_, returns := n.(*ast.ReturnStmt)
	return empty && e.Implicit || returns && n.Pos() == fn.Body.Rbrace
}

// addUnseen adds the literals in a node of which it is not seen who runs them.
func (m *View) addUnseen(fn *Func, n ast.Node, s *Section) {
	for _, lit := range fn.lits {
		if lit.Node.Pos() < n.Pos() || n.End() < lit.Node.End() || m.startedAt(lit) {
			continue
		}
		if !m.seenRun(lit, nil) {
			s.Nodes = append(s.Nodes, lit.Body)
			s.Stmts = append(s.Stmts, statements(lit)...)
		}
	}
}

// seenRun reports whether it is seen who runs a literal: not only others of which it is not.
func (m *View) seenRun(lit *Func, asked []*Func) bool {
	list, ok := m.entrances(lit)
	asked = append(asked, lit)
	return ok && slices.ContainsFunc(list, func(at entrance) bool {
		return at.in.Up == nil || !slices.Contains(asked, at.in) && (m.startedAt(at.in) || m.seenRun(at.in, asked))
	})
}

// takenBefore is the last place before another one where the text of a function takes a lock.
func (m *View) takenBefore(fn *Func, l Lock, at token.Pos) token.Pos {
	taken := token.NoPos
	for _, c := range m.callsOf(fn) {
		op, ok := lockMethod(fn.info(), c.call.Fun)
		if ok && c.call.Pos() < at && (op.method == "Lock" || op.method == "RLock") && m.lockOf(fn, op).Path == l.Path {
			taken = max(taken, c.call.Pos())
		}
	}
	return taken
}

// statements are the statements of a function's own text, without calls of locks, and without
// what only groups others.
func statements(fn *Func) []ast.Stmt {
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
func onlyLocks(fn *Func, n ast.Node) bool {
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
	_, ok = lockMethod(fn.info(), call.Fun)
	return ok
}

// In lists the functions whose text stands in a file of the program, or of a mutant of it; what
// a mutant leaves as it is are the original's.
func (m *Program) In(f *analysis.File) []*Func {
	var list []*Func
	for _, d := range f.AST.Decls {
		if m.base != nil && !m.changes(f, d) {
			d = m.base.ready().decls[f.Rel][m.text(f, d)]
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if fn := m.Of(n); fn != nil {
				list = append(list, fn)
			}
			return true
		})
	}
	return slices.Clip(list)
}

package locking

import (
	"go/ast"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/held"
)

// A Span is some consecutive statements that are to become a critical section,
// and the form in which they are locked.
type Span struct {
	Stmts    []ast.Stmt
	deferred bool       // the release is deferred: it ends with the function
	exits    []ast.Stmt // otherwise: a release goes before each of these, too; see leaving
}

// Find plans the span of an edit again: as many statements as its Count says
// from its Node on.
func Find(fn *mutate.Function, e mutate.Edit) (Span, bool) {
	for _, st := range fn.Statements() {
		if fn.ID(st.Stmt) == e.Node && e.Count >= 1 && st.Index+e.Count <= len(st.List) {
			s, ok := Plan(fn, st, e.Count)
			return s, ok && len(s.Stmts) == e.Count
		}
	}
	return Span{}, false
}

// Plan finds the form for count statements from st on; ok is false when there is
// none that is right Go. A lone return behind them may come in. The release is
// deferred where the section is the whole function, but for deferred calls that
// it begins with, and where the value of a return must be read under the lock.
func Plan(fn *mutate.Function, st mutate.Statement, count int) (s Span, ok bool) {
	end := st.Index + count
	s.Stmts = st.List[st.Index:end]
	if exits.HasGotoTarget(fn, s.Stmts...) || !balanced(fn, s.Stmts) {
		return s, false
	}
	s.exits = exits.Of(fn, s.Stmts...)
	last := s.Stmts[count-1]
	if len(s.exits) == 0 {
		s.deferred = st.Owner == fn.Body && st.Index == held.Leading(fn) && end == len(st.List)
		return s, !exits.Terminates(fn, last) && !isBranch(last)
	}
	branches := slices.ContainsFunc(s.exits, isBranch) // with a deferred release they would leave locked
	// A lone return behind the statements may be covered with them.
	if !branches && end+1 == len(st.List) && isReturn(st.List[end]) && deferrable(fn, st, end+1) {
		s.Stmts, s.deferred, s.exits = st.List[st.Index:end+1], true, nil
		return s, true
	}
	if !branches && deferrable(fn, st, end) {
		s.deferred, s.exits = true, nil
		return s, true
	}
	if exits.Terminates(fn, last) {
		return s, false
	}
	s.exits, ok = leaving(fn, s.Stmts, s.exits)
	return s, ok
}

// leaving are the statements before which the lock is released on the ways out: exits
// that evaluate nothing to which a lock could matter, and, where others would, what waits
// on the way to them. ok is false if there is an exit of neither kind.
func leaving(fn *mutate.Function, stmts, leaving []ast.Stmt) (before []ast.Stmt, ok bool) {
	var tails [][]ast.Stmt
	for _, exit := range leaving {
		in := func(tail []ast.Stmt) bool {
			return tail[0].Pos() <= exit.Pos() && exit.End() <= tail[len(tail)-1].End()
		}
		switch {
		case slices.ContainsFunc(tails, in):
		case exits.Plain(fn, exit):
			before = append(before, exit)
		default:
			tail := waitingTail(fn, stmts, in)
			if tail == nil {
				return nil, false
			}
			// Plain exits before this one may be in it, too.
			before = slices.DeleteFunc(before, func(s ast.Stmt) bool { return s.Pos() >= tail[0].Pos() })
			before, tails = append(before, tail[0]), append(tails, tail)
		}
	}
	return before, true
}

// waitingTail is the end of the outermost block with an exit in it that leaves the
// statements for certain, from where it waits for other goroutines: what it reads then is
// ordered by that, and to wait under the lock could take for ever. It is nil if there is
// none, or something is written there.
func waitingTail(fn *mutate.Function, stmts []ast.Stmt, in func([]ast.Stmt) bool) (tail []ast.Stmt) {
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.BlockStmt:
				if len(n.List) == 0 || tail != nil || syntax.IsClause(n.List[0]) || !exits.Terminates(fn, n.List[len(n.List)-1]) {
					break
				}
				i := slices.IndexFunc(n.List, func(s ast.Stmt) bool { return held.Waits(fn, analysis.Lock{}, s) })
				if i > 0 && in(n.List[i:]) && !changes(fn, n.List[i:]) {
					tail = n.List[i:]
				}
			}
			return tail == nil
		})
	}
	return tail
}

func changes(fn *mutate.Function, stmts []ast.Stmt) bool {
	return slices.ContainsFunc(fn.Accesses(stmts...), func(a analysis.Access) bool { return a.Write })
}

// deferrable reports whether a release deferred at st runs when the statements up
// to end of its list have: they are the last of the function's body, or of a
// block outside of loops that ends in a return.
func deferrable(fn *mutate.Function, st mutate.Statement, end int) bool {
	if end != len(st.List) {
		return false
	}
	if st.Owner == fn.Body {
		return true
	}
	return isReturn(st.List[end-1]) && !fn.Loops(st.Stmt) && !exits.HasGotoTarget(fn, fn.Body.List...)
}

// balanced reports whether the sections that begin or end among the statements
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

// nodes finds the statements in the edited tree. They must still be
// neighbours: what other edits put among them may not lock or unlock.
func (s Span) nodes(m *mutate.Mutation, fn *mutate.Function, e mutate.Edit) ([]dst.Stmt, error) {
	var nodes []dst.Stmt
	var list *[]dst.Stmt
	at := 0
	for i, stmt := range s.Stmts {
		n, ok := m.Node(e.File, fn.ID(stmt)).(dst.Stmt)
		if !ok {
			return nil, mutate.Refuse(e, "another edit removed one of the statements")
		}
		l, index, ok := m.ListOf(e.File, n)
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

// tail is where the release for an exit goes: before the exit, or before what waits
// in front of it and needs no lock.
func (s Span) tail(fn *mutate.Function, e mutate.Edit, exit ast.Stmt) ast.Stmt {
	all := fn.Statements()
	i := slices.IndexFunc(all, func(st mutate.Statement) bool { return st.Stmt == exit })
	if i < 0 || slices.Contains(s.Stmts, exit) {
		return exit
	}
	list, last := all[i].List, all[i].Index
	first := last
	for first > 0 && len(fn.Accesses(list[first-1])) == 0 && !callsModule(fn, list[first-1:first]) {
		first--
	}
	if first < last && held.Waits(fn, *e.Lock, list[first:last]...) {
		return list[first]
	}
	return exit
}

// Lock makes the span a critical section of the edit's lock.
func (s Span) Lock(m *mutate.Mutation, fn *mutate.Function, e mutate.Edit) error {
	nodes, err := s.nodes(m, fn, e)
	if err != nil {
		return err
	}
	acquire, release := Methods(e.Read)
	first, last := nodes[0], nodes[len(nodes)-1]
	note := e.Note
	if s.deferred && s.Stmts[0] == fn.Body.List[0] {
		note = Comment(fn, e)
	}
	before := []dst.Stmt{m.Call(*e.Lock, acquire, note)}
	if s.deferred {
		before = append(before, m.Defer(*e.Lock, release))
	} else if err := m.Insert(e.File, last, true, m.Call(*e.Lock, release, "")); err != nil {
		return err
	}
	for _, exit := range s.exits {
		at := fn.ID(s.tail(fn, e, exit))
		if err := m.Insert(e.File, m.Stmt(e.File, at), false, m.Call(*e.Lock, release, "")); err != nil {
			return err
		}
	}
	return m.Insert(e.File, first, false, before...)
}

// All reports whether the statements list[first:last+1] are all that the
// function does: before them it only defers calls, behind them it only returns
// what needs no lock.
func All(fn *mutate.Function, list []ast.Stmt, first, last int) bool {
	if len(fn.Body.List) == 0 || len(list) == 0 || fn.Body.List[0] != list[0] {
		return false
	}
	for _, s := range list[:first] {
		if _, deferred := s.(*ast.DeferStmt); !deferred {
			return false
		}
	}
	for _, s := range list[last+1:] {
		if ret, ok := s.(*ast.ReturnStmt); !ok || !syntax.NamesOnly(ret.Results) {
			return false
		}
	}
	return true
}

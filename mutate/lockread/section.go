package lockread

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// inSection is the form in which the variable is read in the section before the statement, which asks
// or changes what belongs to it.
const inSection = "section"

// sectionBefore is the last section of a lock that a function always passes through before the statement of
// a read, and that could read what the statement does; nil: there is none.
func (r *read) sectionBefore(fn *mutate.Function, l analysis.Lock) *mutate.Section {
	var last *mutate.Section
	for _, s := range fn.Sections() {
		if s.Lock.Key != l.Key || s.Acquire.Pos() > r.stmt.Pos() {
			continue
		}
		if last == nil || s.Acquire.Pos() > last.Acquire.Pos() {
			last = s
		}
	}
	if last == nil || last.Lock.Expr != l.Expr || last.Deferred || last.Final == nil || len(last.Releases) != 1 || len(last.Body) == 0 {
		return nil
	}
	at := slices.Index(last.List, last.Final)
	to := slices.IndexFunc(last.List, func(s ast.Stmt) bool { return syntax.Within(ast.Node(r.stmt), ast.Node(s)) })
	text := types.ExprString(r.exprs[0])
	changed := func(s ast.Stmt) bool { return assigned(s, text) }
	if to <= at || !r.knownBefore(fn, last.Acquire) || slices.ContainsFunc(last.List[at+1:to+1], changed) || r.again(last.List[to]) {
		return nil
	}
	return last
}

// again reports whether the statement of a read is in a loop of another one: it reads anew in each turn.
func (r *read) again(within ast.Stmt) bool {
	return syntax.Any(within, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return syntax.Within(ast.Node(r.stmt), n)
		}
		return false
	})
}

// knownBefore reports whether what is read means the same before a statement of the function.
func (r *read) knownBefore(fn *mutate.Function, stmt ast.Stmt) bool {
	return !syntax.Any(r.exprs[0], func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := fn.File.Package.Info.Uses[id].(*types.Var)
		return ok && !v.IsField() && v.Pos() > stmt.Pos() && v.Pos() < fn.Body.End()
	})
}

// readInSection makes the edit.
func (r *read) readInSection(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function) error {
	s := r.sectionBefore(fn, *e.Lock)
	if s == nil {
		return mutate.Refuse(e, "there is no section before the statement")
	}
	last := m.StmtOf(e.File, s.Body[len(s.Body)-1])
	if last == nil {
		return mutate.Refuse(e, "another edit removed the section")
	}
	value, err := r.replace(m, e, fn)
	if err != nil {
		return err
	}
	define := &dst.AssignStmt{Lhs: []dst.Expr{dst.NewIdent(e.Expr)}, Tok: token.DEFINE, Rhs: []dst.Expr{value}}
	define.Decs.Start.Append("// " + e.Note)
	define.Decs.Before = dst.NewLine
	return m.Insert(e.File, last, true, define)
}

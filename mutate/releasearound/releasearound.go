package releasearound

import (
	_ "embed"
	"go/ast"
	"go/token"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator releases a lock around one statement of its section that waits for others.
var Operator = &mutate.Operator{
	Name:    "releasearound",
	Doc:     doc,
	Prior:   map[evidence.Kind]float64{evidence.Deadlock: 4, evidence.Blocked: 4, evidence.Race: 0.2},
	Shrinks: true,
	Edits:   edits,
	Apply:   apply,
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	sections := fn.Sections()
	for _, s := range sections {
		for _, st := range fn.Statements() {
			if !fits(fn, sections, s, st.Stmt) {
				continue
			}
			e := fn.NewEdit("releasearound", st.Stmt, st.Stmt)
			e.Other, e.Lock, e.Read = fn.ID(s.Acquire), &s.Lock, s.Read
			e.Note = note(fn, s, st.Stmt)
			e.Flags = fn.GuardFlags(s, st.Stmt)
			out = append(out, e)
		}
	}
	return out
}

// fits tells whether a section's lock may be released around a statement.
func fits(fn *mutate.Function, sections []*mutate.Section, s *mutate.Section, stmt ast.Stmt) bool {
	if s.Again || !s.Holds(stmt) || !simple(stmt) || !s.NamedIn(stmt) || s.Prepares(stmt) || fn.IsLockCall(stmt) {
		return false
	}
	if atBound(s, stmt) {
		return false
	}
	effects := fn.Effects(s, stmt)
	if effects.Waits || !effects.Blocks && !effects.Nests && !effects.Relocks {
		return false
	}
	for _, t := range sections {
		// Taken again under a lock that was taken after it, it would be the inner lock.
		if s.Encloses(t) && t.Holds(stmt) || s != t && s.SameLock(t) && t.Holds(stmt) {
			return false
		}
	}
	if len(fn.Exits(stmt)) > 0 {
		return false
	}
	for _, a := range fn.Guarded(s, stmt) {
		if a.Write || !argument(stmt, a.Expr) {
			return false
		}
	}
	return true
}

// atBound tells whether a statement is the first or last of a section that
// may as well begin or end there: shrinkstart's and shrinkend's, or the only
// one. That a deferred release can be written out is not certain.
func atBound(s *mutate.Section, stmt ast.Stmt) bool {
	if stmt == s.Body[0] {
		return true
	}
	return stmt == s.Body[len(s.Body)-1] && !s.Deferred
}

// simple tells whether a statement is one that calls, sends, receives or selects.
func simple(stmt ast.Stmt) bool {
	switch s := stmt.(type) {
	case *ast.ExprStmt, *ast.SendStmt, *ast.SelectStmt:
		return true
	case *ast.AssignStmt:
		return true
	case *ast.DeclStmt:
		decl, ok := s.Decl.(*ast.GenDecl)
		return ok && decl.Tok == token.VAR
	}
	return false
}

// argument tells whether an expression is but evaluated for a call: part of
// what is called or of its arguments.
func argument(stmt ast.Stmt, e ast.Expr) bool {
	found := false
	ast.Inspect(stmt, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || call.Pos() <= e.Pos() && e.End() <= call.End()
		}
		return !found
	})
	return found
}

func note(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt) string {
	effects, name := fn.Effects(s, stmt), fn.Called(stmt)
	switch {
	case name != "" && effects.Relocks:
		return name + " takes " + s.Lock.Expr + " itself"
	case name != "" && effects.Nests:
		return name + " takes other locks: not under " + s.Lock.Expr
	}
	return "do not wait for others under " + s.Lock.Expr
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	s, err := m.PlacedOther(e)
	if err != nil {
		return err
	}
	stmt, err := s.Around(e.Node)
	if err != nil {
		return err
	}
	if err := s.Released(stmt, false, e.Note); err != nil {
		return err
	}
	return s.Acquired(stmt, true, "")
}

package removelock

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/guards"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locked"
	"mendel/mutate/internal/sectionedit"
)

// removal is the edit that takes a whole section's lock away, for the
// operators that differ only in which sections they choose; removeSection
// makes it. It is refused (ok is false) where the section holds a
// sync.Cond.Wait, where its lock is a local variable with no other use, and
// where it is empty, so that taking and releasing the lock is all it is for,
// unless it is taken by every caller already; and where the release has a name,
// so that a function which does nothing would stay.
//
// A section that is entered with its lock held drops no guard. An exported
// function may have other callers than the program's. Where no access
// to anything shared is known the lock may still be there for one that is not,
// or to make others wait, as a gate does: the edit is flagged DropsLock.
func removal(fn *mutate.Function, operator string, s *mutate.Section) (e mutate.Edit, ok bool) {
	entry := held.EntryOf(fn, s)
	if s.Named || len(s.Body) == 0 && entry == held.Unheld || effects.Of(fn, s, s.Body...).Waits || !usedBeyond(fn, s) {
		return mutate.Edit{}, false
	}
	e = fn.NewEdit(operator, s.Acquire, s.Body...)
	e.Lock, e.Read = &s.Lock, s.Read
	switch subject := effects.Subject(fn, "is", s.Body...); {
	case entry == held.Held:
		e.Note = "every caller holds " + s.Lock.Expr
	case subject != "":
		e.Note = subject + " without " + s.Lock.Expr
	default:
		e.Note = "nothing shared is touched under " + s.Lock.Expr
	}
	if entry != held.Held || exported(fn) {
		e.Flags = guards.Flags(fn, s, s.Body...)
	}
	if entry != held.Held && len(e.Flags) == 0 && len(e.Vars) == 0 {
		e.Flags = []mutate.Flag{mutate.DropsLock}
	}
	return e, true
}

// removeSection makes an edit that removal gave. Where every caller holds the
// lock the function's comment says so.
func removeSection(m *mutate.Mutation, e mutate.Edit) error {
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	if err := s.DropAll(); err != nil {
		return err
	}
	if _, declared := s.Fn.Node.(*ast.FuncDecl); declared && held.EntryOf(s.Fn, s.Section) == held.Held {
		return locked.SaysHeld(m, e, s.Fn, s.Lock.Expr)
	}
	return nil
}

// exported reports whether packages outside the program can call the function.
func exported(fn *mutate.Function) bool {
	decl, ok := fn.Node.(*ast.FuncDecl)
	return ok && decl.Name.IsExported() && fn.File.Package.Types.Name() != "main"
}

// usedBeyond reports whether the variable that a section's lock is reached
// through is used elsewhere too, or need not be: the compiler refuses only
// local variables without a use.
func usedBeyond(fn *mutate.Function, s *mutate.Section) bool {
	base := syntax.Root(s.Expr)
	if base == nil {
		return true
	}
	v, ok := fn.File.Package.Info.ObjectOf(base).(*types.Var)
	if !ok || syntax.OneInstance(fn.File.Package.Info, s.Expr) {
		return true
	}
	own := append([]ast.Stmt{s.Acquire}, s.Releases...)
	declared, used := false, false
	var root ast.Node = fn.File.AST
	if decl := fn.Decl(); decl != nil && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() {
		root = decl // nobody else names it
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field: // a parameter, result or receiver
			for _, name := range n.Names {
				declared = declared || fn.File.Package.Info.ObjectOf(name) == v
			}
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN && len(n.Lhs) == 1 {
				if id, ok := n.Lhs[0].(*ast.Ident); ok && fn.File.Package.Info.ObjectOf(id) == v {
					ast.Inspect(n.Rhs[0], func(m ast.Node) bool {
						id, ok := m.(*ast.Ident)
						used = used || ok && fn.File.Package.Info.ObjectOf(id) == v
						return true
					})
					return false
				}
			}
		case *ast.Ident:
			used = used || fn.File.Package.Info.Uses[n] == v && !syntax.Within(n, own...)
		}
		return true
	})
	return declared || used
}

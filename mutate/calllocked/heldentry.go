package calllocked

import (
	"go/ast"
	"slices"

	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locked"
)

// entry is the form of the edits of a function that has no section, and whose callers all hold a lock, for its calls
// of functions that take the lock again.
const entry = "entry"

// entryEdits lists these edits, one for each lock, in source order.
func entryEdits(fn *mutate.Function) (all []mutate.Edit) {
	for _, c := range locked.CallsNow(fn) {
		for _, key := range held.AcquiresOf(fn, c.Expr) {
			if !held.ByCaller(fn, key) || slices.ContainsFunc(all, func(e mutate.Edit) bool { return e.Lock.Key == key }) {
				continue
			}
			calls := enteredWith(fn, key)
			if len(calls) == 0 {
				continue
			}
			var stmts []ast.Stmt
			for _, c := range calls {
				if st := mutate.Innermost(fn.Statements(), c.Expr).Stmt; !slices.Contains(stmts, st) {
					stmts = append(stmts, st)
				}
			}
			e := fn.NewEdit("calllocked", stmts[0], stmts...)
			lock := calls[0].To.As
			e.Form, e.Lock = entry, &lock
			e.Note = names(calls, true) + " would take " + lock.Expr + " again, which callers of " + fn.Node.(*ast.FuncDecl).Name.Name + " hold"
			for _, c := range calls {
				e.Heat = max(e.Heat, c.To.WaitHeat())
			}
			all = append(all, e)
		}
	}
	return all
}

// enteredWith lists the calls of a function that take a lock again which all its callers certainly hold.
func enteredWith(fn *mutate.Function, key string) (calls []locked.Call) {
	if _, declared := fn.Node.(*ast.FuncDecl); !declared || slices.ContainsFunc(fn.Sections(), func(s *mutate.Section) bool { return s.Lock.Key == key }) {
		return nil
	}
	for _, c := range locked.CallsNow(fn) {
		if len(c.To.Sections()) == 0 || !held.Acquires(fn, c.Expr, key) { // what takes it by others has an edit of its own
			continue
		}
		for _, to := range locked.Of(c.To, key) {
			if locked.EntersHolding(fn, c, to) && locked.CanCall(fn, c.Expr, to) {
				calls = append(calls, locked.Call{Expr: c.Expr, To: to})
			}
		}
	}
	return calls
}

// applyEntry has the calls made without the lock.
func applyEntry(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	at := m.Stmt(e.File, e.Node)
	if fn == nil || at == nil || e.Lock == nil {
		return mutate.Refuse(e, "another edit removed the call")
	}
	calls := enteredWith(fn, e.Lock.Key)
	if len(calls) == 0 {
		return mutate.Refuse(e, "nothing takes the lock again that callers hold")
	}
	if err := locked.CallUnlocked(m, e, calls); err != nil {
		return err
	}
	fset := m.Program().Fset
	if stmt := m.Syntax(e.File, e.Node); stmt != nil && fset.Position(stmt.Pos()).Line > fset.Position(fn.Body.Lbrace).Line {
		at.Decorations().Start.Append("// " + e.Note)
	}
	return nil
}

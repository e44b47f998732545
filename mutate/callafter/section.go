package callafter

import (
	"go/ast"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
)

// within lists the calls to put off that a function makes in a section of its own, if
// they can be made behind it.
func within(fn *mutate.Function, s *mutate.Section) []call {
	if s.Again || final(fn, s) == nil && fn.Loops(s.Acquire) {
		return nil
	}
	for _, t := range fn.Sections() {
		if t.Encloses(s) {
			return nil // the calls would be made under its lock
		}
	}
	return slices.DeleteFunc(calls(fn), func(c call) bool { return !s.Holds(c.stmt) })
}

// final is the only release of a section, as a statement behind it; nil: there is none.
func final(fn *mutate.Function, s *mutate.Section) ast.Stmt {
	if s.Deferred || len(s.Releases) != 1 {
		return nil
	}
	return s.Final
}

// applyWithin puts calls off until the function returns or, where its section has one
// end, until that.
func applyWithin(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, s *mutate.Section, list []call) error {
	name, one := scope.FreeName(fn, "calls"), scope.FreeName(fn, "call")
	for _, c := range list {
		if err := c.putOff(m, e, name); err != nil {
			return err
		}
	}
	declare := "var " + name + " []func() // for after the unlock\n"
	run := "for _, " + one + " := range " + name + " {\n" + one + "()\n}"
	end := final(fn, s)
	if end == nil {
		declare += "defer func() {\n" + run + "\n}()\n"
	} else if err := m.InsertSnippet(e.File, m.StmtOf(e.File, end), true, run); err != nil {
		return err
	}
	return m.InsertSnippet(e.File, m.StmtOf(e.File, s.Acquire), false, declare)
}

// A holder is a section during which a value's lock is held.
type holder struct {
	fn   *mutate.Function
	s    *mutate.Section
	base string // the value, as the section's function names it
}

// holderOf is the section of a function in which a statement is done under the lock of
// a value that is named so; nil if there is none.
func holderOf(fn *mutate.Function, stmt ast.Stmt, base string) *holder {
	for _, s := range slices.Backward(fn.Sections()) {
		if owner, _, ok := cut(s.Lock); ok && s.Covers(stmt) && owner == base {
			return &holder{fn, s, base}
		}
	}
	return nil
}

// release makes a section end with the new method.
func (h *holder) release(m *mutate.Mutation, e mutate.Edit, method string) error {
	for _, r := range h.s.Releases {
		var x dst.Expr
		switch s := m.StmtOf(h.fn.File.Rel, r).(type) {
		case *dst.ExprStmt:
			x = s.X
		case *dst.DeferStmt:
			x = s.Call
		}
		call, ok := x.(*dst.CallExpr)
		if !ok {
			return mutate.Refuse(e, "another edit changed a section around the call")
		}
		sel, ok := call.Fun.(*dst.SelectorExpr)
		if !ok {
			return mutate.Refuse(e, "a section around the call is released in another way")
		}
		lock, ok := sel.X.(*dst.SelectorExpr)
		if !ok {
			return mutate.Refuse(e, "the lock around the call is no field")
		}
		if err := m.Replace(h.fn.File.Rel, call, &dst.CallExpr{Fun: &dst.SelectorExpr{X: lock.X, Sel: dst.NewIdent(method)}}); err != nil {
			return mutate.Refuse(e, "%v", err)
		}
	}
	return nil
}

// cut parts a lock that is a field of a value: "b.mu" gives "b" and "mu".
func cut(l analysis.Lock) (base, field string, ok bool) {
	base, field = syntax.CutLast(l.Expr)
	_, key := syntax.CutLast(l.Key)
	return base, field, base != "" && key == field
}

package inplace

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/internal/tree"
)

const name = "inplace"

//go:embed doc.go
var doc string

// Operator uses values with locks where they are.
var Operator = &mutate.Operator{
	Name:     name,
	Doc:      doc,
	Prior:    map[evidence.Kind]float64{evidence.Race: 4, evidence.TestFailure: 2, evidence.Deadlock: 2, evidence.Blocked: 2, evidence.Timeout: 2},
	Faults:   []evidence.Fault{evidence.CopiedLock},
	Needs:    "copy of a value that has a lock in it",
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

// suspect is the least heat of an edit: copying a lock is wrong wherever the evidence
// points. Chosen, not measured.
const suspect = 0.5

// ranged is the form for the elements that a loop copies.
const ranged = "range"

func edits(fn *mutate.Function) (out []mutate.Edit) {
	for _, c := range Copies(fn) {
		out = append(out, c.edit())
	}
	return out
}

// edit is the edit of a copy. Expr is the original's address or, in a loop, the index.
func (c *Copy) edit() mutate.Edit {
	e := c.fn.NewEdit(name, c.Stmt, c.Stmt)
	e.Heat = max(e.Heat, suspect)
	e.Expr = c.address
	if c.index != "" {
		e.Form, e.Expr = ranged, c.index
	}
	e.Note = "not copied: its lock is in it"
	return e
}

// together lists the composite edits of copies and of the locks around their uses.
func together(w *mutate.Whole) (out []mutate.Edit) {
	locks := w.EditsOf(addlock.Operator.Name)
	plain := w.EditsOf(name)
	for _, fn := range w.Functions {
		for _, c := range Copies(fn) {
			if e, ok := c.Edit(plain); ok {
				if l, ok := c.lock(locks); ok {
					out = append(out, mutate.Composite(name, e, l))
				}
			}
		}
	}
	return out
}

// lock is the shortest edit among some that puts a copy and all its uses under the lock of
// the original.
func (c *Copy) lock(edits []mutate.Edit) (found mutate.Edit, ok bool) {
	for _, e := range edits {
		if e.File != c.fn.File.Rel || e.Node != c.fn.ID(c.Stmt) || e.Count < c.Count || e.Lock == nil || e.Lock.New != nil {
			continue
		}
		if syntax.LockOwner(*e.Lock) == c.From && (!ok || e.Count < found.Count) {
			found, ok = e, true
		}
	}
	return found, ok
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == ranged {
		return applyRange(m, e)
	}
	s, ok := m.Stmt(e.File, e.Node).(*dst.AssignStmt)
	if !ok || len(s.Rhs) != 1 {
		return mutate.Refuse(e, "another edit changed the copy")
	}
	s.Decorations().Start.Append("// " + e.Note)
	if s.Decorations().Before == dst.None {
		s.Decorations().Before = dst.NewLine
	}
	return m.Replace(e.File, s.Rhs[0], tree.Expr(e.Expr))
}

func applyRange(m *mutate.Mutation, e mutate.Edit) error {
	s, ok := m.Stmt(e.File, e.Node).(*dst.RangeStmt)
	was, original := m.Syntax(e.File, e.Node).(*ast.RangeStmt)
	if !ok || !original || s.Value == nil {
		return mutate.Refuse(e, "another edit changed the loop")
	}
	value, ok := was.Value.(*ast.Ident)
	if !ok {
		return mutate.Refuse(e, "the loop names no element")
	}
	element, err := tree.Snippet("// " + e.Note + "\n" + value.Name + " := &" + types.ExprString(was.X) + "[" + e.Expr + "]")
	if err != nil {
		return err
	}
	s.Key, s.Value, s.Tok = dst.NewIdent(e.Expr), nil, token.DEFINE
	s.Body.List = append(element, s.Body.List...)
	return nil
}

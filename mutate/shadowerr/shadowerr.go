package shadowerr

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/capture"
)

//go:embed doc.go
var doc string

// Operator gives a goroutine a variable of its own instead of one that it captures and assigns.
var Operator = &mutate.Operator{
	Name: "shadowerr",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 5, evidence.TestFailure: 3, evidence.Panic: 2,
		evidence.Deadlock: 0.3, evidence.Blocked: 0.3, evidence.Timeout: 0.5,
	},
	Faults:   []evidence.Fault{evidence.CapturedVariable},
	Needs:    "variable that a goroutine assigns and the function around it declares",
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

// Forms of the edit.
const (
	defined  = "define"  // Other is the assignment that becomes a definition, in the statement Node
	declared = "declare" // Expr is the declaration, first in the literal Node: "var err error"
	moved    = "move"    // the same, and the outer declaration Other goes
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	each(fn, func(_ *capture.Start, _ capture.Variable, e mutate.Edit) { out = append(out, e) })
	return append(append(out, handing(fn)...), unnaming(fn)...)
}

// each visits the edits of a function, with the starts and variables they are for, in source order.
func each(fn *mutate.Function, visit func(*capture.Start, capture.Variable, mutate.Edit)) {
	for _, s := range capture.Starts(fn) {
		vars := slices.DeleteFunc(s.Captured(fn), func(v capture.Variable) bool {
			return !fn.Narrowing.Shared(v.Var) || !v.Writes() || !v.Reads() || v.Needs() || v.Feeds() || v.Addressed()
		})
		for _, v := range vars {
			if e, ok := edit(fn, &s, v, vars); ok {
				visit(&s, v, e)
			}
		}
	}
}

// edit gives the literal of a start its own variable, and with it others that
// the same definition can declare.
func edit(fn *mutate.Function, s *capture.Start, v capture.Variable, others []capture.Variable) (mutate.Edit, bool) {
	name := v.Var.Name()
	e := s.Edit(fn, "shadowerr", v)
	if v.Unread() { // unused, the outer one would not compile
		decl := v.Declaration()
		text, ok := typetext.Of(fn, v.Var.Type(), s.Lit.Body.Lbrace)
		if decl == nil || !ok {
			return mutate.Edit{}, false
		}
		e.Form, e.Node, e.Other, e.Expr = moved, fn.ID(s.Lit), fn.ID(decl), "var "+name+" "+text
		e.Note = "each goroutine has its own " + name
		return e, true
	}
	others = slices.DeleteFunc(slices.Clone(others), func(o capture.Variable) bool { return o.Unread() })
	if assign, at, all := v.Defining(fn, others); assign != nil {
		e = s.Edit(fn, "shadowerr", all...)
		e.Form, e.Node, e.Other = defined, fn.ID(at), fn.ID(assign)
		e.Note = note(all)
		return e, true
	}
	text, ok := typetext.Of(fn, v.Var.Type(), s.Lit.Body.Lbrace)
	if !ok {
		return mutate.Edit{}, false
	}
	e.Form, e.Node, e.Expr = declared, fn.ID(s.Lit), "var "+name+" "+text
	e.Note = note([]capture.Variable{v})
	return e, true
}

func note(vars []capture.Variable) string {
	var names []string
	for _, v := range vars {
		names = append(names, v.Var.Name())
	}
	if len(names) > 1 {
		return "its own " + syntax.Enumerate(names) + ": the outer ones are used meanwhile"
	}
	return "its own " + names[0] + ": the outer one is used meanwhile"
}

// together lists, for each variable that several goroutines assign, the edit of
// all of them; but one keeps the outer variable if nobody else reads it, and for an error that
// they hand over.
func together(w *mutate.Whole) []mutate.Edit {
	type assigned struct {
		last  capture.Variable
		lits  []*ast.FuncLit
		parts []mutate.Edit
	}
	var vars []*assigned // in the order of the source
	byVar := make(map[*types.Var]*assigned)
	var out []mutate.Edit
	for _, fn := range w.Functions {
		out = append(out, handingAll(fn)...)
		each(fn, func(s *capture.Start, v capture.Variable, e mutate.Edit) {
			a := byVar[v.Var]
			if a == nil {
				a = new(assigned)
				byVar[v.Var] = a
				vars = append(vars, a)
			}
			a.last, a.lits, a.parts = v, append(a.lits, s.Lit), append(a.parts, e)
		})
	}
	for _, a := range vars {
		if !a.last.ReadOutside(a.lits) {
			a.parts = a.parts[:len(a.parts)-1]
		}
		if len(a.parts) > 1 {
			out = append(out, mutate.Composite("shadowerr", a.parts...))
		}
	}
	return out
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	switch e.Form {
	case handed:
		return hand(m, e)
	case unnamed:
		return unname(m, e)
	}
	if e.Form == moved {
		if err := m.Remove(e.File, m.Stmt(e.File, e.Other)); err != nil {
			return err
		}
	}
	if e.Form != defined {
		return m.Prepend(e.File, e.Node, "// "+e.Note+"\n"+e.Expr)
	}
	s, ok := m.Node(e.File, e.Other).(*dst.AssignStmt)
	if !ok || s.Tok != token.ASSIGN {
		return mutate.Refuse(e, "the assignment is not there any more")
	}
	at, ok := m.Node(e.File, e.Node).(dst.Stmt)
	if !ok {
		return mutate.Refuse(e, "the statement is not there any more")
	}
	s.Tok = token.DEFINE
	at.Decorations().Start.Append("// " + e.Note)
	return nil
}

package renew

import (
	_ "embed"
	"go/ast"
	"go/types"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/tree"
)

//go:embed doc.go
var doc string

// Operator begins with new memory where others may still have the old.
var Operator = &mutate.Operator{
	Name: "renew",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 6, evidence.TestFailure: 5, evidence.Panic: 3,
		evidence.Deadlock: 0.1, evidence.Blocked: 0.1, evidence.Timeout: 0.1,
	},
	Faults:   []evidence.Fault{evidence.ReusedMemory, evidence.HandedOut},
	Needs:    "slice or map that is emptied to be filled again, and that is given away",
	Apply:    apply,
	Together: together,
}

// near is what an edit has of the heat of the functions that use the variable. Guessed.
const near = 0.9

// together lists an edit for each variable that is emptied and handed over.
func together(w *mutate.Whole) []mutate.Edit {
	var out []mutate.Edit
	for _, m := range mutate.Once(w, memoriesKey{}, func() []*memory { return memories(w.Program) }) {
		if e, ok := edit(w, m); ok {
			out = append(out, e)
		}
	}
	return out
}

// edit is placed where the variable is emptied nearest to the evidence.
func edit(w *mutate.Whole, m *memory) (e mutate.Edit, ok bool) {
	e = mutate.Edit{Operator: "renew", Heat: -1, Count: len(m.emptied)}
	if all := w.All(); len(all) > 0 {
		e.Vars = []string{all[0].VarName(m.variable)}
	}
	line := func(n ast.Node) int { return w.Program.Fset.PositionFor(n.Pos(), false).Line }
	end := func(n ast.Node) int { return w.Program.Fset.PositionFor(n.End(), false).Line }
	for _, p := range m.emptied {
		if !w.Editable(p.file) {
			return e, false
		}
		heat := max(w.Narrowing.Heat(p.file.Name, line(p.stmt)), near*w.Narrowing.Hottest(p.file, line(p.decl), end(p.decl)))
		if heat <= e.Heat {
			continue
		}
		if e.Node, ok = w.ID(p.file, p.stmt); !ok {
			return e, false
		}
		e.File, e.Line, e.Func, e.Note, e.Heat = p.file.Rel, line(p.stmt), p.function(), p.note(), heat
	}
	for _, g := range m.given {
		e.Heat = max(e.Heat, near*w.Narrowing.Heat(g.file.Name, line(g.at)))
	}
	return e, true
}

func apply(mu *mutate.Mutation, e mutate.Edit) error {
	at, _ := mu.Syntax(e.File, e.Node).(ast.Stmt)
	for _, m := range mutate.Once(mu, memoriesKey{}, func() []*memory { return memories(mu.Program()) }) {
		if !m.has(at) {
			continue
		}
		for _, p := range m.emptied {
			if err := p.renew(mu, e); err != nil {
				return err
			}
		}
		return nil
	}
	return mutate.Refuse(e, "nothing is emptied here that others may have")
}

// renew puts new memory in the place of the old.
func (p *place) renew(m *mutate.Mutation, e mutate.Edit) error {
	stmt := m.StmtOf(p.file.Rel, p.stmt)
	if stmt == nil {
		return mutate.Refuse(e, "another edit removed what is emptied")
	}
	var old, now dst.Node = stmt, nil
	if p.old != nil {
		old, now = m.Of(p.file.Rel, p.old), tree.Expr(p.fresh)
	} else {
		set, err := tree.Snippet(types.ExprString(p.variable) + " = " + p.fresh)
		if err != nil {
			return mutate.Refuse(e, "%v", err)
		}
		now = set[0]
	}
	if err := m.Replace(p.file.Rel, old, now); err != nil {
		return mutate.Refuse(e, "%v", err)
	}
	if p.old == nil {
		stmt = now.(dst.Stmt)
	}
	stmt.Decorations().Start.Append("// " + p.note())
	return nil
}

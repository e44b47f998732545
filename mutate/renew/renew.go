package renew

import (
	"cmp"
	_ "embed"
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
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
	for _, g := range mutate.Once(w, memoriesKey{}, func() []*group { return grouped(memories(w.Program)) }) {
		if e, ok := edit(w, g); ok {
			out = append(out, e)
		}
	}
	return out
}

// A group has the variables that a statement empties together, or of which the elements of one refer to the other: they
// belong together, and are renewed so.
type group struct {
	variables []*types.Var
	in        []*types.Var // slices whose elements refer to one of them
	emptied   []*place     // in source order
	given     []gift
}

// grouped puts memories together.
func grouped(all []*memory) (groups []*group) {
	for _, m := range all {
		i := slices.IndexFunc(groups, func(g *group) bool {
			return slices.Contains(g.in, m.variable) || slices.ContainsFunc(m.in, func(v *types.Var) bool { return slices.Contains(g.variables, v) }) ||
				slices.ContainsFunc(g.emptied, func(p *place) bool { return m.has(p.stmt) })
		})
		if i < 0 {
			i, groups = len(groups), append(groups, &group{})
		}
		g := groups[i]
		g.variables, g.emptied, g.given = append(g.variables, m.variable), append(g.emptied, m.emptied...), append(g.given, m.given...)
		g.in = append(g.in, m.in...)
	}
	for _, g := range groups {
		slices.SortFunc(g.emptied, func(a, b *place) int { return cmp.Compare(a.variable.Pos(), b.variable.Pos()) })
	}
	return groups
}

// note says why the variables of a statement get new memory.
func (g *group) note(stmt ast.Stmt) string {
	var names []string
	for _, p := range g.emptied {
		if p.stmt == stmt {
			names = append(names, types.ExprString(p.variable))
		}
	}
	verb := "was"
	if len(names) > 1 {
		verb = "were"
	}
	return "new memory: others may still have what " + syntax.Enumerate(names) + " " + verb
}

// edit is placed where the variable is emptied nearest to the evidence.
func edit(w *mutate.Whole, m *group) (e mutate.Edit, ok bool) {
	e = mutate.Edit{Operator: "renew", Heat: -1, Count: len(m.emptied)}
	if all := w.All(); len(all) > 0 {
		for _, v := range m.variables {
			e.Vars = append(e.Vars, all[0].VarName(v))
		}
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
		e.File, e.Line, e.Func, e.Note, e.Heat = p.file.Rel, line(p.stmt), p.function(), m.note(p.stmt), heat
	}
	for _, g := range m.given {
		e.Heat = max(e.Heat, near*w.Narrowing.Heat(g.file.Name, line(g.at)))
	}
	return e, true
}

func apply(mu *mutate.Mutation, e mutate.Edit) error {
	at, _ := mu.Syntax(e.File, e.Node).(ast.Stmt)
	for _, g := range mutate.Once(mu, memoriesKey{}, func() []*group { return grouped(memories(mu.Program())) }) {
		if at == nil || !slices.ContainsFunc(g.emptied, func(p *place) bool { return p.stmt == at }) {
			continue
		}
		for i, p := range g.emptied {
			now, err := p.renew(mu, e)
			if err != nil {
				return err
			}
			if i+1 == len(g.emptied) || g.emptied[i+1].stmt != p.stmt {
				now.Decorations().Start.Append("// " + g.note(p.stmt))
			}
		}
		return nil
	}
	return mutate.Refuse(e, "nothing is emptied here that others may have")
}

// renew puts new memory in the place of the old, and returns the statement.
func (p *place) renew(m *mutate.Mutation, e mutate.Edit) (dst.Stmt, error) {
	stmt := m.StmtOf(p.file.Rel, p.stmt)
	if stmt == nil {
		return nil, mutate.Refuse(e, "another edit removed what is emptied")
	}
	var old, now dst.Node = stmt, nil
	if p.old != nil {
		old, now = m.Of(p.file.Rel, p.old), tree.Expr(p.fresh)
	} else {
		set, err := tree.Snippet(types.ExprString(p.variable) + " = " + p.fresh)
		if err != nil {
			return nil, mutate.Refuse(e, "%v", err)
		}
		now = set[0]
	}
	if err := m.Replace(p.file.Rel, old, now); err != nil {
		return nil, mutate.Refuse(e, "%v", err)
	}
	if p.old == nil {
		stmt = now.(dst.Stmt)
	}
	return stmt, nil
}

package takeout

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/sectionedit"
)

//go:embed doc.go
var doc string

// Operator empties a field where it is listed.
var Operator = &mutate.Operator{
	Name: "takeout",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.TestFailure: 5, evidence.Panic: 2, evidence.Race: 1,
		evidence.Deadlock: 0.5, evidence.Blocked: 1, evidence.Timeout: 1,
	},
	Faults: []evidence.Fault{evidence.CheckThenAct, evidence.LostUpdate, evidence.AtomicityViolation, evidence.OverwrittenValue},
	Needs:  "field that is listed under a lock, and emptied under a later acquisition of it",
	Edits:  edits,
	Apply:  apply,
}

const (
	note     = "taken out where it is listed: what comes later is for the next time"
	noteBack = "it stays for the next time"
)

func edits(fn *mutate.Function) (out []mutate.Edit) {
	for _, t := range takings(fn) {
		out = append(out, t.edit())
	}
	return out
}

func (t *taking) edit() mutate.Edit {
	covered := append(t.between[:len(t.between):len(t.between)], t.empties)
	e := t.fn.NewEdit("takeout", t.anchor, covered...)
	e.Other, e.Lock, e.Expr, e.Note = t.fn.ID(t.empties), &t.later.Lock, t.text, note
	return e
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no function around the place")
	}
	for _, t := range takings(fn) {
		if fn.ID(t.anchor) == e.Node && fn.ID(t.empties) == e.Other {
			return t.apply(m, e)
		}
	}
	return mutate.Refuse(e, "nothing is listed there that a later section takes out")
}

func (t *taking) apply(m *mutate.Mutation, e mutate.Edit) error {
	if err := t.list.write(m, e); err != nil {
		return err
	}
	in := t.list.fn.File.Rel
	listed := m.StmtOf(in, t.list.stmt)
	if listed == nil {
		return mutate.Refuse(e, "another edit changed what lists")
	}
	if err := m.InsertSnippet(in, listed, true, "// "+note+"\n"+t.emptying()); err != nil {
		return err
	}
	for _, exit := range t.exits {
		at := m.StmtOf(e.File, exit.at)
		if at == nil {
			return mutate.Refuse(e, "another edit changed a way out")
		}
		text := "// " + noteBack + "\n" + t.back
		if !exit.held {
			lock := types.ExprString(t.later.Expr)
			text = "// " + noteBack + "\n" + lock + ".Lock()\n" + t.back + "\n" + lock + ".Unlock()"
		}
		if err := m.InsertSnippet(e.File, at, false, text); err != nil {
			return err
		}
	}
	return t.drop(m, e)
}

// write makes the section that lists one of the write side.
func (l *listing) write(m *mutate.Mutation, e mutate.Edit) error {
	if !l.section.Read {
		return nil
	}
	e.File, e.Node = l.fn.File.Rel, l.fn.ID(l.section.Acquire)
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	return s.Writes()
}

// alone reports whether the section that empties the field does nothing else that needs the lock.
func (t *taking) alone() bool {
	info := t.fn.File.Package.Info
	return !slices.ContainsFunc(t.later.Body, func(s ast.Stmt) bool {
		if s == t.empties {
			return false
		}
		ret, ok := s.(*ast.ReturnStmt)
		return !ok || slices.ContainsFunc(ret.Results, func(e ast.Expr) bool {
			return !info.Types[e].IsNil() && info.Types[e].Value == nil && local(info, e) == nil
		})
	})
}

// drop removes what empties the field, with its section where nothing else is in that.
func (t *taking) drop(m *mutate.Mutation, e mutate.Edit) error {
	goes := []ast.Stmt{t.empties}
	if t.alone() {
		goes = append(append(goes, t.later.Acquire), t.later.Releases...)
	}
	for _, s := range goes {
		stmt := m.StmtOf(e.File, s)
		if stmt == nil {
			return mutate.Refuse(e, "another edit changed what empties")
		}
		if err := m.Remove(e.File, stmt); err != nil {
			return err
		}
	}
	return nil
}

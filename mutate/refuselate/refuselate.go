package refuselate

import (
	_ "embed"
	"go/ast"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator asks for the end of a value before something is stored in it.
var Operator = &mutate.Operator{
	Name: "refuselate",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Blocked: 2, evidence.Deadlock: 1.5, evidence.Timeout: 2,
		evidence.Panic: 1.5, evidence.TestFailure: 2, evidence.Race: 0.3,
	},
	Faults:   []evidence.Fault{evidence.CheckThenAct, evidence.ReceiverAlone, evidence.SenderAlone, evidence.WaitNotForAll, evidence.CloseDuringSend},
	Needs:    "function that stores in a value what the method that ends the value goes over",
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

// Forms of the edit; the plain one puts the question into a section that there is.
const (
	formSection = "section" // and a section around what stores
	formFlag    = "flag"    // and a flag that tells the end
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, l := range lates(fn) {
		e := l.edit()
		if l.others() {
			e.Doubt(half)
			e.Flags = append(e.Flags, mutate.LeftElsewhere)
		}
		out = append(out, e)
	}
	return out
}

// half is the belief in an edit that leaves others that store too late as they are. Guessed.
const half = 0.6

// others reports whether something else is stored that comes too late after the same end.
func (l *late) others() bool {
	type countOf struct{ pkg *analysis.Package }
	return mutate.Once(l.fn, countOf{l.fn.File.Package}, func() map[*end]int {
		n := make(map[*end]int)
		for _, of := range l.fn.OfPackage() {
			for _, other := range lates(of) {
				n[other.end]++
			}
		}
		return n
	})[l.end] > 1
}

// together lists, for each end that comes too early for several functions, the edit of all of them.
func together(w *mutate.Whole) (out []mutate.Edit) {
	var ends []*end // in the order of the source
	parts := make(map[*end][]mutate.Edit)
	for _, fn := range w.Functions {
		for _, l := range lates(fn) {
			if parts[l.end] == nil {
				ends = append(ends, l.end)
			}
			parts[l.end] = append(parts[l.end], l.edit())
		}
	}
	for _, e := range ends {
		if len(parts[e]) > 1 {
			out = append(out, mutate.Composite("refuselate", parts[e]...))
		}
	}
	return out
}

func (l *late) edit() mutate.Edit {
	var at ast.Node = l.store.Stmt
	covered := []ast.Stmt{l.store.Stmt}
	form := formSection
	lock := analysis.Lock{Expr: l.value + l.end.lock, Key: l.end.key, RW: l.end.rw}
	if s := l.section; s != nil {
		at, covered, form, lock = s.Acquire, s.Body, "", s.Lock
	}
	if l.end.flag == nil {
		form += formFlag
	}
	e := l.fn.NewEdit("refuselate", at, covered...)
	e.Form, e.Expr, e.Lock = form, l.condition(), &lock
	e.Vars = []string{l.fn.VarName(l.store.field)} // what else the section uses is guarded as it was
	e.Note = "after " + l.end.by.Name.Name + " nobody would end it"
	e.Belief = l.belief()
	return e
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no function around the place")
	}
	for _, l := range lates(fn) {
		if own := l.edit(); own.Node == e.Node && own.Form == e.Form && own.Expr == e.Expr {
			return l.apply(m, e)
		}
	}
	return mutate.Refuse(e, "nothing is stored there that could come too late")
}

func (l *late) apply(m *mutate.Mutation, e mutate.Edit) error {
	if err := l.end.declare(m, e); err != nil {
		return err
	}
	if l.section == nil {
		return l.applySection(m, e)
	}
	var behind ast.Stmt = l.section.Acquire
	if l.section.Deferred {
		behind = l.section.Releases[0]
	}
	if l.within {
		behind = l.store.Stmt
	}
	anchor := m.StmtOf(e.File, behind)
	if anchor == nil {
		return mutate.Refuse(e, "another edit changed the section")
	}
	return m.InsertSnippet(e.File, anchor, !l.within, "// "+e.Note+"\n"+l.question(!l.section.Deferred))
}

// applySection puts what stores into a section of its own, with the question.
func (l *late) applySection(m *mutate.Mutation, e mutate.Edit) error {
	anchor := m.StmtOf(e.File, l.store.Stmt)
	if anchor == nil {
		return mutate.Refuse(e, "another edit removed what is stored")
	}
	lock := l.value + l.end.lock
	if err := m.InsertSnippet(e.File, anchor, true, lock+".Unlock()"); err != nil {
		return err
	}
	return m.InsertSnippet(e.File, anchor, false, lock+".Lock()\n// "+e.Note+"\n"+l.question(true))
}

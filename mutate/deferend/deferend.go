package deferend

import (
	_ "embed"
	"go/ast"
	"go/types"
	"strconv"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/analysis/taken"
	"mendel/mutate"
	"mendel/mutate/internal/sectionedit"
	"mendel/mutate/internal/tree"
)

//go:embed doc.go
var doc string

// Operator defers what a function does behind a call of others' code.
var Operator = &mutate.Operator{
	Name: "deferend",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 3, evidence.Blocked: 3, evidence.Timeout: 3, evidence.TestFailure: 2,
		evidence.Race: 0.1, evidence.Panic: 0.5,
	},
	Faults:   []evidence.Fault{evidence.LockNotReleased, evidence.ReceiverAlone, evidence.SenderAlone, evidence.WaitWithoutDone, evidence.NotGivenBack},
	Needs:    "call of others' code behind which the function wakes others",
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

// Forms.
const (
	unlock = "unlock"
	slot   = "slot"
	tail   = "tail"
)

func edits(fn *mutate.Function) (all []mutate.Edit) {
	if taken.Recovers(fn.File.Package.Info, fn.Body) {
		return nil
	}
	for _, s := range fn.Sections() {
		if call := sectionCall(fn, s); call != nil {
			e := fn.NewEdit("deferend", s.Acquire, s.Body...)
			e.Form, e.Lock, e.Read, e.Note = unlock, &s.Lock, s.Read, note(call, "the lock is released")
			all = append(all, e)
		}
	}
	risks := taken.RisksIn(fn.File.Package.Info, fn.Body)
	for _, st := range fn.Statements() {
		call := taken.Others(fn.File.Package.Info, st.Stmt)
		if call == nil {
			continue
		}
		t, form, why := tailOf(fn, st), tail, "others wait for it"
		if t == nil {
			t, form, why = slotOf(fn, st, risks), slot, "others wait for the place"
		}
		if t != nil {
			e := fn.NewEdit("deferend", st.Stmt)
			e.Form, e.Note = form, note(call, why)
			if form == slot && several(risks, t.key) {
				e.Doubt(0.8) // all of them at once are likelier
			}
			all = append(all, e)
		}
	}
	return all
}

// several reports whether more than one call of others' code loses what is taken from one place.
func several(risks []taken.Risk, key string) bool {
	n := 0
	for _, r := range risks {
		if r.Key == key {
			n++
		}
	}
	return n > 1
}

// together lists, for each place from which something is taken in several ways, the edit of all of them.
func together(w *mutate.Whole) (all []mutate.Edit) {
	var keys []string // in the order of the source
	parts := make(map[string][]mutate.Edit)
	for _, fn := range w.All() {
		if taken.Recovers(fn.File.Package.Info, fn.Body) {
			continue
		}
		risks := taken.RisksIn(fn.File.Package.Info, fn.Body)
		for _, st := range fn.Statements() {
			if len(risks) == 0 {
				break
			}
			t := slotOf(fn, st, risks)
			if t == nil || tailOf(fn, st) != nil {
				continue
			}
			e := fn.NewEdit("deferend", st.Stmt)
			e.Form, e.Note = slot, note(t.call, "others wait for the place")
			if parts[t.key] = append(parts[t.key], e); len(parts[t.key]) == 2 {
				keys = append(keys, t.key)
			}
		}
	}
	for _, key := range keys {
		all = append(all, mutate.Composite("deferend", parts[key]...))
	}
	return all
}

// note says why something is deferred.
func note(call *ast.CallExpr, why string) string {
	return "also if " + types.ExprString(call.Fun) + " panics: " + why
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == unlock {
		p, err := sectionedit.Of(m, e)
		if err != nil {
			return err
		}
		return p.DeferRelease(e.Note)
	}
	fn := m.Function(e.File, e.Node)
	at, _ := m.Syntax(e.File, e.Node).(ast.Stmt)
	stmt := m.Stmt(e.File, e.Node)
	if fn == nil || stmt == nil {
		return mutate.Refuse(e, "another edit removed the call")
	}
	for _, st := range fn.Statements() {
		if st.Stmt != at {
			continue
		}
		ends := slotOf(fn, st, taken.RisksIn(fn.File.Package.Info, fn.Body))
		if e.Form == tail {
			ends = tailOf(fn, st)
		}
		if ends == nil {
			break
		}
		if ends.at != nil {
			if stmt = m.StmtOf(e.File, ends.at); stmt == nil {
				return mutate.Refuse(e, "another edit removed what follows the taking")
			}
		}
		return deferAll(m, e, fn, stmt, ends)
	}
	return mutate.Refuse(e, "nothing is to be deferred here")
}

// deferAll puts statements into a deferred function in front of a call.
func deferAll(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, stmt dst.Stmt, ends *ending) error {
	var body []dst.Stmt
	for i, s := range ends.stmts {
		moved := m.StmtOf(e.File, s)
		if moved == nil {
			return mutate.Refuse(e, "another edit removed what is to be deferred")
		}
		if err := m.Remove(e.File, moved); err != nil {
			return err
		}
		if i == 0 || e.Form == tail { // of several ways to give a slot back one does
			body = append(body, moved)
		}
	}
	later := &dst.DeferStmt{Call: &dst.CallExpr{Fun: &dst.FuncLit{
		Type: &dst.FuncType{Func: true, Params: &dst.FieldList{Opening: true, Closing: true}},
		Body: &dst.BlockStmt{List: body},
	}}}
	if len(body) == 1 {
		d := body[0].Decorations()
		if len(d.Start)+len(d.End) == 0 {
			d.Before, d.After = dst.None, dst.None // on one line
		}
		if x, ok := body[0].(*dst.ExprStmt); ok {
			if call, ok := x.X.(*dst.CallExpr); ok && ends.constant { // defer close(done)
				later.Call = call
			}
		}
	}
	later.Decs.Start = dst.Decorations{"// " + e.Note}
	before := []dst.Stmt{later}
	if ends.failed != nil {
		name, err := m.Import(e.File, "errors")
		if err != nil {
			return mutate.Refuse(e, "%v", err)
		}
		if name != "" {
			name += "."
		}
		text := fn.File.Package.Types.Name() + ": " + types.ExprString(ends.call.Fun) + " did not return"
		set, err := tree.Snippet(types.ExprString(ends.failed) + " = " + name + "New(" + strconv.Quote(text) + ")")
		if err != nil {
			return mutate.Refuse(e, "%v", err)
		}
		set[0].Decorations().Start = dst.Decorations{"// what others get if " + types.ExprString(ends.call.Fun) + " panics"}
		before = append(set, later)
	}
	return m.Insert(e.File, stmt, false, before...)
}

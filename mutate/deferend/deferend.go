package deferend

import (
	_ "embed"
	"go/ast"
	"go/types"
	"strconv"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
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
		evidence.Deadlock: 3, evidence.Blocked: 3, evidence.Timeout: 3, evidence.TestFailure: 1,
		evidence.Race: 0.1, evidence.Panic: 0.5,
	},
	Faults: []evidence.Fault{evidence.LockNotReleased, evidence.ReceiverAlone, evidence.SenderAlone, evidence.WaitWithoutDone},
	Needs:  "call of others' code behind which the function wakes others",
	Edits:  edits,
	Apply:  apply,
}

// Forms.
const (
	unlock = "unlock"
	slot   = "slot"
	tail   = "tail"
)

func edits(fn *mutate.Function) (all []mutate.Edit) {
	if recovers(fn.File.Package.Info, fn.Body) {
		return nil
	}
	for _, s := range fn.Sections() {
		if call := sectionCall(fn, s); call != nil {
			e := fn.NewEdit("deferend", s.Acquire, s.Body...)
			e.Form, e.Lock, e.Read, e.Note = unlock, &s.Lock, s.Read, note(call, "the lock is released")
			all = append(all, e)
		}
	}
	for i, s := range fn.Body.List {
		call := others(fn.File.Package.Info, s)
		if call == nil {
			continue
		}
		if t := slotOf(fn, i); t != nil {
			e := fn.NewEdit("deferend", s)
			e.Form, e.Note = slot, note(call, "others wait for the place")
			all = append(all, e)
		}
		if t := tailOf(fn, i); t != nil {
			e := fn.NewEdit("deferend", s)
			e.Form, e.Note = tail, note(call, "others wait for it")
			all = append(all, e)
		}
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
	for i, s := range fn.Body.List {
		if s != at {
			continue
		}
		ends := slotOf(fn, i)
		if e.Form == tail {
			ends = tailOf(fn, i)
		}
		if ends == nil {
			break
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

package closeonce

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/syncops"
	"mendel/mutate/internal/tree"
)

//go:embed doc.go
var doc string

// Operator lets a channel be closed once.
var Operator = &mutate.Operator{
	Name: "closeonce",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Panic: 5, evidence.Race: 1, evidence.TestFailure: 1,
		evidence.Blocked: 0.3, evidence.Deadlock: 0.3, evidence.Timeout: 0.3,
	},
	Faults:   []evidence.Fault{evidence.DoubleClose},
	Needs:    "close of a channel that may come twice",
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

// The ways to close once, as Edit.Form.
const (
	formOnce   = "once"
	formSelect = "select"
	formSender = "sender"

	formSection = "section" // a lock from the question to the close
	formSwap    = "swap"    // the question is a CompareAndSwap
)

// A closing is one close of a channel in a function.
type closing struct {
	syncops.Operation
	channel *mutate.Channel
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, c := range closings(fn) {
		if w, ok := c.window(fn); ok {
			out = append(out, w.gates()...)
		}
		if e, ok := c.once(fn); ok {
			out = append(out, e)
		}
		if e, ok := c.selected(fn); ok {
			out = append(out, e)
		}
		if e, ok := c.bySender(fn); ok {
			out = append(out, e)
		}
	}
	return out
}

// closings lists the closes of channels of the module, in source order.
func closings(fn *mutate.Function) []closing {
	var found []closing
	for _, st := range fn.Statements() {
		op, ok := syncops.Of(fn, st.Stmt)
		if !ok || op.Kind != syncops.Close {
			continue
		}
		if ch := fn.Channel(op.On); ch != nil {
			found = append(found, closing{op, ch})
		}
	}
	return found
}

// once is the edit that puts a close into a sync.Once.
func (c closing) once(fn *mutate.Function) (mutate.Edit, bool) {
	l, ok := c.newOnce(fn)
	if !ok {
		return mutate.Edit{}, false
	}
	e := fn.NewEdit("closeonce", c.Stmt, c.Stmt)
	e.Form, e.Lock, e.Expr = formOnce, &l, types.ExprString(c.On)
	if w, ok := c.window(fn); ok && !w.bare {
		e.Doubt(tooSmall) // what else is done would be done twice
	}
	return e, true
}

// newOnce is the sync.Once to declare beside a channel's variable or field.
func (c closing) newOnce(fn *mutate.Function) (analysis.Lock, bool) {
	v := syntax.Variable(fn.File.Package.Info, c.On)
	if v == nil {
		return analysis.Lock{}, false
	}
	a := analysis.Access{Var: v.Origin(), Expr: ast.Unparen(c.On)}
	if v.Kind() == types.LocalVar {
		return local(fn, v)
	}
	return fn.Program.NewValue(fn.File, c.Stmt, a, "sync.Once", v.Name()+"Once", "Once")
}

// local is a sync.Once beside a variable of the function or of one around it.
func local(fn *mutate.Function, v *types.Var) (analysis.Lock, bool) {
	name := scope.FreeName(fn, v.Name()+"Once")
	at := fn.Program.Fset.PositionFor(v.Pos(), false)
	if at.Filename != fn.File.Name {
		return analysis.Lock{}, false
	}
	return analysis.Lock{
		Expr: name,
		Key:  localKey(fn, name, v),
		New:  &analysis.NewLock{Kind: analysis.LocalLock, Name: name, File: fn.File.Rel, Offset: at.Offset, Type: "sync.Once"},
	}, true
}

// selected is the edit that looks whether a channel is closed, which a lock
// must make one step with the close.
func (c closing) selected(fn *mutate.Function) (mutate.Edit, bool) {
	t, _ := syncops.TypeOf(fn, c.On).Underlying().(*types.Chan)
	if _, plain := c.Stmt.(*ast.ExprStmt); !plain || t == nil || t.Dir() == types.SendOnly {
		return mutate.Edit{}, false
	}
	if len(c.channel.Sends) > 0 || len(fn.HeldAt(c.Stmt)) == 0 {
		return mutate.Edit{}, false
	}
	e := fn.NewEdit("closeonce", c.Stmt, c.Stmt)
	e.Form, e.Expr = formSelect, types.ExprString(c.On)
	return e, true
}

// bySender is the edit that leaves a close to the only goroutine that sends.
func (c closing) bySender(fn *mutate.Function) (mutate.Edit, bool) {
	sends := c.channel.Sends
	if len(sends) == 0 || len(c.channel.Closes) != 1 {
		return mutate.Edit{}, false
	}
	sender := sends[0].Fn
	if sender == nil || sender.Node == fn.Node || sender.File != fn.File || !syncops.Only(sender, sends) {
		return mutate.Edit{}, false
	}
	if _, ok := syncops.Since(sender, sends[0].Expr); !ok || !sender.Started() || syncops.StartedInLoop(sender) {
		return mutate.Edit{}, false
	}
	e := fn.NewEdit("closeonce", c.Stmt, c.Stmt)
	e.Form, e.Other, e.Expr = formSender, fn.ID(sends[0].Node), types.ExprString(sends[0].Expr)
	return e, true
}

// together lists, for each channel that is closed in several places, the edit of all of them.
func together(w *mutate.Whole) []mutate.Edit {
	var channels []*mutate.Channel // in the order of the source
	parts := make(map[*mutate.Channel][]mutate.Edit)
	for _, fn := range w.Functions {
		for _, c := range closings(fn) {
			e, ok := c.once(fn)
			if !ok {
				continue
			}
			if parts[c.channel] == nil {
				channels = append(channels, c.channel)
			}
			parts[c.channel] = append(parts[c.channel], e)
		}
	}
	out := ofPackages(w)
	for _, c := range channels {
		if all := parts[c]; len(all) > 1 && len(all) == len(c.Closes) && sameOnce(all) {
			out = append(out, mutate.Composite("closeonce", all...))
		}
	}
	return out
}

// sameOnce reports whether edits share their sync.Once.
func sameOnce(parts []mutate.Edit) bool {
	for _, p := range parts {
		if p.Lock.Key != parts[0].Lock.Key {
			return false
		}
	}
	return true
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	stmt := m.Stmt(e.File, e.Node)
	switch e.Form {
	case formOnce:
		return guard(e, stmt)
	case formSender:
		return toSender(m, e, stmt)
	case formSection:
		return applySection(m, e)
	case formSwap:
		return applySwap(m, e, stmt)
	}
	stmts, err := tree.Snippet("select {\ncase <-" + e.Expr + ": // closed already\ndefault:\nclose(" + e.Expr + ")\n}")
	if err != nil {
		return err
	}
	return m.Replace(e.File, stmt, stmts[0])
}

// guard puts a close into the function that is done once.
func guard(e mutate.Edit, stmt dst.Stmt) error {
	do := tree.Expr(e.Lock.Expr + ".Do(func() { close(" + e.Expr + ") })").(*dst.CallExpr)
	switch s := stmt.(type) {
	case *dst.ExprStmt:
		s.X = do
	case *dst.DeferStmt:
		s.Call = do
	default:
		return mutate.Refuse(e, "another edit changed the close")
	}
	return nil
}

// toSender takes a close away and defers it in the goroutine that sends.
func toSender(m *mutate.Mutation, e mutate.Edit, stmt dst.Stmt) error {
	sender := m.Function(e.File, e.Other)
	send, ok := m.Syntax(e.File, e.Other).(*ast.SendStmt)
	if sender == nil || !ok {
		return mutate.Refuse(e, "there is no send")
	}
	behind, ok := syncops.Since(sender, send.Chan)
	if !ok {
		return mutate.Refuse(e, "the sender has no name for the channel from its head on")
	}
	if err := m.Remove(e.File, stmt); err != nil {
		return err
	}
	to := e
	to.Node, to.Other = e.Other, 0
	if behind != nil {
		to.Other = sender.ID(behind)
	}
	return syncops.InsertSince(m, to, "defer close("+e.Expr+")")
}

// localKey is the key of what is declared beside a local variable of the declaration around the function.
func localKey(fn *mutate.Function, name string, beside *types.Var) string {
	around := fn.Name
	if decl := fn.Decl(); decl != nil {
		around = analysis.FuncName(decl)
	}
	at := fn.Program.Fset.Position(beside.Pos())
	return fmt.Sprintf("%s.%s.%s@%d:%d", fn.File.Package.Path, around, name, at.Line, at.Column)
}

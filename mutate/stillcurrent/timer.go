package stillcurrent

import (
	"go/ast"
	"go/types"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/tree"
)

// An ownTimer compares a timer in a map with the callback's own. It is set and
// read under the lock.
type ownTimer struct {
	a     *arming
	place string // "d.timers[key]", in the section
	local string
	param string // what a function that is called gets; "": the section is in the literal
	lock  string // the section's lock, at the arming
}

func (t *ownTimer) functions() []*mutate.Function { return []*mutate.Function{t.a.fn, t.a.act} }

func planTimer(a *arming) (w way, doubt float64, ok bool) {
	x, ok := ast.Unparen(a.timer).(*ast.IndexExpr)
	if a.timer == nil || !ok || a.made == nil || a.lit == nil || !held.Holds(a.fn, a.st.Stmt, a.section.Lock.Key) {
		return nil, 0, false
	}
	into := syntax.Variable(a.info, x.X)
	for _, c := range a.candidates() {
		if into == nil || c.v != into.Origin() {
			continue
		}
		t := &ownTimer{a: a, place: c.text, local: freeName(a.fn, "timer")}
		if a.call == nil {
			return t, 1, c.text == types.ExprString(x)
		}
		all, alone := a.siblings()
		if t.lock = t.heldHere(); !alone || len(all) != 1 || t.lock == "" || a.act.Type.Params.NumFields() > 0 && variadic(a.act.Type) {
			return nil, 0, false
		}
		t.param = freeName(a.act, "timer")
		return t, 0.9, true
	}
	return nil, 0, false
}

// heldHere is what the function of the arming calls the section's lock, which it holds.
func (t *ownTimer) heldHere() string {
	for _, l := range t.a.fn.HeldAt(t.a.st.Stmt) {
		if l.Key == t.a.section.Lock.Key {
			return l.Expr
		}
	}
	return ""
}

func (t *ownTimer) make(m *mutate.Mutation, e mutate.Edit) error {
	file := t.a.fn.File.Rel
	stmt := m.StmtOf(file, t.a.st.Stmt)
	lhs, isExpr := m.Of(file, t.a.timer).(dst.Expr)
	pkg, err := m.Import(file, "time")
	if stmt == nil || !isExpr || err != nil || pkg == "" {
		return mutate.Refuse(e, "another edit removed the timer")
	}
	own := t.local
	if t.param != "" {
		own = t.param
		if err := t.pass(m, e); err != nil {
			return err
		}
	}
	if err := t.a.guard(m, e, "", t.place+" != "+own); err != nil {
		return err
	}
	if err := m.InsertSnippet(file, stmt, false, "var "+t.local+" *"+pkg+".Timer"); err != nil {
		return err
	}
	if err := m.InsertSnippet(file, stmt, true, types.ExprString(t.a.timer)+" = "+t.local); err != nil {
		return err
	}
	return m.Replace(file, lhs, tree.Expr(t.local))
}

// pass gives the timer, read under the lock, to the function that the callback calls.
func (t *ownTimer) pass(m *mutate.Mutation, e mutate.Edit) error {
	file := t.a.fn.File.Rel
	call, ok := m.Of(file, t.a.call).(*dst.CallExpr)
	list := t.a.does
	anchor := m.StmtOf(file, list[len(list)-1])
	pkg, err := m.Import(t.a.act.File.Rel, "time")
	if !ok || anchor == nil || err != nil || pkg == "" {
		return mutate.Refuse(e, "another edit removed the callback")
	}
	own := freeName(t.a.fn, "own")
	call.Args = append(call.Args, dst.NewIdent(own))
	decl, ok := m.Of(t.a.act.File.Rel, t.a.act.Node).(*dst.FuncDecl)
	if !ok {
		return mutate.Refuse(e, "another edit removed the function")
	}
	typ := &dst.StarExpr{X: &dst.SelectorExpr{X: dst.NewIdent(pkg), Sel: dst.NewIdent("Timer")}}
	decl.Type.Params.List = append(decl.Type.Params.List, &dst.Field{Names: []*dst.Ident{dst.NewIdent(t.param)}, Type: typ})
	return m.InsertSnippet(file, anchor, false, t.lock+".Lock()\n"+own+" := "+t.local+" // which is set under the lock\n"+t.lock+".Unlock()")
}

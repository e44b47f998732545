package stillcurrent

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// An ownTimer compares a timer in a map with the callback's own. It is set and
// read under the lock.
type ownTimer struct {
	a     *arming
	place string // "d.timers[key]"
	local string
}

func (t *ownTimer) functions() []*mutate.Function { return []*mutate.Function{t.a.fn, t.a.act} }

func planTimer(a *arming) (w way, doubt float64, ok bool) {
	x, ok := ast.Unparen(a.timer).(*ast.IndexExpr)
	if a.timer == nil || !ok || a.made == nil || a.act.Node != ast.Node(a.lit) || !a.fn.Holds(a.st.Stmt, a.section.Lock.Key) {
		return nil, 0, false
	}
	into := syntax.Variable(a.info, x.X)
	for _, c := range a.candidates() {
		if into != nil && c.v == into.Origin() && c.text == types.ExprString(x) {
			return &ownTimer{a, c.text, freeName(a.fn, "timer")}, 1, true
		}
	}
	return nil, 0, false
}

func (t *ownTimer) make(m *mutate.Mutation, e mutate.Edit) error {
	file := t.a.fn.File.Rel
	stmt := m.StmtOf(file, t.a.st.Stmt)
	lhs := m.Of(file, t.a.timer)
	pkg, err := m.Import(file, "time")
	if stmt == nil || lhs == nil || err != nil || pkg == "" {
		return mutate.Refuse(e, "another edit removed the timer")
	}
	if err := t.a.guard(m, e, "", t.place+" != "+t.local); err != nil {
		return err
	}
	if err := m.InsertSnippet(file, stmt, false, "var "+t.local+" *"+pkg+".Timer"); err != nil {
		return err
	}
	if err := m.InsertSnippet(file, stmt, true, t.place+" = "+t.local); err != nil {
		return err
	}
	return m.Replace(file, lhs, mutate.SnippetExpr(t.local))
}

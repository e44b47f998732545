package stillcurrent

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/typetext"
)

// A counted timer is told from the next one by a number.
type counted struct {
	*stamped
	stops  []timerCall
	of     string   // the timer's owner in the section
	locals []string // the number's name at each arming
	param  string
	held   string // where the section has the owner, such as "c.sessions[id]"; "": it has a name for it
	typ    string // of the owner, where it is given to the callback
}

func planGeneration(a *arming) (w way, doubt float64, ok bool) {
	s, ok := stamp(a, "generation")
	if !ok || len(a.timerCalls(s.field, "Reset")) > 0 {
		return nil, 0, false
	}
	c := &counted{stamped: s, of: s.owner()}
	if c.of == "" && !c.given(a) || a.act.Type.Params.NumFields() > 0 && variadic(a.act.Type) {
		return nil, 0, false
	}
	for _, stop := range a.timerCalls(s.field, "Stop") {
		if stop.bare && !s.again(stop) { // who makes a new timer counts
			c.stops = append(c.stops, stop)
		}
	}
	for _, other := range s.all {
		c.locals = append(c.locals, freeName(other.fn, "generation"))
	}
	c.param = c.locals[0]
	if _, declared := a.act.Node.(*ast.FuncDecl); declared {
		c.param = freeName(a.act, "generation")
	}
	return c, 1, true
}

// given finds the map that the section has the owner in, where the callback can be given
// the owner, too: the numbers of two owners may be equal.
func (c *counted) given(a *arming) (ok bool) {
	owner := ast.Unparen(a.timer).(*ast.SelectorExpr).X
	if slices.ContainsFunc(c.all, func(a *arming) bool { return a.call == nil }) {
		return false
	}
	t := a.info.TypeOf(owner)
	for _, m := range a.candidates() {
		if m.elem != nil && syntax.SameGeneric(m.elem, t) && m.text != "" {
			c.held, c.of = m.text, freeName(a.act, "of")
			c.typ, ok = typetext.Of(a.act, t, a.act.Body.Pos())
			return ok
		}
	}
	return false
}

func (c *counted) make(m *mutate.Mutation, e mutate.Edit) error {
	if err := c.declare(m, e, dst.NewIdent("int"), "of "+c.field.Name()+": the callback of an older one does nothing"); err != nil {
		return err
	}
	for i, a := range c.all {
		stmt := m.StmtOf(a.fn.File.Rel, a.st.Stmt)
		if stmt == nil {
			return mutate.Refuse(e, "another edit removed the timer")
		}
		count := c.owners[i] + "." + c.name
		if err := m.InsertSnippet(a.fn.File.Rel, stmt, false, count+"++\n"+c.locals[i]+" := "+count); err != nil {
			return err
		}
	}
	for _, stop := range c.stops {
		stmt := m.StmtOf(stop.fn.File.Rel, stop.st.Stmt)
		if stmt == nil {
			return mutate.Refuse(e, "another edit removed a Stop")
		}
		if err := m.InsertSnippet(stop.fn.File.Rel, stmt, true, types.ExprString(stop.of)+"."+c.name+"++"); err != nil {
			return err
		}
	}
	a := c.all[0]
	gone := c.of + "." + c.name + " != " + c.param
	if c.held != "" {
		gone = c.held + " != " + c.of + " || " + gone
		if err := pass(m, e, c.all, c.owners, c.of, c.typ); err != nil {
			return err
		}
	}
	if err := a.guard(m, e, "", gone); err != nil {
		return err
	}
	if _, declared := a.act.Node.(*ast.FuncDecl); !declared {
		return nil
	}
	return pass(m, e, c.all, c.locals, c.param, "int")
}

package stillcurrent

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A deadlined timer is told from the next one by the time at which it is to fire.
type deadlined struct {
	*stamped
	resets []timerCall
	kept   bool   // the time is in a field already, which name is
	init   string // "due := c.sessions[id]; due == nil || " or ""
	of     string // "due", or "c"
}

func planDeadline(a *arming) (w way, doubt float64, ok bool) {
	s, ok := stamp(a, "ends")
	if !ok {
		return nil, 0, false
	}
	d := &deadlined{stamped: s, resets: a.timerCalls(s.field, "Reset")}
	if !d.tells() {
		return nil, 0, false
	}
	for _, other := range s.all {
		if !plain(other.delay) {
			return nil, 0, false
		}
	}
	for _, reset := range d.resets {
		if !reset.bare || !plain(reset.call.Args[0]) {
			return nil, 0, false
		}
	}
	if name := d.keeps(); name != "" {
		d.kept, d.name = true, name
	}
	if d.of = s.owner(); d.of == "" {
		return d, 1, d.inMap(a)
	}
	return d, 1, !d.stops(a)
}

// tells reports whether the clock of the timer, time's or one that tests bring, can be asked for the time wherever
// that is needed.
func (d *deadlined) tells() bool {
	first := d.all[0]
	for _, a := range d.all {
		if a.clock() != first.clock() {
			return false
		}
		if _, ok := first.now(a.fn); !ok {
			return false
		}
	}
	for _, r := range d.resets {
		if _, ok := first.now(r.fn); !ok {
			return false
		}
	}
	_, ok := first.now(first.act)
	return ok
}

// keeps is the field of the timer's owner in which the time at which it is to fire is kept wherever it is set; "": none.
func (d *deadlined) keeps() (name string) {
	for i, a := range d.all {
		field := keptIn(a.info, a.st, d.owners[i], a.delay)
		if field == "" || name != "" && field != name {
			return ""
		}
		name = field
	}
	for _, r := range d.resets {
		if keptIn(r.fn.File.Package.Info, r.st, types.ExprString(r.of), r.call.Args[0]) != name {
			return ""
		}
	}
	return name
}

// keptIn is the field of a value to which a statement beside one that sets a timer assigns the time when this is to fire:
// "deadline" of h.deadline = time.Now().Add(ttl); "": none.
func keptIn(info *types.Info, st mutate.Statement, owner string, delay ast.Expr) string {
	for _, s := range st.List {
		assign, ok := s.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
			continue
		}
		sel, ok := ast.Unparen(assign.Lhs[0]).(*ast.SelectorExpr)
		call, isCall := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		if !ok || !isCall || types.ExprString(sel.X) != owner || len(call.Args) != 1 || types.ExprString(call.Args[0]) != types.ExprString(delay) {
			continue
		}
		if f := syntax.Callee(info, call.Fun); f == nil || f.FullName() != "(time.Time).Add" {
			continue
		}
		if now, ok := ast.Unparen(call.Fun.(*ast.SelectorExpr).X).(*ast.CallExpr); ok && syntax.CalledName(now.Fun) != nil && syntax.CalledName(now.Fun).Name == "Now" {
			return sel.Sel.Name
		}
	}
	return ""
}

// inMap finds the map that the section has the value of the timer in.
func (d *deadlined) inMap(a *arming) bool {
	t := a.info.TypeOf(ast.Unparen(a.timer).(*ast.SelectorExpr).X)
	for _, c := range a.candidates() {
		if m, ok := c.v.Type().Underlying().(*types.Map); ok && syntax.SameGeneric(m.Elem(), t) {
			d.of = freeName(a.act, "due")
			d.init = d.of + " := " + c.text + "; " + d.of + " == nil || "
			return true
		}
	}
	return false
}

// stops reports whether the timer is stopped without being set again: no time is late enough then.
func (d *deadlined) stops(a *arming) bool {
	return slices.ContainsFunc(a.timerCalls(d.field, "Stop"), func(stop timerCall) bool { return !d.again(stop) })
}

// plain reports whether an expression can be evaluated twice.
func plain(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return plain(e.X)
	case *ast.BinaryExpr:
		return plain(e.X) && plain(e.Y)
	}
	return false
}

func (d *deadlined) make(m *mutate.Mutation, e mutate.Edit) error {
	if !d.kept {
		if err := d.keep(m, e); err != nil {
			return err
		}
	}
	a := d.all[0]
	now, err := a.nowIn(m, e, a.act)
	if err != nil {
		return err
	}
	return a.guard(m, e, d.init, now+".Before("+d.of+"."+d.name+")")
}

// keep declares the field for the time, and sets it wherever the timer is set.
func (d *deadlined) keep(m *mutate.Mutation, e mutate.Edit) error {
	name, err := m.Import(d.file.Rel, "time")
	if err != nil || name == "" {
		return mutate.Refuse(e, "package time has no name")
	}
	typ := &dst.SelectorExpr{X: dst.NewIdent(name), Sel: dst.NewIdent("Time")}
	if err := d.declare(m, e, typ, "when "+d.field.Name()+" is to fire"); err != nil {
		return err
	}
	for i, a := range d.all {
		if err := d.set(m, e, a.fn, a.st.Stmt, d.owners[i], a.delay); err != nil {
			return err
		}
	}
	for _, r := range d.resets {
		if err := d.set(m, e, r.fn, r.st.Stmt, types.ExprString(r.of), r.call.Args[0]); err != nil {
			return err
		}
	}
	return nil
}

// set sets the time in front of a statement that starts the timer.
func (d *deadlined) set(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, s ast.Stmt, owner string, delay ast.Expr) error {
	now, err := d.all[0].nowIn(m, e, fn)
	if err != nil {
		return err
	}
	stmt := m.StmtOf(fn.File.Rel, s)
	if stmt == nil {
		return mutate.Refuse(e, "another edit removed the timer")
	}
	return m.InsertSnippet(fn.File.Rel, stmt, false, owner+"."+d.name+" = "+now+".Add("+types.ExprString(delay)+")")
}

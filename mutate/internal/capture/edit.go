package capture

import (
	"slices"

	"mendel/mutate"
)

// Edit starts an operator's edit at a start, for variables that its literal
// captures: it is as hot as the hottest of their uses in the literal and of the
// start.
func (s *Start) Edit(fn *mutate.Function, operator string, vars ...Variable) mutate.Edit {
	e := fn.NewEdit(operator, s.Stmt)
	e.Vars = nil
	for _, v := range vars {
		for _, u := range v.Inside {
			heat, _ := fn.Narrowing.HeatAt(u.Pos - 1)
			e.Heat = max(e.Heat, heat)
		}
		e.Vars = append(e.Vars, fn.VarName(v.Var))
	}
	slices.Sort(e.Vars)
	return e
}

// MayDeclare reports whether another variable of the same name can be declared in
// front of the start: in another block than the captured one, and with nothing
// behind the start in its block that uses that.
func (s *Start) MayDeclare(fn *mutate.Function, v *Variable) bool {
	inner := fn.File.Package.Types.Scope().Innermost(s.Stmt.Pos())
	return inner != nil && inner.Lookup(v.Var.Name()) == nil && !v.UsedIn(s.Stmt.End(), s.Owner.End())
}

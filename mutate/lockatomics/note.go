package lockatomics

import (
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// note says why the operations of a function are one step: what it checks, or
// who else uses the same variables together.
func (g *group) note(u *user) string {
	if len(u.written()) == 1 && u.checks() {
		o := u.ops[slices.IndexFunc(u.ops, func(o operation) bool { return o.Write })]
		what := "the check of " + types.ExprString(u.ops[0].Expr) + " and the change of " + types.ExprString(o.Expr)
		if u.ops[0].Var == o.Var {
			what = "the check and the change of " + types.ExprString(o.Expr)
		}
		return "between " + what + " another goroutine may come"
	}
	i := slices.IndexFunc(g.users, func(other *user) bool { return other.fn != u.fn && other.several() && other.writes() != u.writes() })
	if i < 0 {
		i = slices.IndexFunc(g.users, func(other *user) bool { return other.fn != u.fn && other.several() })
	}
	switch {
	case i < 0 && u.writes():
		return u.names() + " change together"
	case i < 0:
		return u.names() + " are read together"
	case !u.several():
		return "not in between what " + name(g.users[i]) + " does"
	}
	return name(g.users[i]) + " " + g.users[i].does() + " " + g.users[i].names() + " together"
}

// name is that of a function without its type.
func name(u *user) string { return u.fn.Name[strings.LastIndex(u.fn.Name, ".")+1:] }

// does says what a function does with its variables.
func (u *user) does() string {
	switch {
	case !u.writes():
		return "reads"
	case len(u.written()) > 1:
		return "changes"
	}
	return "uses"
}

// written are the variables that a function changes.
func (u *user) written() []*types.Var {
	var vars []*types.Var
	for _, o := range u.ops {
		if o.Write && !slices.Contains(vars, o.Var) {
			vars = append(vars, o.Var)
		}
	}
	return vars
}

// names are the variables' names.
func (u *user) names() string {
	var names []string
	for _, o := range u.ops {
		if name := o.Var.Name(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, v := range u.also {
		if !slices.Contains(names, v.Name()) {
			names = append(names, v.Name())
		}
	}
	return syntax.Enumerate(names)
}

package lockatomics

import (
	"go/ast"
	"slices"

	"mendel/mutate"
)

// opened is the group without its helpers, whose operations count where they are called;
// ok is false if there are none. A helper is a function that only such call as make
// operations on the same value themselves: what it changes is a part of their step, and
// they are to hold the lock around the call.
func (g *group) opened() (_ *group, ok bool) {
	out := &group{owner: g.owner, vars: g.vars, near: g.near}
	helped := make(map[*mutate.Function][]*ast.CallExpr) // by caller
	for _, u := range g.users {
		calls, helper := g.callsOf(u)
		for caller, exprs := range calls {
			helped[caller] = append(helped[caller], exprs...)
		}
		if !helper {
			out.users = append(out.users, &user{fn: u.fn, base: u.base, ops: u.ops})
		}
	}
	for _, u := range out.users {
		if u.helped = helped[u.fn]; len(u.helped) > 0 {
			u.also = g.vars
		}
	}
	return out, len(helped) > 0
}

// callsOf are the calls of a helper, by caller; ok is false if a function is none.
func (g *group) callsOf(u *user) (calls map[*mutate.Function][]*ast.CallExpr, ok bool) {
	decl, declared := u.fn.Node.(*ast.FuncDecl)
	callers := u.fn.Callers()
	if !declared || decl.Name.IsExported() || u.fn.Started() || len(callers) == 0 {
		return nil, false
	}
	calls = make(map[*mutate.Function][]*ast.CallExpr)
	for _, caller := range callers {
		at := slices.IndexFunc(g.users, func(o *user) bool { return o.fn == caller })
		if at < 0 || caller == u.fn {
			return nil, false
		}
		for _, c := range caller.Calls(caller.Body) {
			if c.To == u.fn && c.Name(u.base) == g.users[at].base {
				calls[caller] = append(calls[caller], c.Expr)
			}
		}
		if len(calls[caller]) == 0 {
			return nil, false
		}
	}
	return calls, true
}

package halves

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
)

// borrowed finds functions that change the slice or map in its place which a function of the program has given them, where the
// patch has another one change a copy of what it gives.
//
//	subs := x.Match(subject)
//	sort.Slice(subs, less) // others have subs, too
func (c *change) borrowed() (found []Finding) {
	mended := map[string]bool{}
	for _, fn := range c.after.funcs {
		was := c.before.named[fn.name]
		if was == nil || !c.changed(fn) {
			continue
		}
		now := c.after.changesGiven(fn)
		for giver := range c.before.changesGiven(was) {
			if _, still := now[giver]; !still && c.after.copiesGiven(fn, giver) {
				mended[giver] = true
			}
		}
	}
	for _, fn := range c.after.funcs {
		for giver, pos := range c.after.changesGiven(fn) {
			if mended[giver] {
				found = append(found, c.at(fn, pos, "what %s has given is changed in its place: the patch changes a copy elsewhere", c.after.named[giver].Name.Name))
			}
		}
	}
	return found
}

// givenBy are the local variables that have what functions of the program have returned, and these functions; those that get
// a copy, or something new, later are left out.
func (v *version) givenBy(fn *function, copies bool) map[types.Object]string {
	info := fn.info()
	givers, renewed := map[types.Object]string{}, map[types.Object]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		id, ok := a.Lhs[0].(*ast.Ident)
		if !ok || len(a.Rhs) != 1 || !refers(info.TypeOf(id)) {
			return true
		}
		if isNew(fn, a.Rhs[0]) || appendsToNothing(info, a.Rhs[0]) {
			renewed[info.ObjectOf(id)] = true
		} else if call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr); ok {
			if f := syntax.Callee(info, call.Fun); f != nil && v.named[f.Origin().FullName()] != nil {
				givers[info.ObjectOf(id)] = f.Origin().FullName()
			}
		}
		return true
	})
	for obj := range givers {
		if renewed[obj] != copies {
			delete(givers, obj)
		}
	}
	return givers
}

// appendsToNothing reports whether an expression appends all elements of a list to an empty one.
func appendsToNothing(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && syntax.Builtin(info, call) == "append" && call.Ellipsis.IsValid() && isEmpty(info, call.Args[0])
}

// changesGiven are the functions whose results a function changes in their place, and where.
func (v *version) changesGiven(fn *function) map[string]token.Pos {
	givers := v.givenBy(fn, false)
	all := map[string]token.Pos{}
	if len(givers) == 0 {
		return all
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		for _, e := range syntax.InPlace(fn.info(), n) {
			id, ok := ast.Unparen(e).(*ast.Ident)
			if !ok {
				continue
			}
			if giver := givers[fn.info().ObjectOf(id)]; giver != "" && all[giver] == token.NoPos {
				all[giver] = n.Pos()
			}
		}
		return true
	})
	return all
}

// copiesGiven reports whether a function copies what another one has given.
func (v *version) copiesGiven(fn *function, giver string) bool {
	for _, of := range v.givenBy(fn, true) {
		if of == giver {
			return true
		}
	}
	return false
}

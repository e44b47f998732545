package halves

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/analysis/syntax"
)

// borrowed finds functions that change the slice or map in its place which another function has given them, where the
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
				found = append(found, c.at(fn, pos, "what %s has given is changed in its place: the patch changes a copy elsewhere", giver[strings.LastIndexByte(giver, '.')+1:]))
			}
		}
	}
	return found
}

// givenBy are the local variables that have what functions have returned, and these functions; those that get
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
		if isNew(fn, a.Rhs[0]) {
			renewed[info.ObjectOf(id)] = true
		} else if call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr); ok {
			if f := syntax.Callee(info, call.Fun); f != nil && f.Pkg() != nil {
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

// changedCopies finds functions that change the elements of a field's slice or map in their place, where the patch has another
// function that changes them change a copy, which it puts there: who has the old one sees these changes still.
//
//	s.list = slices.Clone(s.list) // added
//	sort.Slice(s.list, less)
func (c *change) changedCopies() (found []Finding) {
	mended := map[field]bool{}
	for _, fn := range c.after.funcs {
		was := c.before.named[fn.name]
		if was == nil || !c.changed(fn) {
			continue
		}
		for of := range copiedFirst(fn) {
			if !copiedFirst(was)[of] && (appendsTo(was, of) || elementChanges(was)[of] != token.NoPos) {
				mended[of] = true
			}
		}
	}
	for _, fn := range c.after.funcs {
		for of, pos := range elementChanges(fn) {
			if mended[of] {
				found = append(found, c.at(fn, pos, "%s is changed in its place, and others may have it: the patch changes a copy elsewhere", of.name))
			}
		}
	}
	return found
}

// copiedFirst are the fields that a function gives a copy of what they have.
func copiedFirst(fn *function) map[field]bool {
	all := map[field]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, l := range a.Lhs {
			call, isCall := ast.Unparen(a.Rhs[i]).(*ast.CallExpr)
			of, isField := fieldOf(fn.info(), l)
			if !isCall || !isField || len(call.Args) == 0 || !isNew(fn, call) {
				continue
			}
			if from, ok := fieldOf(fn.info(), call.Args[len(call.Args)-1]); ok && from == of {
				all[of] = true
			}
		}
		return true
	})
	return all
}

// elementChanges are the fields whose elements a function changes in their place, and where; those left out of which it has put a copy there.
func elementChanges(fn *function) map[field]token.Pos {
	all := map[field]token.Pos{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		for _, e := range syntax.InPlace(fn.info(), n) {
			if of, ok := fieldOf(fn.info(), e); ok && all[of] == token.NoPos && !renewed(fn, of, n.Pos()) && !ofNew(fn, e) {
				all[of] = n.Pos()
			}
		}
		return true
	})
	return all
}

// appendsTo reports whether a function appends to a field.
func appendsTo(fn *function, of field) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return false
		}
		for i, l := range a.Lhs {
			call, isCall := ast.Unparen(a.Rhs[i]).(*ast.CallExpr)
			if f, ok := fieldOf(fn.info(), l); ok && f == of && isCall && syntax.Builtin(fn.info(), call) == "append" {
				return true
			}
		}
		return false
	})
}

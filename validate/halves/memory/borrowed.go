package memory

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// Borrowed finds functions that change the slice or map in its place which another function has given them, where the
// patch has another one change a copy of what it gives.
//
//	subs := x.Match(subject)
//	sort.Slice(subs, less) // others have subs, too
func Borrowed(c *pair.Change) (found []pair.Finding) {
	mended := map[string]bool{}
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) {
			continue
		}
		now := changesGiven(c.After, fn)
		for giver := range changesGiven(c.Before, was) {
			if _, still := now[giver]; !still && copiesGiven(c.After, fn, giver) {
				mended[giver] = true
			}
		}
	}
	for _, fn := range c.After.Funcs {
		for giver, pos := range changesGiven(c.After, fn) {
			if mended[giver] {
				found = append(found, c.At(fn, pos, "what %s has given is changed in its place: the patch changes a copy elsewhere", giver[strings.LastIndexByte(giver, '.')+1:]))
			}
		}
	}
	return found
}

// givenBy are the local variables that have what functions have returned, and these functions; those that get
// a copy, or something new, later are left out.
func givenBy(v *pair.Version, fn *pair.Function, copies bool) map[types.Object]string {
	info := fn.Info()
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
func changesGiven(v *pair.Version, fn *pair.Function) map[string]token.Pos {
	givers := givenBy(v, fn, false)
	all := map[string]token.Pos{}
	if len(givers) == 0 {
		return all
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		for _, e := range syntax.InPlace(fn.Info(), n) {
			id, ok := ast.Unparen(e).(*ast.Ident)
			if !ok {
				continue
			}
			if giver := givers[fn.Info().ObjectOf(id)]; giver != "" && all[giver] == token.NoPos {
				all[giver] = n.Pos()
			}
		}
		return true
	})
	return all
}

// copiesGiven reports whether a function copies what another one has given.
func copiesGiven(v *pair.Version, fn *pair.Function, giver string) bool {
	for _, of := range givenBy(v, fn, true) {
		if of == giver {
			return true
		}
	}
	return false
}

// ChangedCopies finds functions that change the elements of a field's slice or map in their place, where the patch has another
// function that changes them change a copy, which it puts there: who has the old one sees these changes still.
//
//	s.list = slices.Clone(s.list) // added
//	sort.Slice(s.list, less)
func ChangedCopies(c *pair.Change) (found []pair.Finding) {
	mended := map[pair.Field]bool{}
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) {
			continue
		}
		for of := range copiedFirst(fn) {
			if !copiedFirst(was)[of] && (appendsTo(was, of) || elementChanges(was)[of] != token.NoPos) {
				mended[of] = true
			}
		}
	}
	for _, fn := range c.After.Funcs {
		for of, pos := range elementChanges(fn) {
			if mended[of] {
				found = append(found, c.At(fn, pos, "%s is changed in its place, and others may have it: the patch changes a copy elsewhere", of.Name))
			}
		}
	}
	return found
}

// copiedFirst are the fields that a function gives a copy of what they have.
func copiedFirst(fn *pair.Function) map[pair.Field]bool {
	all := map[pair.Field]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, l := range a.Lhs {
			call, isCall := ast.Unparen(a.Rhs[i]).(*ast.CallExpr)
			of, isField := pair.FieldOf(fn.Info(), l)
			if !isCall || !isField || len(call.Args) == 0 || !isNew(fn, call) {
				continue
			}
			if from, ok := pair.FieldOf(fn.Info(), call.Args[len(call.Args)-1]); ok && from == of {
				all[of] = true
			}
		}
		return true
	})
	return all
}

// elementChanges are the fields whose elements a function changes in their place, and where; those left out of which it has put a copy there.
func elementChanges(fn *pair.Function) map[pair.Field]token.Pos {
	all := map[pair.Field]token.Pos{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		for _, e := range syntax.InPlace(fn.Info(), n) {
			if of, ok := pair.FieldOf(fn.Info(), e); ok && all[of] == token.NoPos && !renewed(fn, of, n.Pos()) && !ofNew(fn, e) {
				all[of] = n.Pos()
			}
		}
		return true
	})
	return all
}

// appendsTo reports whether a function appends to a field.
func appendsTo(fn *pair.Function, of pair.Field) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return false
		}
		for i, l := range a.Lhs {
			call, isCall := ast.Unparen(a.Rhs[i]).(*ast.CallExpr)
			if f, ok := pair.FieldOf(fn.Info(), l); ok && f == of && isCall && syntax.Builtin(fn.Info(), call) == "append" {
				return true
			}
		}
		return false
	})
}

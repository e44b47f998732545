package lockcaller

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/fact/held"
)

// locks lists the locks to try around a span: existing ones of the value whose
// variables it uses, as far as the callees do not take them, or else a new one.
// There are none where one of the value's locks is held already.
func locks(fn *mutate.Function, s *span) []analysis.Lock {
	own := func(l analysis.Lock) bool {
		i := strings.LastIndex(l.Expr, ".")
		return i >= 0 && l.Expr[:i] == s.base.String() || i < 0 && s.base.Root == nil
	}
	if slices.ContainsFunc(fn.HeldAt(s.stmts()[0]), own) {
		return nil
	}
	fits := func(l analysis.Lock) bool {
		return !fn.Reassigns(l.Expr, s.stmts()...) && held.Conflict(fn, l, s.stmts()...) == "" && !held.Waits(fn, l, s.stmts()...)
	}
	var out []analysis.Lock
	for _, l := range fn.Program.Locks(fn.File, s.stmts()[0]) {
		switch {
		case !own(l):
		case held.ByCaller(fn, l.Key):
			return nil
		case len(out) < maxLocks && fits(l):
			out = append(out, l)
		}
	}
	if l, ok := newLock(fn, s.principal()); ok && len(out) == 0 && fits(l) {
		out = append(out, l)
	}
	return out
}

// newLock is a new lock for a variable: what the analysis offers where the
// variable is used, named as the caller has to; or, in a struct that has
// mutexes for other purposes, one more.
func newLock(fn *mutate.Function, u use) (analysis.Lock, bool) {
	if u.Var.Pkg() != fn.File.Package.Types {
		return analysis.Lock{}, false
	}
	if l, ok := further(fn, u); ok {
		return l, true
	}
	offered := fn.Program.NewLocks(u.in.File, mutate.Innermost(u.in.Statements(), u.Expr).Stmt, []analysis.Access{u.Access})
	if len(offered) == 0 {
		return analysis.Lock{}, false
	}
	l := offered[0]
	if l.New.Kind == analysis.FieldLock {
		l.Expr = u.base.String() + "." + l.New.Name
	}
	return l, l.New.Kind != analysis.LocalLock
}

// further is one more mutex in a struct that has some, called by the name of
// the field it is for: countMu for count. The struct's values are not copied
// by a program that is right, because it has mutexes already.
func further(fn *mutate.Function, u use) (analysis.Lock, bool) {
	named, st := owner(u)
	if st == nil || named.Obj().Parent() != named.Obj().Pkg().Scope() || !hasMutex(st) {
		return analysis.Lock{}, false
	}
	pos := fn.Program.Fset.PositionFor(u.Var.Pos(), false)
	file := fn.Program.File(pos.Filename)
	if file == nil || file.Test || file.Generated {
		return analysis.Lock{}, false
	}
	name := u.Var.Name() + "Mu"
	for n := 2; taken(named, name); n++ {
		name = u.Var.Name() + "Mu" + strconv.Itoa(n)
	}
	return analysis.Lock{
		Expr: u.base.String() + "." + name,
		Key:  named.Obj().Pkg().Path() + "." + named.Obj().Name() + "." + name,
		New:  &analysis.NewLock{Kind: analysis.FieldLock, Name: name, File: file.Rel, Offset: pos.Offset},
	}, true
}

// owner is the named struct that declares an accessed field; nil for other variables.
func owner(u use) (*types.Named, *types.Struct) {
	sel, ok := ast.Unparen(u.Expr).(*ast.SelectorExpr)
	if !ok || !u.Var.IsField() {
		return nil, nil
	}
	s := u.in.File.Package.Info.Selections[sel]
	if s == nil || len(s.Index()) != 1 { // promoted: another type's business
		return nil, nil
	}
	t := types.Unalias(s.Recv())
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() != u.Var.Pkg() {
		return nil, nil
	}
	st, _ := named.Underlying().(*types.Struct)
	return named.Origin(), st
}

// hasMutex reports whether a struct has a mutex as a field, not a pointer to one.
func hasMutex(st *types.Struct) bool {
	for f := range st.Fields() {
		if t := types.Unalias(f.Type()).String(); t == "sync.Mutex" || t == "sync.RWMutex" {
			return true
		}
	}
	return false
}

func taken(t *types.Named, name string) bool {
	found, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.Obj().Pkg(), name)
	return found != nil
}

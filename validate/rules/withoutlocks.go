package rules

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"mendel/analysis/syntax"
)

// Where locks are held decides neither what a program does nor what it sends. So functions are
// compared without the statements that only acquire or release a lock, and without comments.

// communicates reports whether the mutant changes a function that uses channels,
// by more than where locks are held: which of the cases of a select wins depends
// on time, and a lock takes some.
func (s *sources) communicates() bool {
	for _, d := range []*effects{s.before, s.after} {
		for key := range d.usesChannels {
			if !s.alike(key) {
				return true
			}
		}
	}
	return false
}

// onlyLocks reports whether the functions of the mutant are those of the original
// but for where locks are held.
func (s *sources) onlyLocks() bool {
	for _, d := range []*effects{s.before, s.after} {
		for key := range d.functions {
			if !s.alike(key) {
				return false
			}
		}
	}
	return true
}

// alike reports whether functions with a key are the same but for locks, in the original and in the mutant.
// One may have become two, a variant for callers that hold the lock and what calls that with the lock, or
// the variant alone.
func (s *sources) alike(key string) bool {
	was, is := s.before.functions[key], s.after.functions[key]
	if sameButLocks(was, is) {
		return true
	}
	variants := func(key string) (of []function) {
		if len(s.before.functions[syntax.VariantKey(key)]) == 0 {
			of = s.after.functions[syntax.VariantKey(key)]
		}
		return of
	}
	if of := variants(key); len(of) == 1 && sameButLocks(was, of) {
		return len(is) == 0 || len(is) == 1 && is[0].onlyCalls(of[0])
	}
	if len(was) > 0 {
		return false
	}
	for base, was := range s.before.functions { // it may be a variant itself
		if syntax.VariantKey(base) == key {
			return sameButLocks(was, is) && s.alike(base)
		}
	}
	return false
}

// onlyCalls reports whether a function does nothing but to call another one, locks left out.
func (f function) onlyCalls(other function) bool {
	list := withoutLocks(f.info, f.decl.Body.List)
	if len(list) != 1 {
		return false
	}
	var e ast.Expr
	switch s := list[0].(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.ReturnStmt:
		if len(s.Results) != 1 {
			return false
		}
		e = s.Results[0]
	}
	call, ok := e.(*ast.CallExpr)
	return ok && syntax.Callee(f.info, call.Fun) == f.info.Defs[other.decl.Name]
}

// sameButLocks reports whether functions, several of one name in their order, are the same but
// for locks.
func sameButLocks(before, after []function) bool {
	return slices.EqualFunc(before, after, func(a, b function) bool {
		return alikeSyntax{a.info, b.info}.same(reflect.ValueOf(a.decl), reflect.ValueOf(b.decl))
	})
}

// alikeSyntax compares syntax of two programs.
type alikeSyntax struct{ before, after *types.Info }

// What is not compared as it is.
var (
	positionType = reflect.TypeFor[token.Pos]()
	commentType  = reflect.TypeFor[*ast.CommentGroup]()
	nameType     = reflect.TypeFor[ast.Ident]()
	listType     = reflect.TypeFor[[]ast.Stmt]()
)

// same compares two parts of syntax trees of the same type. Of a position it matters only that
// there is one: it stands for a token that may be missing.
func (c alikeSyntax) same(a, b reflect.Value) bool {
	switch a.Type() {
	case commentType:
		return true
	case nameType:
		was, is := a.Interface().(ast.Ident).Name, b.Interface().(ast.Ident).Name
		return was == is || syntax.VariantName(was) == is
	case positionType:
		return a.Interface().(token.Pos).IsValid() == b.Interface().(token.Pos).IsValid()
	case listType:
		was := withoutLocks(c.before, a.Interface().([]ast.Stmt))
		is := withoutLocks(c.after, b.Interface().([]ast.Stmt))
		return slices.EqualFunc(was, is, func(x, y ast.Stmt) bool {
			return c.same(reflect.ValueOf(&x).Elem(), reflect.ValueOf(&y).Elem())
		})
	}
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		a, b = a.Elem(), b.Elem()
		return a.Type() == b.Type() && c.same(a, b)
	case reflect.Struct:
		for i := range a.NumField() {
			if !c.same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !c.same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// withoutLocks are the statements of a list that do more than to acquire or release a lock.
func withoutLocks(info *types.Info, list []ast.Stmt) []ast.Stmt {
	return slices.DeleteFunc(slices.Clone(list), func(s ast.Stmt) bool {
		var call *ast.CallExpr
		switch s := s.(type) {
		case *ast.ExprStmt:
			call, _ = ast.Unparen(s.X).(*ast.CallExpr)
		case *ast.DeferStmt:
			call = s.Call
		}
		return call != nil && ofLock(syntax.Callee(info, call.Fun))
	})
}

// ofLock reports whether a function acquires or releases a lock: a mutex, or what has the methods of
// one.
func ofLock(fn *types.Func) bool {
	if fn == nil || fn.Signature().Recv() == nil || !plain(fn) {
		return false
	}
	other := map[string]string{"Lock": "Unlock", "Unlock": "Lock", "RLock": "RUnlock", "RUnlock": "RLock"}[fn.Name()]
	if other == "" {
		return false
	}
	found, _, _ := types.LookupFieldOrMethod(fn.Signature().Recv().Type(), true, fn.Pkg(), other)
	pair, ok := found.(*types.Func)
	return ok && plain(pair)
}

// plain reports whether a function has neither parameters nor results.
func plain(fn *types.Func) bool {
	return fn.Signature().Params().Len()+fn.Signature().Results().Len() == 0
}

package halves

import (
	"go/ast"
	"slices"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// dones finds returns of a function that leaves it without the Done of a wait group which ends it elsewhere,
// where the patch changes how that group counts: whoever waits for it waits for ever.
func dones(c *pair.Change) (found []pair.Finding) {
	had, has := grouped(c.Before), grouped(c.After)
	for _, done := range has {
		if done.method != "Done" || !recounted(had, has, done.of) || slices.ContainsFunc(has, func(o groupCall) bool {
			return o.in == done.in && o.of == done.of && o.method != "Done"
		}) {
			continue // a function that counts itself has returns before it does
		}
		last := endsWith(done.in.Body, done.at)
		if !last {
			continue
		}
		for _, ret := range without(done.in, done.of, done.at) {
			found = append(found, c.At(done.in, ret.Pos(), "%s.Done is not called before this return, as it is at the end: who waits for the group waits for ever", done.of.Name))
		}
	}
	return found
}

// recounted says whether a patch changes how often the functions call Add or Done of a group.
func recounted(had, has []groupCall, of pair.Field) bool {
	count := func(list []groupCall) map[string]int {
		n := make(map[string]int)
		for _, g := range list {
			if g.of == of && g.method != "Wait" {
				n[g.in.FullName+" "+g.method]++
			}
		}
		return n
	}
	was, now := count(had), count(has)
	if len(was) != len(now) {
		return true
	}
	for key, n := range now {
		if was[key] != n {
			return true
		}
	}
	return false
}

// endsWith says whether a call is the last statement of a body, or the last but for a return.
func endsWith(body *ast.BlockStmt, call ast.Node) bool {
	list := body.List
	if n := len(list); n > 0 {
		if _, returns := list[n-1].(*ast.ReturnStmt); returns {
			list = list[:n-1]
		}
	}
	if len(list) == 0 {
		return false
	}
	e, ok := list[len(list)-1].(*ast.ExprStmt)
	return ok && ast.Unparen(e.X) == call
}

// without are the returns of a function in front of the last Done of a group that have none in front of
// them, in their list or one around it.
func without(fn *pair.Function, of pair.Field, last ast.Node) (all []*ast.ReturnStmt) {
	calls := func(s ast.Stmt) bool {
		return syntax.Any(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return false
			}
			f := syntax.Callee(fn.Info(), call.Fun)
			if f == nil || f.FullName() != "(*sync.WaitGroup).Done" {
				return false
			}
			got, ok := pair.FieldOf(fn.Info(), call.Fun.(*ast.SelectorExpr).X)
			return ok && got == of
		})
	}
	var visit func(list []ast.Stmt, done bool)
	visit = func(list []ast.Stmt, done bool) {
		for _, s := range list {
			if ret, ok := s.(*ast.ReturnStmt); ok && !done && ret.Pos() < last.Pos() {
				all = append(all, ret)
			}
			inner := pair.Lists(s)
			for _, l := range inner {
				visit(l, done)
			}
			_, deferred := s.(*ast.DeferStmt)
			done = done || (len(inner) == 0 || deferred) && calls(s)
		}
	}
	visit(fn.Body.List, false)
	return all
}

package locking

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locked"
)

// Takes reports whether any of some statements may take the section's lock.
func Takes(fn *mutate.Function, s *mutate.Section, stmts []ast.Stmt) bool {
	return slices.ContainsFunc(stmts, func(stmt ast.Stmt) bool { return effects.Of(fn, s, stmt).Relocks })
}

// Relocking lists the calls among some statements beside a section of functions that take
// its lock. ok is false where the lock is taken in any other way, or by a function that
// cannot do without.
func Relocking(fn *mutate.Function, s *mutate.Section, stmts []ast.Stmt) (calls []locked.Call, ok bool) {
	replaced := make(map[*ast.CallExpr]bool)
	for _, c := range fn.Calls(stmts...) {
		if !held.Acquires(fn, c.Expr, s.Lock.Key) {
			continue
		}
		for _, to := range locked.Of(c.To, s.Lock.Key) {
			if locked.SameLock(fn, c.Name(to.Lock), s) && (to.Read || !s.Read) && locked.CanCall(fn, c.Expr, to) {
				calls, replaced[c.Expr] = append(calls, locked.Call{Expr: c.Expr, To: to}), true
			}
		}
	}
	ok = len(calls) > 0
	for _, stmt := range stmts {
		syntax.Now(stmt, func(n ast.Node) {
			call, is := n.(*ast.CallExpr)
			if !is || replaced[call] {
				return
			}
			l, _, lock := fn.Program.LockCall(fn.File, call)
			ok = ok && !(lock && l.Key == s.Lock.Key) && !slices.Contains(fn.Program.Acquires(fn.File, call), s.Lock.Key)
		})
	}
	return calls, ok
}

// CallsNote says why the lock is held around some calls.
func CallsNote(s *mutate.Section, calls []locked.Call) string {
	var names []string
	for _, c := range calls {
		if name := types.ExprString(c.Expr.Fun); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ") + " must find what was found under " + s.Lock.Expr
}

package changes

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A goroutine that begins to wait for a condition variable takes over the lock from who starts it:
//
//	go func() {
//		cond.Wait() // releases the lock, and takes it again
//		waited <- struct{}{}
//	}()
//	select {
//	case <-waited: // the lock is held
//	case <-ctx.Done():
//		cond.L.Lock() // it is the other's
//	}
//
// So it is no relock in the cases that do not hear from the goroutine.

// handedOver reports whether a relock is in such a case.
func handedOver(r locks.Relock) bool {
	over := false
	syntax.Walk(r.In.Body, func(n ast.Node, path []ast.Node) {
		clause, ok := n.(*ast.CommClause)
		if !ok || clause.Pos() > r.At.Pos() || r.At.End() > clause.End() || len(path) < 2 {
			return
		}
		for told := range takesOver(r.In, path[len(path)-2]) {
			over = over || !receivesFrom(clause.Comm, told)
		}
	})
	return over
}

// takesOver yields the channels by which goroutines tell that a condition variable has woken them that they
// have begun to wait for without locking anything, of those that a function starts in front of a statement.
func takesOver(fn *program.Func, before ast.Node) map[string]bool {
	channels := make(map[string]bool)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		g, ok := n.(*ast.GoStmt)
		if !ok || g.End() > before.Pos() {
			return true
		}
		if lit, ok := g.Call.Fun.(*ast.FuncLit); ok {
			for _, told := range tellsWoken(fn, lit) {
				channels[told] = true
			}
		}
		return false
	})
	return channels
}

// tellsWoken are the channels that a goroutine sends to, or closes, when it has waited for a condition variable
// before it has called anything else.
func tellsWoken(fn *program.Func, lit *ast.FuncLit) (channels []string) {
	waited := false
	for _, s := range lit.Body.List {
		switch s := s.(type) {
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			if !ok {
				return nil
			}
			f := syntax.Callee(fn.Info(), call.Fun)
			switch {
			case syntax.Builtin(fn.Info(), call) == "close" && waited:
				channels = append(channels, types.ExprString(call.Args[0]))
			case f != nil && strings.HasPrefix(f.FullName(), "(*sync.Cond).Wait"):
				waited = true
			case !waited:
				return nil
			}
		case *ast.SendStmt:
			if waited {
				channels = append(channels, types.ExprString(s.Chan))
			}
		}
	}
	return slices.Compact(channels)
}

// receivesFrom reports whether a statement receives from a channel, as it is written.
func receivesFrom(s ast.Stmt, ch string) bool {
	return s != nil && syntax.Any(s, func(n ast.Node) bool {
		e, ok := n.(*ast.UnaryExpr)
		return ok && e.Op == token.ARROW && types.ExprString(e.X) == ch
	})
}

package waits

import (
	"go/ast"
	"go/token"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// LetsGo reports whether nobody waits long for a lock, given by its key, that is held for reading at a select:
// whoever takes it for writing closes, right before that, a channel for which the select waits as well.
//
//	s.mu.RLock()                 close(s.done)
//	defer s.mu.RUnlock()         s.mu.Lock()
//	select {                     close(s.c)
//	case s.c <- v:               s.mu.Unlock()
//	case <-s.done:
//	}
func LetsGo(m *locks.View, fn *program.Func, s *ast.SelectStmt, key string) bool {
	ends := make(map[string]bool)
	for _, c := range s.Body.List {
		if comm, ok := c.(*ast.CommClause).Comm.(*ast.ExprStmt); ok {
			if e, ok := ast.Unparen(comm.X).(*ast.UnaryExpr); ok && e.Op == token.ARROW {
				ends[program.ExprKey(fn.Info(), e.X)] = true
			}
		}
	}
	taken, lets := false, true
	for _, other := range m.Shipped() {
		info := other.Info()
		ast.Inspect(other.Body, func(n ast.Node) bool {
			block, ok := n.(*ast.BlockStmt)
			if !ok {
				return lets
			}
			for i, stmt := range block.List {
				call := callIn(stmt)
				if call == nil {
					continue
				}
				op, ok := program.LockMethod(info, call.Fun)
				if !ok || !strings.HasSuffix(op.Method, "Lock") || strings.HasPrefix(op.Method, "R") || program.KeyOf(info, op.Sel) != key {
					continue
				}
				taken = true
				before := (*ast.CallExpr)(nil)
				if i > 0 {
					before = callIn(block.List[i-1])
				}
				lets = lets && before != nil && syntax.Builtin(info, before) == "close" && ends[program.ExprKey(info, before.Args[0])]
			}
			return lets
		})
	}
	return taken && lets
}

// callIn is the call that a statement is; nil: it is something else.
func callIn(stmt ast.Stmt) *ast.CallExpr {
	if e, ok := stmt.(*ast.ExprStmt); ok {
		call, _ := ast.Unparen(e.X).(*ast.CallExpr)
		return call
	}
	return nil
}

package halves

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// lateTimers finds timers that a patch stops, although what they do is not told from what a later one does: a timer that
// has fired already, and waits for the lock, is not stopped any more, and does it to what has come in place of its own.
//
//	e.timer.Stop()                          func (s *Store) expire(id string) {
//	e.timer = time.AfterFunc(ttl, func() {      s.mu.Lock()
//		s.expire(id)                            defer s.mu.Unlock()
//	})                                          delete(s.entries, id)
//	                                        }
func lateTimers(c *pair.Change) (found []pair.Finding) {
	stopped := map[string]bool{} // the types in whose methods the patch stops more timers
	for _, fn := range c.After.Funcs {
		n := stopsIn(fn)
		if was := c.Before.Named[fn.FullName]; was != nil {
			n -= stopsIn(was)
		}
		stopped[pair.ReceiverOf(fn)] = stopped[pair.ReceiverOf(fn)] || c.Changed(fn) && n > 0
	}
	for _, fn := range c.After.Funcs {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			if f := syntax.Callee(fn.Info(), call.Fun); f == nil || f.FullName() != "time.AfterFunc" {
				return true
			}
			if to := runsLate(c.After, fn, call.Args[1]); to != nil && stopped[pair.ReceiverOf(to)] && pair.LockCalls(to) > 0 && !asksWhich(to) {
				found = append(found, c.At(to, to.Name.Pos(), "a timer that is stopped may have fired, and %s does not ask then whether it is still the one that counts", to.Name.Name))
			}
			return true
		})
	}
	return found
}

// stopsIn counts the timers that a function stops.
func stopsIn(fn *pair.Function) (n int) {
	ast.Inspect(fn.Body, func(x ast.Node) bool {
		if call, ok := x.(*ast.CallExpr); ok {
			if f := syntax.Callee(fn.Info(), call.Fun); f != nil && f.FullName() == "(*time.Timer).Stop" {
				n++
			}
		}
		return true
	})
	return n
}

// runsLate is the method to which a timer's function hands a variable, if it does nothing else; nil: it does.
func runsLate(v *pair.Version, fn *pair.Function, e ast.Expr) *pair.Function {
	lit, ok := ast.Unparen(e).(*ast.FuncLit)
	if !ok || len(lit.Body.List) != 1 {
		return nil
	}
	s, ok := lit.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := s.X.(*ast.CallExpr)
	if !ok || !slices.ContainsFunc(call.Args, func(e ast.Expr) bool {
		v := syntax.Variable(fn.Info(), e)
		return v != nil && !v.IsField() && !syntax.PackageLevel(v)
	}) {
		return nil
	}
	f := syntax.Callee(fn.Info(), call.Fun)
	if f == nil {
		return nil
	}
	return v.Named[f.Origin().FullName()]
}

// asksWhich reports whether a function compares what it is given, or something of that, with something else that is no
// constant, or asks what time it is.
func asksWhich(fn *pair.Function) bool {
	info := fn.Info()
	given := func(e ast.Expr) bool {
		id := syntax.Root(e)
		if id == nil {
			return false
		}
		v, ok := info.ObjectOf(id).(*types.Var)
		return ok && v.Kind() == types.ParamVar
	}
	fixed := func(e ast.Expr) bool { return info.Types[e].Value != nil || info.Types[e].IsNil() }
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			return (n.Op == token.EQL || n.Op == token.NEQ) && (given(n.X) || given(n.Y)) && !fixed(n.X) && !fixed(n.Y)
		case *ast.CallExpr:
			f := syntax.Callee(info, n.Fun)
			return f != nil && f.Pkg() != nil && f.Pkg().Path() == "time" && slices.Contains([]string{"Before", "After", "Compare", "Since", "Until"}, f.Name())
		}
		return false
	})
}

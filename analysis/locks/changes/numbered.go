package changes

import (
	"go/ast"
	"go/types"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/waits"
	"mendel/analysis/syntax"
)

// What is numbered under a lock, and handed over to others in the same section, comes to them in the order of the numbers:
//
//	d.version++
//	d.log.record(Change{Version: d.version})
//
// Behind the section a later number may come first.

// A handing is a call that hands over what its function has numbered.
type handing struct{ fn, callee string }

// numbered finds calls that hand over, without the lock, what the original numbers and hands over in one section.
func (c *comparison) numbered() {
	was := make(map[handing]string) // by the key of the lock
	eachNumbered(c.before, func(fn *program.Func, h handing, call *ast.CallExpr) {
		for _, f := range c.before.Flows(fn) {
			if held, _ := f.At(c.before.NodeOf(fn, call)); held.Always && numbersUnder(c.before, fn, f) {
				was[h] = f.Lock.Key
			}
		}
	})
	if len(was) == 0 {
		return
	}
	eachNumbered(c.after, func(fn *program.Func, h handing, call *ast.CallExpr) {
		lock, before := was[h]
		if !before {
			return
		}
		for _, f := range c.after.Flows(fn) {
			if _, some := f.At(c.after.NodeOf(fn, call)); some {
				return // this lock, or another one in its place
			}
		}
		c.reportAt(ToldLate, fn, call, "", "calls %s without %s, under which what it hands over is numbered: a later number can come before an earlier one", types.ExprString(call.Fun), shortKey(lock))
	})
}

// eachNumbered yields the calls of functions of the program, which come to a wait or a send, with what is made of a
// number that their function counts.
func eachNumbered(m *locks.View, yield func(*program.Func, handing, *ast.CallExpr)) {
	for _, fn := range m.Shipped() {
		numbers := countsUp(fn)
		if len(numbers) == 0 {
			continue
		}
		made := madeOf(fn, numbers)
		syntax.Now(fn.Body, func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			f := syntax.Callee(fn.Info(), call.Fun)
			if f == nil || m.Named(f.FullName()) == nil || !handsOver(m, m.Named(f.FullName()), maxCalls) {
				return
			}
			for _, arg := range call.Args {
				if syntax.Any(arg, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.Ident:
						return made[fn.Info().Uses[n]]
					case *ast.SelectorExpr:
						return numbers[syntax.Field(fn.Info(), n)]
					}
					return false
				}) {
					yield(fn, handing{rootOf(fn), f.FullName()}, call)
					return
				}
			}
		})
	}
}

// countsUp are the fields that a function counts up.
func countsUp(fn *program.Func) map[*types.Var]bool {
	found := make(map[*types.Var]bool)
	syntax.Now(fn.Body, func(n ast.Node) {
		if s, ok := n.(*ast.IncDecStmt); ok {
			if v := syntax.Field(fn.Info(), s.X); v != nil {
				found[v] = true
			}
		}
	})
	return found
}

// madeOf are the local variables that a function makes of some fields.
func madeOf(fn *program.Func, fields map[*types.Var]bool) map[types.Object]bool {
	made := make(map[types.Object]bool)
	syntax.Now(fn.Body, func(n ast.Node) {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != len(s.Rhs) {
			return
		}
		for i, l := range s.Lhs {
			id, ok := l.(*ast.Ident)
			if ok && fn.Info().Defs[id] != nil && syntax.Any(s.Rhs[i], func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				return ok && fields[syntax.Field(fn.Info(), sel)]
			}) {
				made[fn.Info().Defs[id]] = true
			}
		}
	})
	return made
}

// numbersUnder reports whether a function counts up under a lock.
func numbersUnder(m *locks.View, fn *program.Func, f *locks.Flow) (found bool) {
	syntax.Now(fn.Body, func(n ast.Node) {
		if s, ok := n.(*ast.IncDecStmt); ok && syntax.Field(fn.Info(), s.X) != nil {
			held, _ := f.At(m.NodeOf(fn, s))
			found = found || held.Always
		}
	})
	return found
}

// maxCalls is how deep calls are followed.
const maxCalls = 3

// handsOver reports whether a function comes to a send, or to code of others.
func handsOver(m *locks.View, fn *program.Func, depth int) bool {
	for _, p := range waits.PausesIn(m, fn) {
		if tells(p) {
			return true
		}
	}
	if depth == 0 {
		return false
	}
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		f := syntax.Callee(fn.Info(), call.Fun)
		return f != nil && m.Named(f.FullName()) != nil && handsOver(m, m.Named(f.FullName()), depth-1)
	})
}

package locks

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
)

// A sending is a send that waits for its receiver, alone or in a select, in a function that
// can see a context.
type sending struct {
	in   *Func
	at   ast.Node
	on   string // key of the channel
	ends bool   // it ends with the context, too
}

// waitsOn finds sends that wait on when the context ends, where the change has another send of
// the package end with it.
func (c *comparison) waitsOn() {
	was, now := c.before.sendings(), c.after.sendings()
	count := func(list []sending, pkg string) (on int) {
		for _, s := range list {
			if s.in.File.Package.Path == pkg && !s.ends {
				on++
			}
		}
		return on
	}
	for _, s := range now {
		pkg := s.in.File.Package.Path
		onBefore, on := count(was, pkg), count(now, pkg)
		if !s.ends && on < onBefore {
			c.reportAt(WaitsOn, s.in, s.at, "", "sends to %s when the context has ended, as the change mends it elsewhere", shortKey(s.on))
		}
	}
}

// sendings lists them, tests left out, and sends to channels that are made with room.
func (m *Model) sendings() []sending {
	m.mu.Lock()
	defer m.mu.Unlock()
	roomy := m.roomy()
	var list []sending
	for _, fn := range m.shipped() {
		add := func(at ast.Node, ch ast.Expr, ends bool) {
			if key := exprKey(fn.info(), ch); !roomy[key] && seesContext(fn, at.Pos()) {
				list = append(list, sending{fn, at, key, ends})
			}
		}
		inSelect := make(map[ast.Node]bool)
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.SelectStmt:
				ends := syntax.HasDefault(n)
				for _, cc := range n.Body.List {
					comm := cc.(*ast.CommClause).Comm
					inSelect[comm] = true
					ends = ends || receivesEnd(fn, comm)
				}
				for _, cc := range n.Body.List {
					if send, ok := cc.(*ast.CommClause).Comm.(*ast.SendStmt); ok {
						add(send, send.Chan, ends)
					}
				}
			case *ast.SendStmt:
				if !inSelect[n] {
					add(n, n.Chan, false)
				}
			}
			return true
		})
	}
	return list
}

// receivesEnd reports whether the operation of a case waits for the end of a context.
func receivesEnd(fn *Func, comm ast.Stmt) bool {
	return comm != nil && syntax.Any(comm, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Done" && isContext(fn.info().TypeOf(sel.X))
	})
}

func isContext(t types.Type) bool { return t != nil && types.TypeString(t, nil) == "context.Context" }

// seesContext reports whether a context is in scope at a place of a function, as a parameter
// or variable of it or of the functions around it.
func seesContext(fn *Func, at token.Pos) bool {
	scope := fn.File.Package.Types.Scope().Innermost(at)
	for ; scope != nil && scope != fn.File.Package.Types.Scope(); scope = scope.Parent() {
		for _, name := range scope.Names() {
			if v, ok := scope.Lookup(name).(*types.Var); ok && v.Pos() < at && isContext(v.Type()) {
				return true
			}
		}
	}
	return false
}

// roomy are the keys of the channels that are made with room. m.mu is held.
func (m *Model) roomy() map[string]bool {
	found := make(map[string]bool)
	for _, fn := range m.shipped() {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, rhs := range n.Rhs {
					if call, ok := ast.Unparen(rhs).(*ast.CallExpr); ok && syntax.Builtin(fn.info(), call) == "make" && len(call.Args) == 2 && len(n.Lhs) == len(n.Rhs) {
						found[exprKey(fn.info(), n.Lhs[i])] = true
					}
				}
			case *ast.KeyValueExpr:
				if call, ok := ast.Unparen(n.Value).(*ast.CallExpr); ok && syntax.Builtin(fn.info(), call) == "make" && len(call.Args) == 2 {
					found[exprKey(fn.info(), n.Key)] = true
				}
			}
			return true
		})
	}
	return found
}

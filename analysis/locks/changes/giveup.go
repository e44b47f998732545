package changes

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A sending is a send that waits for its receiver, alone or in a select, where a context is in
// scope. A call that is given a context and the channel stands for one that ends.
type sending struct {
	in   *program.Func
	at   ast.Node
	on   string // the channel, as it is written
	ends bool   // it ends with the context, too
}

// waitsOn finds sends that wait on when the context ends, where the change has another send of
// the package end with it.
func (c *comparison) waitsOn() {
	was, now := sendings(c.before), sendings(c.after)
	count := func(list []sending, pkg string) (on, ends int) {
		for _, s := range list {
			switch {
			case s.in.File.Package.Path != pkg:
			case s.ends:
				ends++
			default:
				on++
			}
		}
		return on, ends
	}
	for _, s := range now {
		pkg := s.in.File.Package.Path
		onBefore, endsBefore := count(was, pkg)
		on, ends := count(now, pkg)
		if !s.ends && on < onBefore && ends > endsBefore {
			c.reportAt(WaitsOn, s.in, s.at, "", "sends to %s when the context has ended, as the change mends it elsewhere", s.on)
		}
	}
}

// sendings lists them, tests left out, and sends to channels that are made with room.
func sendings(m *locks.View) []sending {
	roomy := roomy(m)
	var list []sending
	for _, fn := range m.Shipped() {
		add := func(at ast.Node, ch ast.Expr, ends bool) {
			if !roomy[channel(fn, ch)] && seesContext(fn, at.Pos()) {
				list = append(list, sending{fn, at, types.ExprString(ch), ends})
			}
		}
		inSelect := make(map[ast.Node]bool)
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				if ch := handsOn(fn, n); ch != nil {
					add(n, ch, true)
				}
			case *ast.SelectStmt:
				ends := syntax.HasDefault(n)
				for _, cc := range n.Body.List {
					comm := cc.(*ast.CommClause).Comm
					inSelect[comm] = true
					ends = ends || receivesEnd(fn, comm) || receivesReturn(fn, comm)
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

// handsOn is the channel that a call is given together with a context; nil: it is not.
func handsOn(fn *program.Func, call *ast.CallExpr) (ch ast.Expr) {
	ends := false
	for _, arg := range call.Args {
		t := fn.Info().TypeOf(arg)
		if t == nil {
			continue
		}
		if _, ok := t.Underlying().(*types.Chan); ok {
			ch = arg
		}
		ends = ends || syntax.IsContext(t)
	}
	if !ends {
		return nil
	}
	return ch
}

// receivesEnd reports whether the operation of a case waits for the end of a context.
func receivesEnd(fn *program.Func, comm ast.Stmt) bool {
	return comm != nil && syntax.Any(comm, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Done" && syntax.IsContext(fn.Info().TypeOf(sel.X))
	})
}

// seesContext reports whether a context is in scope at a place of a function, as a parameter
// or variable of it or of the functions around it.
func seesContext(fn *program.Func, at token.Pos) bool {
	scope := fn.File.Package.Types.Scope().Innermost(at)
	for ; scope != nil && scope != fn.File.Package.Types.Scope(); scope = scope.Parent() {
		for _, name := range scope.Names() {
			if v, ok := scope.Lookup(name).(*types.Var); ok && v.Pos() < at && syntax.IsContext(v.Type()) {
				return true
			}
		}
	}
	return false
}

// roomy are the channels that are made with room, and those over which a loop goes to their end.
func roomy(m *locks.View) map[any]bool {
	found := make(map[any]bool)
	for _, fn := range m.Shipped() {
		note := func(of, value ast.Expr) {
			call, ok := ast.Unparen(value).(*ast.CallExpr)
			if ok && syntax.Builtin(fn.Info(), call) == "make" && len(call.Args) == 2 {
				found[channel(fn, of)] = true
			}
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i := range n.Rhs {
					if len(n.Lhs) == len(n.Rhs) {
						note(n.Lhs[i], n.Rhs[i])
					}
				}
			case *ast.KeyValueExpr:
				note(n.Key, n.Value)
			case *ast.RangeStmt:
				if t := fn.Info().TypeOf(n.X); t != nil && !left(n) {
					if _, ok := t.Underlying().(*types.Chan); ok && syntax.Variable(fn.Info(), n.X) != nil {
						found[channel(fn, n.X)] = true
					}
				}
			}
			return true
		})
	}
	return found
}

// left reports whether a loop may end before what it goes through does.
func left(loop *ast.RangeStmt) bool {
	return syntax.Any(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			return n.Tok != token.CONTINUE
		}
		return false
	})
}

// channel tells the channels of a program apart: what has a name is its variable, for all
// values of a type the field.
func channel(fn *program.Func, e ast.Expr) any {
	if v := syntax.Variable(fn.Info(), e); v != nil {
		return v.Origin()
	}
	return program.ExprKey(fn.Info(), e)
}

// receivesReturn reports whether the operation of a case waits for a channel that the declared function
// around it closes when it returns: nobody receives what is sent for it any more.
func receivesReturn(fn *program.Func, comm ast.Stmt) bool {
	if comm == nil || fn.Decl == nil {
		return false
	}
	closed := make(map[types.Object]bool)
	ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
		d, ok := n.(*ast.DeferStmt)
		if ok && syntax.Builtin(fn.Info(), d.Call) == "close" {
			if id, ok := ast.Unparen(d.Call.Args[0]).(*ast.Ident); ok {
				closed[fn.Info().ObjectOf(id)] = true
			}
		}
		_, lit := n.(*ast.FuncLit)
		return !lit
	})
	return syntax.Any(comm, func(n ast.Node) bool {
		e, ok := n.(*ast.UnaryExpr)
		if !ok || e.Op != token.ARROW {
			return false
		}
		id, ok := ast.Unparen(e.X).(*ast.Ident)
		return ok && closed[fn.Info().ObjectOf(id)]
	})
}

package channels

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/validate/halves/pair"
)

// Rooms finds channels that a patch gives room, to which goroutines still send more often than there is room, whatever
// happens: who has received what it wanted leaves the rest of them behind.
//
//	found := make(chan T)                   found := make(chan T, 1)
//	for _, p := range places {              for _, p := range places {
//		go func() { found <- p.ask() }() →  	go func() { found <- p.ask() }()
//	}                                       }
//	return <-found                          return <-found
func Rooms(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) {
			continue
		}
		had := map[string]string{}
		for _, m := range madeIn(was) {
			had[m.of.Name()] = m.size()
		}
		for _, m := range madeIn(fn) {
			size, made := had[m.of.Name()]
			if made && size == m.size() || m.room == nil || !made && m.receivedAgain(fn) {
				continue
			}
			if outgrown(c.After, fn, m) {
				f := c.At(fn, m.call.Pos(), "%s has room for %s, and is sent to more often, whatever happens: the next send waits as before", m.of.Name(), types.ExprString(m.room))
				f.Flag = mutate.Postpones
				found = append(found, f)
			}
		}
	}
	return found
}

// FieldRooms finds channels of structs that a patch gives room, where they had none, and to which is still sent again and
// again, whatever happens.
func FieldRooms(c *pair.Change) (found []pair.Finding) {
	had := fieldsMade(c.Before)
	for of, m := range fieldsMade(c.After) {
		was, known := had[of]
		if !known || was.room != nil || m.room == nil || m.in.Info().Types[m.room].Value == nil || isSignal(m.in.Info().TypeOf(m.call)) {
			continue
		}
		for _, fn := range c.After.Funcs {
			syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
				send, ok := n.(*ast.SendStmt)
				if !ok || pair.IsComm(path[len(path)-1]) || !loopsIn(path) || leavesBehind(path, send) {
					return
				}
				if to, ok := pair.FieldOf(fn.Info(), send.Chan); ok && to == of {
					f := c.At(fn, send.Pos(), "%s has room for %s, and is sent to again and again, whatever happens: the next send waits as before", types.ExprString(send.Chan), types.ExprString(m.room))
					f.Flag = mutate.Postpones
					found = append(found, f)
				}
			})
		}
	}
	return found
}

// isSignal reports whether a channel only tells that something is so.
func isSignal(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	s, ok := ch.Elem().Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// A fieldMade is a channel that is made for a field.
type fieldMade struct {
	made
	in *pair.Function
}

func fieldsMade(v *pair.Version) map[pair.Field]fieldMade {
	all := map[pair.Field]fieldMade{}
	for _, fn := range v.Funcs {
		info := fn.Info()
		note := func(of pair.Field, value ast.Expr) {
			call, ok := ast.Unparen(value).(*ast.CallExpr)
			if !ok || syntax.Builtin(info, call) != "make" || !pair.IsChannel(info.TypeOf(call)) {
				return
			}
			m := fieldMade{made{call: call}, fn}
			if len(call.Args) > 1 {
				m.room = call.Args[1]
			}
			all[of] = m
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				owner := info.TypeOf(n)
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok && owner != nil {
						if id, ok := kv.Key.(*ast.Ident); ok {
							note(pair.Field{Owner: types.TypeString(owner, nil), Name: id.Name}, kv.Value)
						}
					}
				}
			case *ast.AssignStmt:
				for i, e := range n.Lhs {
					if of, ok := pair.FieldOf(info, e); ok && len(n.Lhs) == len(n.Rhs) {
						note(of, n.Rhs[i])
					}
				}
			}
			return true
		})
	}
	return all
}

// A made channel is one that a function makes for a variable of its own.
type made struct {
	of   *types.Var
	call *ast.CallExpr
	room ast.Expr // nil: it has none
}

func (m made) size() string {
	if m.room == nil {
		return ""
	}
	return types.ExprString(m.room)
}

func madeIn(fn *pair.Function) (all []made) {
	info := fn.Info()
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, e := range a.Rhs {
			call, ok := ast.Unparen(e).(*ast.CallExpr)
			id, named := a.Lhs[i].(*ast.Ident)
			if !ok || !named || syntax.Builtin(info, call) != "make" || !pair.IsChannel(info.TypeOf(call)) {
				continue
			}
			if v, ok := info.ObjectOf(id).(*types.Var); ok {
				m := made{of: v, call: call}
				if len(call.Args) > 1 {
					m.room = call.Args[1]
				}
				all = append(all, m)
			}
		}
		return true
	})
	return all
}

// receivedAgain reports whether a function receives from a channel in a loop: what is sent comes out.
func (m made) receivedAgain(fn *pair.Function) (again bool) {
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		switch n := n.(type) {
		case *ast.RangeStmt:
			again = again || syntax.Variable(fn.Info(), n.X) == m.of
		case *ast.UnaryExpr:
			again = again || n.Op == token.ARROW && syntax.Variable(fn.Info(), n.X) == m.of && loopsIn(path)
		case *ast.Ident: // handed on, perhaps to who receives
			_, sends := path[len(path)-1].(*ast.SendStmt)
			call, called := path[len(path)-1].(*ast.CallExpr)
			again = again || fn.Info().Uses[n] == m.of && !sends && !pair.Receives(path[len(path)-1]) && !(called && syntax.Builtin(fn.Info(), call) != "")
		}
	})
	return again
}

// outgrown reports whether goroutines of a function send more often to a channel than it has room, and outside of any
// select. Room that is counted, as len does, is enough.
func outgrown(v *pair.Version, fn *pair.Function, m made) bool {
	info := fn.Info()
	size, fixed := -1, info.Types[m.room].Value
	if fixed != nil {
		n, _ := constant.Int64Val(constant.ToInt(fixed))
		size = int(n)
	}
	if call, ok := ast.Unparen(m.room).(*ast.CallExpr); ok && fixed == nil && syntax.Builtin(info, call) != "" {
		return false
	}
	sends, many := 0, false
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		if start, ok := n.(*ast.GoStmt); ok {
			if once, again := sendsOn(v, fn, start.Call, m.of); once {
				sends++
				many = many || again || fixed != nil && loopsIn(path)
			}
			return
		}
		send, ok := n.(*ast.SendStmt)
		if !ok || syntax.Variable(info, send.Chan) != m.of || len(path) == 0 || pair.IsComm(path[len(path)-1]) {
			return
		}
		started := startOf(v, fn, path)
		if started < 0 {
			return
		}
		sends++
		again := loopsIn(path[started:])
		if fixed != nil {
			again = again || loopsIn(path[:started])
		}
		many = many || again && !leavesBehind(path, send)
	})
	return many || fixed != nil && sends > size
}

// sendsOn reports whether a function that is called sends, whatever happens, to a channel that it is given, and whether it
// does so again and again.
func sendsOn(v *pair.Version, fn *pair.Function, call *ast.CallExpr, of *types.Var) (once, again bool) {
	f := syntax.Callee(fn.Info(), call.Fun)
	if f == nil {
		return false, false
	}
	to := v.Named[f.Origin().FullName()]
	for i, arg := range call.Args {
		if to == nil || syntax.Variable(fn.Info(), arg) != of {
			continue
		}
		given := parameter(to, i)
		syntax.Walk(to.Body, func(n ast.Node, path []ast.Node) {
			send, ok := n.(*ast.SendStmt)
			if ok && given != nil && syntax.Variable(to.Info(), send.Chan) == given && !pair.IsComm(path[len(path)-1]) {
				once, again = true, again || loopsIn(path) && !leavesBehind(path, send)
			}
		})
	}
	return once, again
}

// parameter is one of a function's, by its place; nil: it has no name.
func parameter(fn *pair.Function, i int) *types.Var {
	for _, list := range fn.Type.Params.List {
		for _, name := range list.Names {
			if i == 0 {
				v, _ := fn.Info().Defs[name].(*types.Var)
				return v
			}
			i--
		}
	}
	return nil
}

// startOf is where a path goes into a literal that runs as a goroutine, or is given to a function that starts some; -1:
// it does not.
func startOf(v *pair.Version, fn *pair.Function, path []ast.Node) int {
	for i := len(path) - 1; i > 1; i-- {
		if _, lit := path[i].(*ast.FuncLit); !lit {
			continue
		}
		if _, ok := path[i-2].(*ast.GoStmt); ok {
			return i
		}
		call, ok := path[i-1].(*ast.CallExpr)
		if !ok {
			continue
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Go" {
			return i
		}
		f := syntax.Callee(fn.Info(), call.Fun)
		if f == nil {
			continue
		}
		if to := v.Named[f.Origin().FullName()]; to != nil && syntax.Any(to.Body, func(n ast.Node) bool { _, ok := n.(*ast.GoStmt); return ok }) {
			return i
		}
	}
	return -1
}

func loopsIn(path []ast.Node) bool {
	for _, n := range path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		}
	}
	return false
}

// leavesBehind reports whether the statement list of a send goes on by leaving: the loop around it sends once.
func leavesBehind(path []ast.Node, send *ast.SendStmt) bool {
	block, ok := path[len(path)-1].(*ast.BlockStmt)
	if !ok {
		return false
	}
	for i, s := range block.List {
		if s != ast.Stmt(send) || i+1 >= len(block.List) {
			continue
		}
		switch next := block.List[i+1].(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			return next.Tok == token.BREAK
		}
	}
	return false
}

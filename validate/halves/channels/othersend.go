package channels

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// OthersEnd finds sends that the patch gives up when the context ends that the function was given: who receives
// leaves for other reasons, too, and then they wait until the caller's context ends, which may be never.
//
//	func first(ctx context.Context, urls []string) (string, error) {
//		found := make(chan string)
//		for _, u := range urls {
//			go func() {
//				select {
//				case found <- fetch(ctx, u):
//				case <-ctx.Done(): // the caller's
//				}
//			}()
//		}
//		return <-found, nil // and the others?
//	}
func OthersEnd(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) {
			continue
		}
		had := len(callersEnds(was))
		if sends := callersEnds(fn); len(sends) > had {
			for _, s := range sends {
				found = append(found, c.At(fn, s.Pos(), "the send to %s is given up when the caller's context ends, and who receives may have left for another reason", types.ExprString(s.Chan)))
			}
		}
	}
	return found
}

// callersEnds are the sends of goroutines of a function, to a channel without room that it makes, which have no way out
// but that a context ends that the function was given, where the function leaves early for other reasons.
func callersEnds(fn *pair.Function) (all []*ast.SendStmt) {
	info := fn.Info()
	given := map[types.Object]bool{}
	for _, p := range fn.Type.Params.List {
		for _, name := range p.Names {
			if syntax.IsContext(info.TypeOf(p.Type)) {
				given[info.Defs[name]] = true
			}
		}
	}
	made := map[types.Object]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for i, l := range a.Lhs {
				id, ok := l.(*ast.Ident)
				if ok && given[info.Uses[id]] { // ctx, cancel = context.WithCancel(ctx)
					given[info.Uses[id]] = false
				}
				if !ok || a.Tok != token.DEFINE || len(a.Lhs) != len(a.Rhs) {
					continue
				}
				call, ok := ast.Unparen(a.Rhs[i]).(*ast.CallExpr)
				if ok && syntax.Builtin(info, call) == "make" && len(call.Args) == 1 && pair.IsChannel(info.TypeOf(call)) {
					made[info.Defs[id]] = true
				}
			}
		}
		return true
	})
	early := leftEarlyBy(fn, given)
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		s, ok := n.(*ast.SelectStmt)
		if !ok || !within(path) {
			return
		}
		var send *ast.SendStmt
		for _, clause := range s.Body.List {
			switch comm := clause.(*ast.CommClause).Comm.(type) {
			case *ast.SendStmt:
				send = comm
			default:
				if !isDone(info, receivedIn(comm)) || !given[doneOf(info, receivedIn(comm))] {
					return // another way out
				}
			}
		}
		if send == nil || len(s.Body.List) < 2 {
			return
		}
		id, ok := ast.Unparen(send.Chan).(*ast.Ident)
		if ok && made[info.Uses[id]] && early[info.Uses[id]] {
			all = append(all, send)
		}
	})
	return all
}

// doneOf is the context of which an expression is the Done.
func doneOf(info *types.Info, e ast.Expr) types.Object {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return nil
	}
	return info.Uses[id]
}

// leftEarlyBy are the channels from which a function may not receive all although no context of some has ended: it
// returns from the loop that receives, or from a select beside it, in another case than that of such a context; or it
// receives once, outside of any loop, what goroutines send that it starts in one.
func leftEarlyBy(fn *pair.Function, given map[types.Object]bool) map[types.Object]bool {
	info := fn.Info()
	early, startedInLoop := map[types.Object]bool{}, map[types.Object]bool{}
	once := map[types.Object]int{}
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		switch n := n.(type) {
		case *ast.SendStmt:
			if id, ok := ast.Unparen(n.Chan).(*ast.Ident); ok && within(path) && goInLoop(path) {
				startedInLoop[info.Uses[id]] = true
			}
		case *ast.RangeStmt:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && !within(path) && returnsIn(info, n.Body.List, given) {
				early[info.Uses[id]] = true
			}
		case *ast.UnaryExpr:
			id, ok := ast.Unparen(n.X).(*ast.Ident)
			if !ok || n.Op != token.ARROW || within(path) {
				return
			}
			v := info.Uses[id]
			loop := false
			for _, around := range path {
				switch around := around.(type) {
				case *ast.ForStmt:
					loop = true
					early[v] = early[v] || returnsIn(info, around.Body.List, given)
				case *ast.RangeStmt:
					loop = true
					early[v] = early[v] || returnsIn(info, around.Body.List, given)
				case *ast.SelectStmt:
					for _, clause := range around.Body.List {
						clause := clause.(*ast.CommClause)
						if !syntax.Within(ast.Node(n), ast.Node(clause)) && !(clause.Comm != nil && given[doneOf(info, receivedIn(clause.Comm))]) && returnsIn(info, clause.Body, given) {
							early[v] = true
						}
					}
				}
			}
			if !loop {
				once[v]++
			}
		}
	})
	for v := range startedInLoop {
		early[v] = early[v] || once[v] == 1
	}
	return early
}

// goInLoop reports whether the goroutine in which a path ends is started in a loop.
func goInLoop(path []ast.Node) bool {
	loop := false
	for _, n := range path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loop = true
		case *ast.FuncLit:
			return loop
		}
	}
	return false
}

// returnsIn reports whether a list of statements returns in another case than one in which a context of some has
// ended, or in which a receive has said that the channel is closed.
func returnsIn(info *types.Info, list []ast.Stmt, given map[types.Object]bool) (found bool) {
	more := map[types.Object]bool{}
	for _, s := range list {
		syntax.Walk(s, func(n ast.Node, path []ast.Node) {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if v, _ := asksForMore(info, n); v != nil {
					more[v] = true
				}
			case *ast.ReturnStmt:
				found = found || !within(path) && !slices.ContainsFunc(path, func(around ast.Node) bool {
					switch around := around.(type) {
					case *ast.CommClause:
						return around.Comm != nil && given[doneOf(info, receivedIn(around.Comm))]
					case *ast.IfStmt:
						not, ok := ast.Unparen(around.Cond).(*ast.UnaryExpr)
						id, named := (*ast.Ident)(nil), false
						if ok && not.Op == token.NOT {
							id, named = ast.Unparen(not.X).(*ast.Ident)
						}
						return asksErr(info, around.Cond) > 0 || named && more[info.Uses[id]]
					}
					return false
				})
			}
		})
	}
	return found
}

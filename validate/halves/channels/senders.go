package channels

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// Senders finds channels whose goroutines wait for ever when the function that receives leaves early,
// where the patch mends that for another channel: one that a function makes for goroutines of its own, or
// one that it gets from a function which starts them.
func Senders(c *pair.Change) (found []pair.Finding) {
	for _, kind := range []struct {
		places func(v *pair.Version, fn *pair.Function) []ast.Expr
		what   string
	}{
		{func(_ *pair.Version, fn *pair.Function) []ast.Expr { return abandoned(fn) }, "goroutines that send wait for ever when the function returns before it has received from all"},
		{deserted, "goroutines that send wait for ever when the loop is left before they have sent all"},
	} {
		mended := false
		for _, fn := range c.After.Funcs {
			was := c.Before.Named[fn.FullName]
			mended = mended || was != nil && len(kind.places(c.After, fn)) < len(kind.places(c.Before, was))
		}
		if !mended {
			continue
		}
		for _, fn := range c.After.Funcs {
			for _, place := range kind.places(c.After, fn) {
				found = append(found, c.At(fn, place.Pos(), "%s, as the change mends it elsewhere", kind.what))
			}
		}
	}
	return found
}

// Abandoned are the places where a program's functions make channels for goroutines of their own, which
// are left sending when the function returns before it has received from all.
func Abandoned(p *analysis.Program) (all []token.Position) {
	v := pair.Read(p.Fset, p.Packages)
	for _, fn := range v.Funcs {
		for _, place := range abandoned(fn) {
			all = append(all, p.Fset.PositionFor(place.Pos(), false))
		}
	}
	return all
}

// deserted are the calls over whose channel a function has a loop that it leaves early, and of which it
// does not receive the rest, where goroutines of the function called send whatever happens.
func deserted(v *pair.Version, fn *pair.Function) (all []ast.Expr) {
	info := fn.Info()
	made := map[types.Object]*ast.CallExpr{}
	over := map[*ast.CallExpr][]*ast.RangeStmt{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
			if id, named := n.Lhs[0].(*ast.Ident); ok && named && len(n.Lhs) == 1 && info.Defs[id] != nil {
				made[info.Defs[id]] = call
			}
		case *ast.RangeStmt:
			switch x := ast.Unparen(n.X).(type) {
			case *ast.CallExpr:
				over[x] = append(over[x], n)
			case *ast.Ident:
				if call := made[info.Uses[x]]; call != nil {
					over[call] = append(over[call], n)
				}
			}
		}
		return true
	})
	for call, loops := range over {
		f := syntax.Callee(info, call.Fun)
		if f == nil || len(loops) != 1 || !leftEarly(loops[0].Body) {
			continue
		}
		if to := v.Named[f.FullName()]; to != nil && insists(to) {
			all = append(all, call)
		}
	}
	slices.SortFunc(all, func(a, b ast.Expr) int { return int(a.Pos() - b.Pos()) })
	return all
}

// leftEarly says whether a loop's body returns, or breaks out of the loop.
func leftEarly(b *ast.BlockStmt) bool {
	if pair.HasReturn(b) {
		return true
	}
	within := map[string]bool{} // labels of what is in the body
	ast.Inspect(b, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok {
			within[l.Label.Name] = true
		}
		return true
	})
	found := false
	syntax.Walk(b, func(n ast.Node, path []ast.Node) {
		br, ok := n.(*ast.BranchStmt)
		if !ok || br.Tok != token.BREAK {
			return
		}
		if br.Label != nil {
			found = found || !within[br.Label.Name]
			return
		}
		found = found || !slices.ContainsFunc(path, func(outer ast.Node) bool {
			switch outer.(type) {
			case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				return true
			}
			return false
		})
	})
	return found
}

// insists says whether goroutines of a function send, whatever happens, to a channel without room that it makes
// and returns.
func insists(fn *pair.Function) bool {
	info := fn.Info()
	given := map[types.Object]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return true
		}
		id, named := a.Lhs[0].(*ast.Ident)
		call, made := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
		if named && made && syntax.Builtin(info, call) == "make" && len(call.Args) == 1 && info.Defs[id] != nil && pair.IsChannel(info.Defs[id].Type()) {
			given[info.Defs[id]] = false
		}
		return true
	})
	sends := map[types.Object]bool{}
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		obj := types.Object(nil)
		if ok {
			obj = info.Uses[id]
		}
		if _, local := given[obj]; !ok || !local || len(path) == 0 {
			return
		}
		switch use := path[len(path)-1].(type) {
		case *ast.SendStmt:
			sends[obj] = sends[obj] || use.Chan == ast.Expr(id) && within(path) && !inSelect(path)
		case *ast.ReturnStmt:
			given[obj] = given[obj] || !within(path)
		}
	})
	for obj, returned := range given {
		if returned && sends[obj] {
			return true
		}
	}
	return false
}

// abandoned are the places at which a function makes a channel without room of its own, to which
// goroutines that it starts send whatever happens, and from which it may not receive all, since it
// returns from the loop in which it receives or waits for something else, too. A channel that
// is used in another way is none.
func abandoned(fn *pair.Function) (all []ast.Expr) {
	ast.Inspect(fn.Body, func(x ast.Node) bool {
		a, ok := x.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return true
		}
		call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
		id, named := a.Lhs[0].(*ast.Ident)
		if !ok || !named || syntax.Builtin(fn.Info(), call) != "make" || len(call.Args) != 1 {
			return true
		}
		v, ok := fn.Info().Defs[id].(*types.Var)
		if ok && pair.IsChannel(v.Type()) && leaves(fn, v) {
			all = append(all, call)
		}
		return true
	})
	return all
}

// leaves says whether goroutines of a function may be left sending to a channel of it.
func leaves(fn *pair.Function, v *types.Var) bool {
	sends, early, other := false, false, false
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || fn.Info().Uses[id] != v || len(path) == 0 {
			return
		}
		inside := within(path)
		switch use := path[len(path)-1].(type) {
		case *ast.SendStmt:
			sends = sends || inside && use.Chan == ast.Expr(id) && !inSelect(path)
			other = other || use.Chan != ast.Expr(id)
		case *ast.UnaryExpr:
			early = early || !inside && use.Op == token.ARROW && leavesLoop(path)
		case *ast.RangeStmt:
			early = early || !inside && pair.HasReturn(use.Body)
		case *ast.CallExpr:
			other = other || syntax.Builtin(fn.Info(), use) == ""
		default:
			other = true
		}
	})
	return sends && early && !other
}

// within says whether a path goes through a function literal.
func within(path []ast.Node) bool {
	for _, n := range path {
		if _, ok := n.(*ast.FuncLit); ok {
			return true
		}
	}
	return false
}

// inSelect says whether the send that a path ends with is a case of a select: it may have a way out.
func inSelect(path []ast.Node) bool {
	return len(path) > 1 && pair.IsComm(path[len(path)-2])
}

// leavesLoop says whether the receive that a path ends with is in a loop that the function returns
// from, or a case of a select another case of which returns.
func leavesLoop(path []ast.Node) bool {
	for _, n := range path {
		switch n := n.(type) {
		case *ast.ForStmt:
			if pair.HasReturn(n.Body) {
				return true
			}
		case *ast.RangeStmt:
			if pair.HasReturn(n.Body) {
				return true
			}
		case *ast.SelectStmt:
			if pair.HasReturn(n.Body) && len(n.Body.List) > 1 {
				return true
			}
		}
	}
	return false
}

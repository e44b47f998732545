package channels

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/validate/halves/pair"
)

// CutShort finds loops that take what has come for all there is, though a patch has those who send leave when a context
// ends, and the channel is closed then as well: whoever looks only at that returns a part, and no error.
//
//	go func() {                             for v := range out {
//		defer close(out)                    	all = append(all, v)
//		for _, p := range pages {           }
//			select {                        return all, nil
//			case out <- p:
//			case <-ctx.Done():
//				return
//			}
//		}
//	}()
func CutShort(c *pair.Change) (found []pair.Finding) {
	ends := map[string]bool{} // the functions whose goroutines the patch has leave so
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if c.Changed(fn) && closesAny(fn) {
			had := 0
			if was != nil {
				had = givesUp(was)
			}
			ends[fn.FullName] = givesUp(fn) > had
		}
	}
	for _, fn := range c.After.Funcs {
		if !tellsErrors(fn) || !hasContext(fn) { // nobody else ends its goroutines
			continue
		}
		for _, at := range takenForAll(c.After, fn, ends) {
			f := c.At(fn, at, "what has come by then is taken for all when the context ends: those who send leave then, and nobody asks whether it has ended")
			f.Flag = mutate.CutShort
			found = append(found, f)
		}
	}
	return found
}

// givesUp counts the sends of goroutines that a function starts that are given up when a context ends.
func givesUp(fn *pair.Function) (n int) {
	syntax.Walk(fn.Body, func(x ast.Node, path []ast.Node) {
		s, ok := x.(*ast.SelectStmt)
		if !ok || !within(path) {
			return
		}
		sends, done := false, false
		for _, clause := range s.Body.List {
			comm := clause.(*ast.CommClause).Comm
			if send, ok := comm.(*ast.SendStmt); ok {
				sends = sends || !isSignal(fn.Info().TypeOf(send.Chan))
			}
			done = done || isDone(fn.Info(), receivedIn(comm))
		}
		if sends && done {
			n++
		}
	})
	return n
}

// isDone reports whether an expression is the channel by which a context ends.
func isDone(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	f := syntax.Callee(info, call.Fun)
	return f != nil && f.FullName() == "(context.Context).Done"
}

func closesAny(fn *pair.Function) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && syntax.Builtin(fn.Info(), call) == "close"
	})
}

// tellsErrors reports whether a function's results have room for an error.
func tellsErrors(fn *pair.Function) bool {
	if fn.Type.Results == nil {
		return false
	}
	for _, r := range fn.Type.Results.List {
		if strings.Contains(types.TypeString(fn.Info().TypeOf(r.Type), nil), "error") {
			return true
		}
	}
	return false
}

// hasContext reports whether a function is given a context.
func hasContext(fn *pair.Function) bool {
	return slices.ContainsFunc(fn.Type.Params.List, func(p *ast.Field) bool { return syntax.IsContext(fn.Info().TypeOf(p.Type)) })
}

// takenForAll are the places at which a function goes on when a channel is closed to which some functions' goroutines
// send, and asks nobody whether a context has ended.
func takenForAll(v *pair.Version, fn *pair.Function, ends map[string]bool) (all []token.Pos) {
	info := fn.Info()
	from := map[types.Object]bool{} // variables that hold such a channel
	of := func(e ast.Expr) bool {
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			return from[info.ObjectOf(e)]
		case *ast.CallExpr:
			f := syntax.Callee(info, e.Fun)
			return f != nil && ends[f.Origin().FullName()]
		}
		return false
	}
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				id, ok := e.(*ast.Ident)
				if !ok {
					continue
				}
				made := false
				if len(n.Lhs) == len(n.Rhs) && ends[fn.FullName] {
					call, ok := ast.Unparen(n.Rhs[i]).(*ast.CallExpr)
					made = ok && syntax.Builtin(info, call) == "make" && pair.IsChannel(info.TypeOf(call)) && !isSignal(info.TypeOf(call))
				}
				if made || i == 0 && len(n.Rhs) == 1 && of(n.Rhs[0]) {
					from[info.ObjectOf(id)] = true
				}
			}
			if more, ch := asksForMore(info, n); more != nil && of(ch) && startOf(v, fn, path) < 0 {
				if body := whereClosed(info, fn.Body, more, n.Pos()); body != nil && returnsNil(body) && !asksForEnd(info, body, body.Pos()) {
					all = append(all, n.Pos())
				}
			}
		case *ast.RangeStmt:
			if of(n.X) && startOf(v, fn, path) < 0 && !asksForEnd(info, scopeOf(fn, path), n.End()) {
				all = append(all, n.Pos())
			}
		}
	})
	return all
}

// scopeOf is the body of the innermost function of a path.
func scopeOf(fn *pair.Function, path []ast.Node) *ast.BlockStmt {
	body := fn.Body
	for _, n := range path {
		if lit, ok := n.(*ast.FuncLit); ok {
			body = lit.Body
		}
	}
	return body
}

// asksForMore is the variable that says whether a channel is open, of a receive of two values.
func asksForMore(info *types.Info, a *ast.AssignStmt) (types.Object, ast.Expr) {
	if len(a.Lhs) != 2 || len(a.Rhs) != 1 {
		return nil, nil
	}
	u, ok := ast.Unparen(a.Rhs[0]).(*ast.UnaryExpr)
	id, named := a.Lhs[1].(*ast.Ident)
	if !ok || !named || !pair.Receives(u) {
		return nil, nil
	}
	return info.ObjectOf(id), u.X
}

// whereClosed is the body of the first if behind a place that is come to when a variable says no; nil: there is none.
func whereClosed(info *types.Info, in *ast.BlockStmt, more types.Object, behind token.Pos) (body *ast.BlockStmt) {
	ast.Inspect(in, func(n ast.Node) bool {
		s, ok := n.(*ast.IfStmt)
		if !ok || s.Pos() < behind || body != nil {
			return body == nil
		}
		if not, ok := s.Cond.(*ast.UnaryExpr); ok && not.Op == token.NOT && syntax.Is(info, not.X, more) {
			body = s.Body
		}
		return body == nil
	})
	return body
}

// returnsNil reports whether the last statement of a body returns, with nil as its last result.
func returnsNil(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	ret, ok := body.List[len(body.List)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) == 0 {
		return false
	}
	id, ok := ret.Results[len(ret.Results)-1].(*ast.Ident)
	return ok && id.Name == "nil"
}

// asksForEnd reports whether a body asks behind a place whether a context has ended, or waits for those who would say so.
func asksForEnd(info *types.Info, body *ast.BlockStmt, behind token.Pos) bool {
	return syntax.Any(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() < behind {
			return false
		}
		f := syntax.Callee(info, call.Fun)
		if f == nil {
			return false
		}
		switch f.FullName() {
		case "(context.Context).Err", "(context.Context).Done", "context.Cause":
			return true
		}
		return f.Name() == "Wait" && f.Signature().Results().Len() > 0
	})
}

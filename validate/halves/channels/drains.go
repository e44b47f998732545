package channels

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/validate/halves/pair"
)

// Drains finds loops by which a patch receives and throws away all that is still sent, where nothing ends those who send:
// they do all the rest of their work for nobody, and for ever if there is no end to it.
//
//	for r := range results {                for r := range results {
//		if r.err != nil {                   	if r.err != nil {
//			return r.err           →        		go func() { for range results {} }()
//		}                                   		return r.err
//	}                                       	}
//	                                        }
func Drains(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		if !c.Changed(fn) {
			continue
		}
		had := 0
		if was := c.Before.Named[fn.FullName]; was != nil {
			had = len(drainsIn(was))
		}
		has := drainsIn(fn)
		if len(has) <= had || endsOthers(c.After, fn, 2) {
			continue
		}
		for _, loop := range has {
			f := c.At(fn, loop.Pos(), "the rest of %s is received and thrown away, and nothing ends those who send: they do all their work for nobody", types.ExprString(loop.X))
			f.Flag = mutate.GoesOn
			found = append(found, f)
		}
	}
	return found
}

// drainsIn are the loops of a function that only receive.
func drainsIn(fn *pair.Function) (all []*ast.RangeStmt) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if ok && len(loop.Body.List) == 0 && pair.IsChannel(fn.Info().TypeOf(loop.X)) {
			all = append(all, loop)
		}
		return true
	})
	return all
}

// endsOthers reports whether a function cancels a context, closes a channel or stops something, itself or by what it
// calls.
func endsOthers(v *pair.Version, fn *pair.Function, calls int) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		if syntax.Builtin(fn.Info(), call) == "close" {
			return true
		}
		t := fn.Info().TypeOf(call.Fun)
		if t != nil && types.TypeString(t, nil) == "context.CancelFunc" {
			return true
		}
		if f := syntax.Callee(fn.Info(), call.Fun); f != nil && calls > 0 {
			if to := v.Named[f.Origin().FullName()]; to != nil && to != fn && !producesFor(to) && endsOthers(v, to, calls-1) {
				return true
			}
		}
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			return fun.Name == "stop" || fun.Name == "cancel"
		case *ast.SelectorExpr:
			return fun.Sel.Name == "Stop" || fun.Sel.Name == "Close" || fun.Sel.Name == "Store" || fun.Sel.Name == "cancel"
		}
		return false
	})
}

// producesFor reports whether a function returns a channel: that it closes it ends nobody who sends.
func producesFor(fn *pair.Function) bool {
	return fn.Type.Results != nil && len(fn.Type.Results.List) > 0 && pair.IsChannel(fn.Info().TypeOf(fn.Type.Results.List[0].Type))
}

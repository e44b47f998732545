package halves

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/validate/halves/pair"
)

// detached finds code of others that a patch has run in a goroutine of its own, for which nobody waits, where it ran in
// the function itself: what is told then comes in any order, and after the function has returned.
//
//	w.onChange(value)        →      go w.onChange(value)
func detached(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if !c.Changed(fn) {
			continue
		}
		hadStarted := map[string]bool{}
		hadCalled := map[string]bool{}
		if was != nil {
			for _, f := range foreign(was) {
				hadCalled[f.name] = hadCalled[f.name] || !f.started
				hadStarted[f.name] = hadStarted[f.name] || f.started
			}
		}
		called := map[string]bool{}
		for _, f := range foreign(fn) {
			called[f.name] = called[f.name] || !f.started
		}
		for _, f := range foreign(fn) {
			if f.started && !hadStarted[f.name] && !called[f.name] && (hadCalled[f.name] || movedFrom(c, fn, f.name)) && !waits(fn) {
				d := c.At(fn, f.call.Pos(), "%s runs in a goroutine for which nobody waits: what it is told may come in any order, and after the call that it belongs to", types.ExprString(f.call.Fun))
				d.Flag = mutate.OutOfOrder
				found = append(found, d)
			}
		}
	}
	return found
}

// movedFrom reports whether other functions of the original called code of others, and no function does so any more.
func movedFrom(c *pair.Change, fn *pair.Function, name string) bool {
	calls := func(v *pair.Version) bool {
		for _, o := range v.Funcs {
			for _, f := range foreign(o) {
				if f.name == name && !f.started {
					return true
				}
			}
		}
		return false
	}
	return calls(c.Before) && !calls(c.After)
}

// A foreignCall is one of a function in a field or parameter, or of a method of an interface that the program declares.
type foreignCall struct {
	name    string // of the field, parameter or method
	call    *ast.CallExpr
	started bool // in a goroutine of its own
}

func foreign(fn *pair.Function) (all []foreignCall) {
	info := fn.Info()
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		name := ""
		if v := syntax.Variable(info, call.Fun); v != nil {
			sig, isFunc := v.Type().Underlying().(*types.Signature)
			if isFunc && (v.IsField() || v.Kind() == types.ParamVar) && sig.Results().Len() == 0 {
				name = v.Name()
			}
		} else if f := syntax.Callee(info, call.Fun); f != nil && syntax.InterfaceMethod(f) && f.Pkg() == fn.File.Package.Types && f.Signature().Results().Len() == 0 {
			name = f.Name()
		}
		if name != "" {
			all = append(all, foreignCall{name, call, startedOn(path)})
		}
	})
	return all
}

// startedOn reports whether what a path leads to runs as a goroutine of its own.
func startedOn(path []ast.Node) bool {
	for i, n := range path {
		if _, ok := n.(*ast.GoStmt); !ok {
			continue
		}
		if i == len(path)-1 {
			return true // it is what is started
		}
		for _, in := range path[i:] {
			if _, lit := in.(*ast.FuncLit); lit {
				return true
			}
		}
	}
	return false
}

// waits reports whether a function's text waits for others.
func waits(fn *pair.Function) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool { return waitsAt(fn, n) })
}

// waitsAt reports whether a node waits: it receives, or calls a method Wait.
func waitsAt(fn *pair.Function, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		return pair.Receives(n)
	case *ast.RangeStmt:
		t := fn.Info().TypeOf(n.X)
		return t != nil && pair.IsChannel(t)
	case *ast.CallExpr:
		sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Wait"
	}
	return false
}

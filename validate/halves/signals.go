package halves

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
)

// signals finds Signals of a condition variable, where the patch makes another one of it a Broadcast: whoever is
// woken may not be the one that can go on.
func (c *change) signals() (found []Finding) {
	mended := map[string]bool{} // by the condition variable
	for _, fn := range c.after.funcs {
		was := c.before.named[fn.name]
		if was == nil || !c.changed(fn) {
			continue
		}
		all := wakers(fn, "Broadcast")
		for of, before := range wakers(was, "Signal") {
			if len(wakers(fn, "Signal")[of]) < len(before) && len(all[of]) > len(wakers(was, "Broadcast")[of]) {
				mended[of] = true
			}
		}
	}
	if len(mended) == 0 {
		return nil
	}
	for _, fn := range c.after.funcs {
		for of, calls := range wakers(fn, "Signal") {
			for _, call := range calls {
				if mended[of] {
					found = append(found, c.at(fn, call.Pos(), "%s wakes one waiter, who may be unable to go on: the patch wakes all elsewhere", types.ExprString(call)))
				}
			}
		}
	}
	return found
}

// wakers are the calls of a method of condition variables in a function, by the field or variable.
func wakers(fn *function, method string) map[string][]*ast.CallExpr {
	found := map[string][]*ast.CallExpr{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != method {
			return true
		}
		if f := syntax.Callee(fn.info(), call.Fun); f == nil || f.FullName() != "(*sync.Cond)."+method {
			return true
		}
		key := ""
		if of, ok := fieldOf(fn.info(), sel.X); ok {
			key = of.owner + "." + of.name
		} else if v := syntax.Variable(fn.info(), sel.X); v != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			key = v.Pkg().Path() + "." + v.Name()
		}
		if key != "" {
			found[key] = append(found[key], call)
		}
		return true
	})
	return found
}

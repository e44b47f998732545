package halves

import (
	"go/ast"
	"go/types"
	"strings"

	"mendel/analysis/syntax"
)

// signals finds Signals, where the patch makes another one a Broadcast: of the same condition variable, unless
// whoever is woken can go on, and of another one of the same value whose one Signal has to wake several.
func (c *change) signals() (found []Finding) {
	mended, values := map[string]bool{}, map[string]bool{} // by the condition variable, and by what has it
	for _, fn := range c.after.funcs {
		was := c.before.named[fn.name]
		if was == nil || !c.changed(fn) {
			continue
		}
		all := wakers(fn, "Broadcast")
		for of, before := range wakers(was, "Signal") {
			if len(wakers(fn, "Signal")[of]) < len(before) && len(all[of]) > len(wakers(was, "Broadcast")[of]) {
				mended[of], values[ownerOf(of)] = true, true
			}
		}
	}
	if len(mended) == 0 {
		return nil
	}
	for _, fn := range c.after.funcs {
		for of, calls := range wakers(fn, "Signal") {
			w := c.after.waitersFor(of)
			if w.loops > 0 && w.chain {
				continue
			}
			for _, call := range calls {
				steps := w.changes(fn, call)
				switch {
				case mended[of] && !(w.alike() && steps == one):
					found = append(found, c.at(fn, call.Pos(), "%s wakes one waiter, who may be unable to go on: the patch wakes all elsewhere", types.ExprString(call)))
				case !mended[of] && values[ownerOf(of)] && (steps != none && w.own || steps == several):
					found = append(found, c.at(fn, call.Pos(), "%s wakes one waiter, where several may be able to go on: the patch wakes all of another condition", types.ExprString(call)))
				}
			}
		}
	}
	return found
}

func ownerOf(cond string) string { return cond[:strings.LastIndex(cond, ".")] }

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

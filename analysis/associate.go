package analysis

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// Associate adds the fields that are used together with what failures name, though
// nothing shows that they are used concurrently, and returns how many findings are
// new: fields of the same struct that some function changes, and that are used
// nowhere but in functions which use the named field of the same value too. Whoever
// may come there at the same time as another for the one may for the other; the
// tests need not do that. What tests use, and what nobody else knows yet, does not count.
func (n *Narrowing) Associate() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	fresh := newFreshness(n.ids)
	added := 0
	for _, f := range slices.Clone(n.Variables) {
		v, ok := f.Object.(*types.Var)
		owner := n.ids.owner[v]
		if !ok || owner == nil || !slices.ContainsFunc(f.Reasons, func(r Reason) bool { return r.Source != Static }) {
			continue
		}
		for _, other := range n.ids.variables {
			if n.ids.owner[other] != owner || n.vars[other] != nil {
				continue
			}
			if fn := n.changesWith(fresh, other, v); fn != nil {
				added += n.addVar(other, Reason{Static, fmt.Sprintf("changed in %s, which uses %s too", fn.name, f.Name)})
			}
		}
	}
	return added
}

// changesWith is a function that changes a field, if all that use the field use
// another one of the same value, too; nil otherwise.
func (n *Narrowing) changesWith(fresh *freshness, field, other *types.Var) (changes *function) {
	for _, u := range n.ids.uses[field] {
		if u.fn.file.Test || fresh.fresh(u) {
			continue
		}
		with := slices.ContainsFunc(n.ids.uses[other], func(o useOf) bool {
			return o.fn == u.fn && ownerText(o.Expr) == ownerText(u.Expr)
		})
		if u.atomic || !with {
			return nil
		}
		if u.Write && changes == nil {
			changes = u.fn
		}
	}
	return changes
}

// ownerText is what a field is selected from, as it is written.
func ownerText(e ast.Expr) string {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		return types.ExprString(sel.X)
	}
	return ""
}

package analysis

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// Associate adds the fields that are used together with what failures name, though
// nothing shows that they are used concurrently, and returns how many findings are
// new: fields of the same struct that some function changes, and that are used
// nowhere but in functions which use the named field of the same value too. Whoever
// may come there at the same time as another for the one may for the other; the
// tests need not do that. So do fields that are changed only by functions which take a
// lock of the struct that those which change the named field take, and that a function
// which uses the named field uses without it; and fields that are changed by functions of
// package sync/atomic and used plainly beside the named field, of which the same is true.
// What tests use, and what nobody else knows yet, does not count.
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
			} else if fn := n.unlockedBeside(fresh, other, v); fn != nil {
				added += n.addVar(other, Reason{Static, fmt.Sprintf("used in %s without the lock with which it is changed, beside %s", fn.name, f.Name)})
			} else if fn := n.plainBeside(fresh, other, v); fn != nil {
				added += n.addVar(other, Reason{Static, fmt.Sprintf("used plainly in %s, and changed atomically elsewhere, as %s is", fn.name, f.Name)})
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
		if u.atomic || !n.usesBeside(u, other) {
			return nil
		}
		if u.Write && changes == nil {
			changes = u.fn
		}
	}
	return changes
}

// unlockedBeside is a function that uses a field and another one of the same value
// without the lock of the struct with which both are changed, wherever they are; nil if
// there is none.
func (n *Narrowing) unlockedBeside(fresh *freshness, field, other *types.Var) *function {
	locks := n.changedUnder(fresh, field)
	maps.DeleteFunc(locks, func(key string, _ bool) bool { return !n.changedUnder(fresh, other)[key] })
	for _, u := range n.ids.uses[field] {
		if u.Write || u.atomic || u.fn.file.Test || fresh.fresh(u) {
			continue
		}
		takes := slices.ContainsFunc(u.fn.locks, func(l lockUse) bool { return locks[l.lock.Key] })
		if len(locks) > 0 && !takes && n.usesBeside(u, other) {
			return u.fn
		}
	}
	return nil
}

// plainBeside is a function that uses a field and another one of the same value plainly,
// where both are changed atomically elsewhere; nil if there is none.
func (n *Narrowing) plainBeside(fresh *freshness, field, other *types.Var) *function {
	if !n.changedAtomically(field) || !n.changedAtomically(other) {
		return nil
	}
	plain := func(u useOf) bool { return !u.atomic && !u.fn.file.Test && !fresh.fresh(u) }
	for _, u := range n.ids.uses[field] {
		if plain(u) && slices.ContainsFunc(n.ids.uses[other], func(o useOf) bool {
			return plain(o) && o.fn == u.fn && ownerText(o.Expr) == ownerText(u.Expr)
		}) {
			return u.fn
		}
	}
	return nil
}

// changedAtomically reports whether functions of package sync/atomic change a field.
func (n *Narrowing) changedAtomically(field *types.Var) bool {
	return slices.ContainsFunc(n.ids.uses[field], func(u useOf) bool { return u.atomic && u.Write })
}

// changedUnder are the keys of the locks of a field's struct that all functions which
// change the field take.
func (n *Narrowing) changedUnder(fresh *freshness, field *types.Var) map[string]bool {
	var common map[string]bool
	for _, u := range n.ids.uses[field] {
		if !u.Write || u.fn.file.Test || fresh.fresh(u) {
			continue
		}
		taken := make(map[string]bool)
		for _, l := range u.fn.locks {
			if l.acquires() && n.ids.owner[l.field] == n.ids.owner[field] && (common == nil || common[l.lock.Key]) {
				taken[l.lock.Key] = true
			}
		}
		common = taken
	}
	return common
}

// usesBeside reports whether the function that uses a field uses another one of the same
// value, too.
func (n *Narrowing) usesBeside(u useOf, other *types.Var) bool {
	return slices.ContainsFunc(n.ids.uses[other], func(o useOf) bool {
		return o.fn == u.fn && ownerText(o.Expr) == ownerText(u.Expr)
	})
}

// ownerText is what a field is selected from, as it is written.
func ownerText(e ast.Expr) string {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		return types.ExprString(sel.X)
	}
	return ""
}

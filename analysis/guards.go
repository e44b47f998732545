package analysis

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// GuardedBy lists the names of the variables that the lock with a key seems to
// guard, sorted: those used somewhere while it is held and those declared
// beside it in an unnamed struct ("mu struct { sync.Mutex; n int }"). A fix
// that releases the lock around one of them deserves suspicion.
//
// Held is judged by the text of one function: from the acquisition to the last
// release before the next acquisition, or to the end of the function if the
// release is deferred or elsewhere. A function's own locals are left out.
func (n *Narrowing) GuardedBy(key string) []string {
	names := map[string]bool{}
	for _, fn := range n.ids.functions {
		for _, held := range heldRanges(fn, key) {
			for _, a := range fn.uses {
				if held.from < a.Expr.Pos() && a.Expr.Pos() < held.to && n.known(a, fn) {
					names[n.ids.varName(a.Var)] = true
				}
			}
		}
		for _, u := range fn.locks {
			if u.lock.Key == key && u.field != nil {
				n.siblings(u.field, names)
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// A span is a part of a file.
type span struct{ from, to token.Pos }

// heldRanges are the parts of a function in which it seems to hold a lock.
func heldRanges(fn *function, key string) []span {
	var uses []lockUse
	for _, u := range fn.locks {
		if u.lock.Key == key {
			uses = append(uses, u)
		}
	}
	slices.SortFunc(uses, func(a, b lockUse) int { return cmp.Compare(a.call.Pos(), b.call.Pos()) })
	deferred := deferredCalls(fn)
	var spans []span
	for i, u := range uses {
		if !u.acquires() {
			continue
		}
		to := fn.body.End()
		for _, later := range uses[i+1:] {
			if later.acquires() {
				break
			}
			if !deferred[later.call] {
				to = later.call.Pos()
			}
		}
		spans = append(spans, span{u.call.End(), to})
	}
	return spans
}

func deferredCalls(fn *function) map[*ast.CallExpr]bool {
	found := map[*ast.CallExpr]bool{}
	ast.Inspect(fn.body, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			found[d.Call] = true
		}
		return true
	})
	return found
}

// siblings adds the other fields of the unnamed struct that a mutex is a field
// of, or that is itself the lock because a mutex is embedded in it.
func (n *Narrowing) siblings(field *types.Var, names map[string]bool) {
	if n.ids.owner[field] != nil {
		return
	}
	for other, label := range n.ids.labels {
		if other != field && n.ids.parent[other] == n.ids.parent[field] && n.ids.parent[field] != nil && !isSync(other.Type()) {
			names[label] = true
		}
	}
}

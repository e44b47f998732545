package mutate

import "go/ast"

// TakenLater are the keys of the locks that the function, or one that it calls by
// name, directly or not, has taken in go statements and in function literals,
// which may be kept for later. The map must not be changed.
func (fn *Function) TakenLater() map[string]bool {
	return fn.memo.later.get(func() map[string]bool {
		keys := make(map[string]bool)
		seen := map[*Function]bool{fn: true}
		for work := []*Function{fn}; len(work) > 0; {
			at := work[len(work)-1]
			work = work[:len(work)-1]
			for key := range at.memo.ownLater.get(at.takenLaterHere) {
				keys[key] = true
			}
			for _, c := range at.allCalls() {
				if !c.later && !seen[c.To] {
					seen[c.To] = true
					work = append(work, c.To)
				}
			}
		}
		return keys
	})
}

// takenLaterHere is TakenLater of the function's own text.
func (fn *Function) takenLaterHere() map[string]bool {
	keys := make(map[string]bool)
	takes := func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if l, _, ok := fn.Program.LockOf(fn.File, call); ok {
			keys[l.Key] = true
			return true
		}
		for _, key := range fn.acquires(call) {
			keys[key] = true
		}
		return true
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			ast.Inspect(n.Call, takes)
			return false
		case *ast.FuncLit:
			ast.Inspect(n.Body, takes)
			return false
		}
		return true
	})
	return keys
}

package mutate

import "go/ast"

// TakenLater are the keys of the locks that the function, or one that it calls by
// name, directly or not, has taken in go statements and in function literals,
// which may be kept for later. The map must not be changed.
func (fn *Function) TakenLater() map[string]bool { return takenLater.Of(fn) }

var takenLater = NewFact(func(fn *Function) map[string]bool {
	keys := make(map[string]bool)
	seen := map[*Function]bool{fn: true}
	for work := []*Function{fn}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for key := range takenLaterHere.Of(at) {
			keys[key] = true
		}
		for _, c := range allCalls.Of(at) {
			if !c.later && !seen[c.To] {
				seen[c.To] = true
				work = append(work, c.To)
			}
		}
	}
	return keys
})

// takenLaterHere is TakenLater of the function's own text.
var takenLaterHere = NewFact(func(fn *Function) map[string]bool {
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
})

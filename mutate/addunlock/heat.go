package addunlock

import (
	"go/ast"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/lockcall"
)

// waitHeat is the heat of the hottest place at which a failure says that a
// goroutine waits for a lock with a key; 0 if none does.
func waitHeat(fn *mutate.Function, key string) float64 {
	hottest := 0.0
	for _, call := range acquisitions(fn)[key] {
		if heat, waits := fn.Narrowing.HeatAt(call.Pos()); waits != "" {
			hottest = max(hottest, heat)
		}
	}
	return hottest
}

// acquisitions are the places of the program where locks are taken, by key.
func acquisitions(fn *mutate.Function) map[string][]ast.Node {
	type key struct{}
	return mutate.Once(fn, key{}, func() map[string][]ast.Node {
		found := make(map[string][]ast.Node)
		for _, in := range fn.OfProgram() {
			syntax.WalkOwn(in.Body, func(n ast.Node, _ []ast.Node) {
				if call, ok := n.(*ast.CallExpr); ok {
					if l, method, ok := in.Program.LockCall(in.File, call); ok && (lockcall.Call{Method: method}).Acquires() {
						found[l.Key] = append(found[l.Key], call)
					}
				}
			})
		}
		return found
	})
}

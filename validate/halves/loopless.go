package halves

import (
	"go/ast"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// loopless finds waits for a condition variable that are in no loop, where the patch wakes all who wait for the variable
// instead of one, or has another wait for it ask again: who is woken for something else goes on as if the condition held.
func loopless(c *pair.Change) (found []pair.Finding) {
	was, now := wakings(c.Before), wakings(c.After)
	for cond, w := range now {
		if w.broadcasts <= was[cond].broadcasts && w.loops <= was[cond].loops {
			continue
		}
		for _, p := range w.once {
			found = append(found, c.At(p.In, p.At.Pos(), "who waits for %s here and is woken for something else does not ask again", cond.Name))
		}
	}
	return found
}

// A waking is how goroutines wait for a condition variable in a field, and are woken.
type waking struct {
	broadcasts, loops int // calls of Broadcast, and of Wait in a loop
	once              []pair.Place
}

// wakings are those of all condition variables.
func wakings(v *pair.Version) map[pair.Field]waking {
	all := make(map[pair.Field]waking)
	for _, fn := range v.Funcs {
		syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			f := syntax.Callee(fn.Info(), call.Fun)
			sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if f == nil || !method {
				return
			}
			cond, ok := pair.FieldOf(fn.Info(), sel.X)
			if !ok {
				return
			}
			w := all[cond]
			switch f.FullName() {
			case "(*sync.Cond).Broadcast":
				w.broadcasts++
			case "(*sync.Cond).Wait":
				if syntax.InLoop(call, path) {
					w.loops++
				} else {
					w.once = append(w.once, pair.Place{In: fn, At: call})
				}
			}
			all[cond] = w
		})
	}
	return all
}

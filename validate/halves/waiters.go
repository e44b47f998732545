package halves

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// waiters are the loops that wait for a condition variable.
type waiters struct {
	loops int
	plain int                // those that say what they wait for
	asked map[pair.Field]int // by how many loops
	own   bool               // one asks for something of its own, too: a parameter or local variable
	chain bool               // whoever has waited wakes the next one
}

// waitersFor finds the loops that wait for a condition variable.
func waitersFor(v *pair.Version, cond string) *waiters {
	w := &waiters{asked: map[pair.Field]int{}, chain: true}
	for _, fn := range v.Funcs {
		waits := wakers(fn, "Wait")[cond]
		if len(waits) > 0 && len(wakers(fn, "Signal")[cond])+len(wakers(fn, "Broadcast")[cond]) == 0 {
			w.chain = false
		}
		for _, call := range waits {
			w.loops++
			if loop := loopAround(fn, call); loop != nil && loop.Cond != nil {
				w.plain++
				w.asks(fn, loop.Cond)
			}
		}
	}
	return w
}

// loopAround is the innermost loop of a function around a call.
func loopAround(fn *pair.Function, call *ast.CallExpr) (found *ast.ForStmt) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if loop, ok := n.(*ast.ForStmt); ok && loop.Pos() < call.Pos() && call.End() <= loop.End() {
			found = loop
		}
		return true
	})
	return found
}

func (w *waiters) asks(fn *pair.Function, cond ast.Expr) {
	info, seen := fn.Info(), map[pair.Field]bool{}
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if f, ok := pair.FieldOf(info, n); ok && !seen[f] {
				seen[f] = true
				w.asked[f]++
			}
			return false
		case *ast.Ident:
			if v, ok := info.Uses[n].(*types.Var); ok && v.Parent() != v.Pkg().Scope() {
				w.own = true
			}
		}
		return true
	})
}

// alike says whether all wait for the same, so that whoever is woken can go on.
func (w *waiters) alike() bool {
	if w.own || w.plain < w.loops {
		return false
	}
	for _, n := range w.asked {
		if n < w.loops {
			return false
		}
	}
	return w.loops > 0
}

// An amount is for how many waiters a change may be enough.
type amount int

const (
	none amount = iota // nothing that is asked for changes, as far as is seen
	one
	several
)

// changes says how much of what the waiters ask for a function changes before it wakes one.
func (w *waiters) changes(fn *pair.Function, call *ast.CallExpr) (much amount) {
	info := fn.Info()
	asked := func(e ast.Expr) bool {
		f, ok := pair.FieldOf(info, e)
		return ok && w.asked[f] > 0
	}
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		a := none
		switch n := n.(type) {
		case *ast.IncDecStmt:
			if asked(n.X) {
				a = one
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				switch {
				case !asked(to):
				case len(n.Rhs) == len(n.Lhs):
					a = max(a, step(info, n.Tok, n.Rhs[i]))
				default:
					a = several
				}
			}
		}
		if a == none || n.Pos() > call.Pos() {
			return
		}
		for _, up := range path { // again and again before the call
			switch up.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				if up.End() < call.Pos() {
					a = several
				}
			}
		}
		much = max(much, a)
	})
	return much
}

// step says how much an assignment adds or takes.
func step(info *types.Info, tok token.Token, value ast.Expr) amount {
	switch value := ast.Unparen(value).(type) {
	case *ast.BasicLit:
		if (tok == token.ADD_ASSIGN || tok == token.SUB_ASSIGN) && value.Value == "1" {
			return one
		}
	case *ast.CallExpr:
		if syntax.Builtin(info, value) == "append" && len(value.Args) == 2 && !value.Ellipsis.IsValid() {
			return one
		}
	case *ast.SliceExpr:
		if low, ok := value.Low.(*ast.BasicLit); ok && low.Value == "1" && value.High == nil {
			return one
		}
	}
	return several
}

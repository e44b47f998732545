package holding

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// exprs walks expressions.
func (w *walk) exprs(at holding, list ...ast.Expr) {
	for _, e := range list {
		w.inside(e, at.locks)
	}
}

// inside walks what a simple statement or an expression evaluates.
func (w *walk) inside(n ast.Node, held []Lock) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit: // kept for later, as far as can be seen
			w.function(n.Body, nil)
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				w.wait(n, held)
			}
		case *ast.CallExpr:
			w.call(n, held)
			return false
		}
		return true
	})
}

// call walks a call with its operands. A literal that is called here, or
// passed to a function known to call it at once, runs with what is held.
func (w *walk) call(call *ast.CallExpr, held []Lock) {
	if lit, ok := call.Fun.(*ast.FuncLit); ok {
		w.function(lit.Body, held)
	} else {
		w.inside(call.Fun, held)
	}
	f := w.callee(call)
	for _, arg := range call.Args {
		if lit, ok := arg.(*ast.FuncLit); ok && syntax.CallsAtOnce(f) {
			w.function(lit.Body, held)
			continue
		}
		w.inside(arg, held)
	}
	if len(held) == 0 {
		return
	}
	if syntax.MayWait(f, len(held)) {
		w.wait(call, held)
	}
}

// callee is the function that a call of the original names.
func (w *walk) callee(call *ast.CallExpr) *types.Func {
	if c, ok := w.syntax(call).(*ast.CallExpr); ok {
		return syntax.Callee(w.of.File.Package.Info, c.Fun)
	}
	return nil
}

// packageLevel reports whether there is one lock of that key: a package variable.
func (w *walk) packageLevel(l analysis.Lock) bool {
	_, name, _ := strings.Cut(l.Key[strings.LastIndex(l.Key, "/")+1:], ".")
	return name != "" && !strings.ContainsAny(name, ".@[(")
}

// acquire notes an acquisition while another value's lock of its key is held.
func (w *walk) acquire(l analysis.Lock, held []Lock) {
	for _, h := range held {
		if h.Key == l.Key && h.Expr != l.Expr && !w.packageLevel(l) { // else it waits for itself
			w.events[event{nests, l.Key, w.decl}] = true
		}
	}
}

func (w *walk) wait(n ast.Node, held []Lock) {
	for _, h := range held {
		w.events[event{waits, h.Expr, w.id(n)}] = true
	}
}

func (w *walk) rangesOverChannel(s *ast.RangeStmt) bool {
	r, ok := w.syntax(s).(*ast.RangeStmt)
	if !ok {
		return false
	}
	t := w.of.File.Package.Info.TypeOf(r.X)
	if t == nil {
		return false
	}
	_, ok = t.Underlying().(*types.Chan)
	return ok
}

package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/mutate/internal/blocking"
	"mendel/mutate/internal/syntax"
)

// exprs walks expressions, absent ones left out.
func (w *holdWalk) exprs(held []heldLock, list ...dst.Expr) {
	for _, e := range list {
		if e != nil && !reflect.ValueOf(e).IsNil() {
			w.inside(e, held)
		}
	}
}

// inside walks what a simple statement or an expression evaluates.
func (w *holdWalk) inside(n dst.Node, held []heldLock) {
	dst.Inspect(n, func(n dst.Node) bool {
		switch n := n.(type) {
		case *dst.FuncLit: // kept for later, as far as can be seen
			w.function(n.Body, nil)
			return false
		case *dst.UnaryExpr:
			if n.Op == token.ARROW {
				w.wait(n, held)
			}
		case *dst.CallExpr:
			w.call(n, held)
			return false
		}
		return true
	})
}

// call walks a call with its operands. A literal that is called here, or
// passed to a function known to call it at once, runs with what is held.
func (w *holdWalk) call(call *dst.CallExpr, held []heldLock) {
	if lit, ok := call.Fun.(*dst.FuncLit); ok {
		w.function(lit.Body, held)
	} else {
		w.inside(call.Fun, held)
	}
	w.tries(call)
	f := w.callee(call)
	for _, arg := range call.Args {
		if lit, ok := arg.(*dst.FuncLit); ok && syntax.CallsAtOnce(f) {
			w.function(lit.Body, held)
			continue
		}
		w.inside(arg, held)
	}
	if len(held) == 0 {
		return
	}
	if blocking.MayWait(f, len(held)) {
		w.wait(call, held)
	}
	w.callAcquires(call, f, held)
}

// callee is the function that a call of the original names.
func (w *holdWalk) callee(call *dst.CallExpr) *types.Func {
	if c, ok := w.syntax(call).(*ast.CallExpr); ok {
		return syntax.Callee(w.tree.file.Package.Info, c.Fun)
	}
	return nil
}

// callAcquires notes the locks that a callee acquires while some are held.
func (w *holdWalk) callAcquires(call *dst.CallExpr, f *types.Func, held []heldLock) {
	c, ok := w.syntax(call).(*ast.CallExpr)
	if !ok {
		return
	}
	if _, isLock := w.lockCall(call); isLock {
		return
	}
	indirect := w.indirect(c, f)
	if w.notes {
		w.noteCall(call, f, indirect, held)
	}
	keys := w.space.program.Acquires(w.tree.file, c)
	for _, h := range held {
		for _, key := range w.acquirers.inserted(f) {
			w.nest(h, key, key)
		}
		for _, key := range keys {
			w.nest(h, key, key)
		}
	}
	if indirect {
		w.mayTake(held, f)
	}
}

// packageLevel reports whether there is one lock of that key: a package variable.
func (w *holdWalk) packageLevel(l analysis.Lock) bool {
	_, name, _ := strings.Cut(l.Key[strings.LastIndex(l.Key, "/")+1:], ".")
	return name != "" && !strings.ContainsAny(name, ".@[(")
}

// acquire notes an acquisition.
func (w *holdWalk) acquire(call *dst.CallExpr, l analysis.Lock, held []heldLock) {
	for _, h := range held {
		if h.Key != l.Key || h.Expr != l.Expr && !w.packageLevel(l) { // it waits for itself
			w.nest(h, l.Key, l.Expr)
		}
	}
}

func (w *holdWalk) wait(n dst.Node, held []heldLock) {
	for _, h := range held {
		w.events[event{waits, h.Expr, "", w.id(n)}] = true
	}
}

func (w *holdWalk) rangesOverChannel(s *dst.RangeStmt) bool {
	r, ok := w.syntax(s).(*ast.RangeStmt)
	if !ok {
		return false
	}
	t := w.tree.file.Package.Info.TypeOf(r.X)
	if t == nil {
		return false
	}
	_, ok = t.Underlying().(*types.Chan)
	return ok
}

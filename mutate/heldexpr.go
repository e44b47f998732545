package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
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
		if lit, ok := arg.(*dst.FuncLit); ok && callsAtOnce(f) {
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
	keys := w.space.facts.acquires(w.space.program, w.tree, w.id(call), c)
	for _, h := range held {
		if !w.reaches(call, h.Lock) {
			continue
		}
		if w.acquirers.includes(h.Key, f, keys) {
			w.events[event{relocks, h.Expr, h.Key, w.id(call)}] = true
		}
	}
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

// reaches reports whether a callee gets at the very lock: it is the package's,
// or what the lock belongs to is the call's receiver or an argument.
func (w *holdWalk) reaches(call *dst.CallExpr, l analysis.Lock) bool {
	base := l.Expr
	if i := strings.LastIndex(base, "."); i >= 0 {
		base = base[:i]
	}
	if w.packageLevel(l) {
		return true
	}
	given := slices.Clone(call.Args)
	if sel, ok := call.Fun.(*dst.SelectorExpr); ok {
		given = append(given, sel.X)
	}
	for _, e := range given {
		text := w.names.resolve(exprText(e))
		if text != "" && (text == base || strings.HasPrefix(base, text+".") || text == l.Expr) {
			return true
		}
	}
	return false
}

// packageLevel reports whether there is one lock of that key: a package variable.
func (w *holdWalk) packageLevel(l analysis.Lock) bool {
	_, name, _ := strings.Cut(l.Key[strings.LastIndex(l.Key, "/")+1:], ".")
	return name != "" && !strings.ContainsAny(name, ".@[(")
}

// exprText is an expression of names and selectors as text, without & and *; "" for others.
func exprText(e dst.Expr) string {
	switch e := e.(type) {
	case *dst.Ident:
		return e.Name
	case *dst.ParenExpr:
		return exprText(e.X)
	case *dst.StarExpr:
		return exprText(e.X)
	case *dst.UnaryExpr:
		if e.Op == token.AND {
			return exprText(e.X)
		}
	case *dst.SelectorExpr:
		if x := exprText(e.X); x != "" {
			return x + "." + e.Sel.Name
		}
	}
	return ""
}

// acquire notes an acquisition.
func (w *holdWalk) acquire(call *dst.CallExpr, l analysis.Lock, held []heldLock) {
	for _, h := range held {
		if h.Key == l.Key && (h.Expr == l.Expr || w.packageLevel(l)) {
			w.events[event{relocks, h.Expr, l.Key, w.id(call)}] = true
		} else {
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

// callsAtOnce reports whether a function of the standard library calls the
// functions passed to it before it returns.
func callsAtOnce(f *types.Func) bool {
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "sort", "slices", "maps", "strings", "bytes":
		return true
	case "sync":
		return f.Name() == "Do" || f.Name() == "Range"
	}
	return false
}

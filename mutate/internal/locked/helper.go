package locked

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/locks/callers"
	"mendel/mutate"
	"mendel/mutate/fact/held"
)

// A Helper is a function that takes no lock, although only some of its callers hold the one of
// what it uses. It can take the lock for its whole body, and have a variant for these callers.
type Helper struct {
	*Function
	Held []HeldCall // by file and in source order
	Open bool       // some call, not of a test, is made without the lock
}

// A HeldCall is a call of a function by one that certainly holds its lock there.
type HeldCall struct {
	From *mutate.Function
	Expr *ast.CallExpr
}

// HelperOf tells whether the function could take a lock, written as it would write it, for its
// whole body, and have a variant without: neither it nor what it calls takes it, some callers certainly
// hold it, and each other one certainly does not.
func HelperOf(fn *mutate.Function, l analysis.Lock) (h *Helper, ok bool) {
	f, ok := begin(fn, lockPath(fn, l), l)
	if !ok || f.takesBeside() || !f.nameVariant() || f.exists {
		return nil, false
	}
	f.callsItself()
	h = &Helper{Function: f}
	seen := make(map[*ast.CallExpr]bool)
	for _, c := range callsOf(fn) {
		if seen[c.Expr] || f.isOwn(c.Expr) {
			continue
		}
		seen[c.Expr] = true
		switch held, known := holdsFor(c.From, c, f); {
		case !known || held && !CanCall(c.From, c.Expr, f):
			return nil, false
		case held:
			h.Held = append(h.Held, HeldCall{c.From, c.Expr})
		case !c.From.File.Test:
			h.Open = true
		}
	}
	return h, len(h.Held) > 0
}

// lockPath is the path of a lock that is written as names; the zero Path of another one.
func lockPath(fn *mutate.Function, l analysis.Lock) mutate.Path {
	decl, ok := fn.Node.(*ast.FuncDecl)
	root, rest, dot := strings.Cut(l.Expr, ".")
	if !ok || l.New != nil || strings.ContainsAny(l.Expr, "[(") {
		return mutate.Path{}
	}
	if dot {
		rest = "." + rest
	}
	fields := slices.Clone(decl.Type.Params.List)
	if decl.Recv != nil {
		fields = append(fields, decl.Recv.List...)
	}
	for _, field := range fields {
		for _, name := range field.Names {
			if v, ok := fn.File.Package.Info.Defs[name].(*types.Var); ok && name.Name == root {
				return mutate.Path{Root: v, Rest: rest}
			}
		}
	}
	if v, ok := fn.File.Package.Types.Scope().Lookup(root).(*types.Var); ok {
		return mutate.Path{Root: v, Rest: rest}
	}
	return mutate.Path{}
}

// holdsFor says whether the function certainly holds a callee's lock at a call, or certainly does not.
func holdsFor(fn *mutate.Function, c mutate.Call, to *Function) (holding, known bool) {
	at := mutate.Innermost(fn.Statements(), c.Expr).Stmt
	there := c.Name(to.Lock)
	if at == nil || there.Root == nil {
		return false, false
	}
	for _, h := range fn.Locks().HeldAt(fn.Locks().Of(fn.Node), at) {
		if h.Key == to.As.Key {
			same := fn.Unaliased(there.String()) == fn.Unaliased(fn.AnalysisLock(h.Lock).Expr)
			return true, same && h.Always
		}
	}
	if !held.ByCaller(fn, to.As.Key) {
		return false, true
	}
	l, ok := held.LockAt(fn, analysis.Lock{Expr: there.String(), Key: to.As.Key, RW: to.As.RW}, c.Expr.Pos())
	return true, ok && callers.EntryOf(fn.Locks(), fn.Locks().Of(fn.Node), l, true) == held.Held
}

// EntersHolding reports whether the function certainly holds the lock of what it calls at a call, because all who call the
// function do.
func EntersHolding(fn *mutate.Function, c mutate.Call, to *Function) bool {
	held, known := holdsFor(fn, c, to)
	return held && known
}

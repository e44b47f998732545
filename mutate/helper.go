package mutate

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/locks/callers"
)

// A Helper is a function that takes no lock, although only some of its callers hold the one of
// what it uses. It can take the lock for its whole body, and have a variant for these callers.
type Helper struct {
	*LockedFunction
	Held []HeldCall // by file and in source order
	Open bool       // some call, not of a test, is made without the lock
}

// A HeldCall is a call of a function by one that certainly holds its lock there.
type HeldCall struct {
	From *Function
	Expr *ast.CallExpr
}

// Helper tells whether the function could take a lock, written as it would write it, for its
// whole body, and have a variant without: neither it nor what it calls takes it, some callers certainly
// hold it, and each other one certainly does not.
func (fn *Function) Helper(l analysis.Lock) (h *Helper, ok bool) {
	f, ok := fn.lockedFunction(fn.lockPath(l), l)
	if !ok || f.takesBeside() || !f.nameVariant() || f.exists {
		return nil, false
	}
	f.callsItself()
	h = &Helper{LockedFunction: f}
	seen := make(map[*ast.CallExpr]bool)
	for _, c := range fn.callsOf() {
		if seen[c.Expr] || f.isOwn(c.Expr) {
			continue
		}
		seen[c.Expr] = true
		switch held, known := c.from.holdsFor(c, f); {
		case !known || held && !c.from.CanCall(c.Expr, f):
			return nil, false
		case held:
			h.Held = append(h.Held, HeldCall{c.from, c.Expr})
		case !c.from.File.Test:
			h.Open = true
		}
	}
	return h, len(h.Held) > 0
}

// lockPath is the path of a lock that is written as names; the zero Path of another one.
func (fn *Function) lockPath(l analysis.Lock) Path {
	decl, ok := fn.Node.(*ast.FuncDecl)
	root, rest, dot := strings.Cut(l.Expr, ".")
	if !ok || l.New != nil || strings.ContainsAny(l.Expr, "[(") {
		return Path{}
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
				return Path{Root: v, Rest: rest}
			}
		}
	}
	if v, ok := fn.File.Package.Types.Scope().Lookup(root).(*types.Var); ok {
		return Path{Root: v, Rest: rest}
	}
	return Path{}
}

// holdsFor says whether the function certainly holds a callee's lock at a call, or certainly does not.
func (fn *Function) holdsFor(c Call, to *LockedFunction) (held, known bool) {
	at := Innermost(fn.Statements(), c.Expr).Stmt
	there := c.Name(to.Lock)
	if at == nil || there.Root == nil {
		return false, false
	}
	for _, h := range fn.space.model.HeldAt(fn.flow(), at) {
		if h.Key == to.As.Key {
			same := fn.unaliased(there.String()) == fn.unaliased(fn.analysisLock(h.Lock).Expr)
			return true, same && h.Always
		}
	}
	if !fn.HeldByCaller(to.As.Key) {
		return false, true
	}
	l, ok := fn.flowLockAt(analysis.Lock{Expr: there.String(), Key: to.As.Key, RW: to.As.RW}, c.Expr.Pos())
	return true, ok && callers.EntryOf(fn.space.model, fn.flow(), l, true) == Held
}

// EntersHolding reports whether the function certainly holds the lock of what it calls at a call, because all who call the
// function do.
func (fn *Function) EntersHolding(c Call, to *LockedFunction) bool {
	held, known := fn.holdsFor(c, to)
	return held && known
}

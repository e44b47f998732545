package mutate

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A lazy value is made when it is first asked for. It is safe for concurrent use.
type lazy[T any] struct {
	once  sync.Once
	value T
}

func (l *lazy[T]) get(find func() T) T {
	l.once.Do(func() { l.value = find() })
	return l.value
}

// A memo is what has been found out about a function of the original. None of it
// depends on the narrowing.
type memo struct {
	statements lazy[[]Statement]
	own        lazy[ordered]
	sections   lazy[[]*Section]
	calls      lazy[[]madeCall]
	starts     lazy[[]Start]
	callsNow   lazy[[]Call]           // see Function.CallsNow
	loops      lazy[[]*ast.BlockStmt] // see Function.Loops
	leavers    lazy[[]leaver]         // see Function.Exits
	decl       lazy[*ast.FuncDecl]
	assigned   lazy[map[types.Object]bool]
	later      lazy[map[string]bool] // see Function.TakenLater
	ownLater   lazy[map[string]bool]

	mu    sync.Mutex
	fresh map[types.Object]freshness // guarded by mu
	waits map[waiting]bool           // guarded by mu; see Function.Waits
}

// between is from one statement of a list to another.
type between struct{ first, last ast.Stmt }

// waiting is what [Function.Waits] was asked, under a lock that is known or not.
type waiting struct {
	between
	known bool
}

// A madeCall is a call in a function's text.
type madeCall struct {
	Call
	pos   token.Pos // of Expr
	later bool      // by a go or defer statement
}

// owns reports whether a statement is in the function's own text, and not in that
// of a function literal in it.
func (fn *Function) owns(s ast.Stmt) bool {
	if fn.memo == nil {
		return false
	}
	return fn.memo.own.get(func() ordered {
		var own ordered
		inspect(fn.Body, func(n ast.Node, _ []ast.Node) {
			if s, ok := n.(ast.Stmt); ok {
				own = append(own, s)
			}
		})
		return slices.Clone(own) // no larger than it is
	}).has(s)
}

// ordered are statements in source order. It takes less memory than a set.
type ordered []ast.Stmt

func (o ordered) has(s ast.Stmt) bool {
	pos := s.Pos()
	i, _ := slices.BinarySearchFunc(o, pos, func(s ast.Stmt, pos token.Pos) int { return cmp.Compare(s.Pos(), pos) })
	for ; i < len(o) && o[i].Pos() == pos; i++ {
		if o[i] == s {
			return true
		}
	}
	return false
}

// allCalls finds the calls in the function's own text, in source order.
func (fn *Function) allCalls() []madeCall {
	if fn.memo == nil {
		return fn.findCalls(fn.Body)
	}
	return fn.memo.calls.get(func() []madeCall { return fn.findCalls(fn.Body) })
}

// findCalls finds the calls, by name, in a statement.
func (fn *Function) findCalls(s ast.Stmt) []madeCall {
	var calls []madeCall
	inspect(s, func(n ast.Node, path []ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		f := syntax.Callee(fn.File.Package.Info, call.Fun)
		if to := fn.space.declared[f]; f != nil && to != nil {
			made := Call{Expr: call, To: to, from: fn, made: call}
			calls = append(calls, madeCall{made, call.Pos(), len(path) > 0 && syntax.Later(path[len(path)-1])})
		}
	})
	return calls
}

// usesWithin are those of some uses, in source order, that stand in a node.
func usesWithin(uses []analysis.Access, n ast.Node) []analysis.Access {
	first, _ := slices.BinarySearchFunc(uses, n.Pos(), func(a analysis.Access, pos token.Pos) int { return cmp.Compare(a.Expr.Pos(), pos) })
	last := first
	for last < len(uses) && uses[last].Expr.Pos() < n.End() {
		last++
	}
	return uses[first:last]
}

// Once returns what find finds out about the original, and asks it once for each
// key, so that an operator need not look through the program for each function, or
// again when the narrowing has grown. It is asked of a [Function], a [Whole] or a [Mutation].
// The key is of a type of the operator's own. What is found must depend on the
// key alone, not on the narrowing, and must not be changed.
func Once[T any](of interface{ spaceOf() *Space }, key any, find func() T) T {
	s := of.spaceOf()
	if s == nil {
		return find()
	}
	found, known := s.once.Load(key)
	if !known {
		found, _ = s.once.LoadOrStore(key, find())
	}
	return found.(T)
}

func (fn *Function) spaceOf() *Space { return fn.space }

func (w *Whole) spaceOf() *Space { return w.space }

func (m *Mutation) spaceOf() *Space { return m.space }

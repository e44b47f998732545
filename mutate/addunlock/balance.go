package addunlock

import (
	"go/ast"
	gotoken "go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/analysis/locks/handed"
	"mendel/analysis/locks/naming"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/lockcall"
)

// A Balance is how a function takes and releases one lock. Where a [Section]
// is known to be whole, a Balance is there for those that are not: the model of locks follows
// every path through the function from its start and finds where the lock stays
// taken, is taken twice or is released without having been taken (see [locks.Balance]).
type Balance struct {
	Lock  analysis.Lock
	Calls []LockCall // in source order

	*locks.Balance
	fn     *mutate.Function
	expr   ast.Expr // the lock as first written
	path   naming.Path
	faults []Fault
	exits  []Exit

	given []Change                 // what stands for an acquisition by a helper, see [handed.To]; nil: none
	on    map[*ast.ReturnStmt]bool // returns that hand the lock on, see [handed.By]
}

// A LockCall is a statement that calls a lock's method and does nothing else.
type LockCall struct {
	Stmt     ast.Stmt // *ast.ExprStmt or *ast.DeferStmt
	At       ast.Stmt // the call's own: Stmt, or the one inside a deferred function literal
	Method   string
	Deferred bool

	lock analysis.Lock
	expr ast.Expr
	call *ast.CallExpr
}

// Acquires reports whether the call takes the lock.
func (c LockCall) Acquires() bool { return c.Method == "Lock" || c.Method == "RLock" }

// A Fault is a place where a lock's calls do not match on some path, an Exit a place for a
// release, and a Change a lock call to try out.
type (
	Fault  = locks.Fault
	Exit   = locks.Exit
	Change = locks.Change
)

// IterationHeld is the fault of a loop whose iterations leave the lock otherwise than they found it.
const IterationHeld = locks.IterationHeld

// Places of changes.
const (
	Instead       = locks.Instead
	Before        = locks.Before
	After         = locks.After
	DeferredAfter = locks.DeferredAfter

	deferredBefore = locks.DeferredBefore
)

// Balances finds how the function, whose literals have theirs, takes and
// releases its locks, in the order of their first calls. The list must not be changed.
func Balances(fn *mutate.Function) []*Balance {
	type balancesOf struct{ node ast.Node }
	return mutate.Once(fn, balancesOf{fn.Node}, func() []*Balance { return findBalances(fn) })
}

func findBalances(fn *mutate.Function) []*Balance {
	var all []*Balance
	for _, c := range ownLockCalls(fn) {
		l, ok := fn.Locks().LockOf(fn.Locks().Of(fn.Node), c.call)
		if !ok {
			continue
		}
		i := slices.IndexFunc(all, func(b *Balance) bool { return b.path == l.Path })
		if i < 0 {
			i = len(all)
			all = append(all, &Balance{Lock: c.lock, fn: fn, expr: c.expr, path: l.Path, Balance: fn.Locks().Balance(fn.Locks().Of(fn.Node), l, unpairedOf(fn).recovers)})
		}
		all[i].Calls = append(all[i].Calls, c)
	}
	aliased := slices.DeleteFunc(slices.Clone(all), func(b *Balance) bool { return !b.aliasedIn(all) })
	all = slices.DeleteFunc(all, func(b *Balance) bool { return b.Balance == nil || slices.Contains(aliased, b) })
	got := handed.To(fn.Locks(), fn.Locks().Of(fn.Node))
	for _, b := range all {
		if i := slices.IndexFunc(got, func(l handed.Lock) bool { return l.Path == b.path }); i >= 0 {
			b.given = []Change{got[i].Taken}
		}
		b.on = make(map[*ast.ReturnStmt]bool)
		if l, ok := fn.Locks().LockOf(fn.Locks().Of(fn.Node), b.Calls[0].call); ok {
			for _, s := range handed.By(fn.Locks(), fn.Locks().Of(fn.Node), l) {
				b.on[s] = true
			}
		}
		b.faults, b.exits = b.try()
	}
	return all
}

// try follows the function with some changes made, see [locks.Balance.Try]. That a lock is handed on is no
// fault.
func (b *Balance) try(changes ...Change) (faults []Fault, exits []Exit) {
	faults, exits = b.Try(append(slices.Clip(b.given), changes...)...)
	handedOn := func(n ast.Node) bool {
		s, ok := n.(*ast.ReturnStmt)
		return ok && b.on[s]
	}
	faults = slices.DeleteFunc(faults, func(f Fault) bool { return f.Kind == locks.LeftHeld && handedOn(f.Node) })
	return faults, slices.DeleteFunc(exits, func(x Exit) bool { return handedOn(x.Stmt) })
}

// aliasedIn reports whether another balance may be about the very same lock,
// because one of the two is reached through a pointer or a sync.Locker.
func (b *Balance) aliasedIn(all []*Balance) bool {
	return slices.ContainsFunc(all, func(o *Balance) bool {
		return o != b && (b.indirect() || o.indirect()) && !b.onlyNamed() && !o.onlyNamed()
	})
}

// onlyNamed reports whether the lock is a variable, or a field with a name, whose address
// the program takes nowhere: whatever a pointer or an interface leads to is another one.
func (b *Balance) onlyNamed() bool {
	if b.indirect() {
		return false
	}
	var id *ast.Ident
	switch e := ast.Unparen(b.expr).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return false
	}
	v, ok := b.fn.File.Package.Info.ObjectOf(id).(*types.Var)
	return ok && !v.Embedded() && syntax.FromSync(v.Type()) && !pointedTo(b.fn)[v.Origin()]
}

// pointedToKey is what [Once] remembers the variables by whose address is taken.
type pointedToKey struct{}

// pointedTo are the variables and fields of the program whose address is taken.
func pointedTo(fn *mutate.Function) map[*types.Var]bool {
	return mutate.Once(fn, pointedToKey{}, func() map[*types.Var]bool {
		taken := map[*types.Var]bool{}
		for _, pkg := range fn.Program.Packages {
			for _, f := range pkg.Files {
				ast.Inspect(f.AST, func(n ast.Node) bool {
					if u, ok := n.(*ast.UnaryExpr); ok && u.Op == gotoken.AND && pkg.Info != nil {
						var id *ast.Ident
						switch e := ast.Unparen(u.X).(type) {
						case *ast.Ident:
							id = e
						case *ast.SelectorExpr:
							id = e.Sel
						}
						if id != nil {
							if v, ok := pkg.Info.Uses[id].(*types.Var); ok {
								taken[v.Origin()] = true
							}
						}
					}
					return true
				})
			}
		}
		return taken
	})
}

// indirect reports whether the lock is not a variable but what one points to.
func (b *Balance) indirect() bool {
	t := b.fn.File.Package.Info.TypeOf(b.expr)
	if t == nil {
		return true
	}
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		return syntax.FromSync(p.Elem())
	}
	return types.IsInterface(t)
}

// ownLockCalls lists the function's own lock calls in source order; deferred
// function literals that release one lock count as such calls.
func ownLockCalls(fn *mutate.Function) []LockCall {
	var calls []LockCall
	syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
		switch s := n.(type) {
		case *ast.ExprStmt:
			if c, ok := lockcall.Of(fn.Program, fn.File, s); ok {
				calls = append(calls, LockCall{Stmt: s, At: s, Method: c.Method, lock: c.Lock, expr: c.On, call: c.Expr})
			}
		case *ast.DeferStmt:
			if c, ok := lockcall.OfExpr(fn.Program, fn.File, s.Call); ok {
				calls = append(calls, LockCall{Stmt: s, At: s, Method: c.Method, Deferred: true, lock: c.Lock, expr: c.On, call: c.Expr})
			} else if lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok {
				calls = append(calls, deferredCalls(fn, s, lit)...)
			}
		}
	})
	return calls
}

// deferredCalls lists the releases that a deferred literal makes on all paths
// and that are not of locks it takes itself.
func deferredCalls(fn *mutate.Function, s *ast.DeferStmt, lit *ast.FuncLit) []LockCall {
	var calls, taken []LockCall
	for _, inner := range lit.Body.List {
		c, ok := lockcall.Of(fn.Program, fn.File, inner)
		if !ok {
			continue
		}
		call := LockCall{Stmt: s, At: inner, Method: c.Method, Deferred: true, lock: c.Lock, expr: c.On, call: c.Expr}
		if call.Acquires() {
			taken = append(taken, call)
		} else {
			calls = append(calls, call)
		}
	}
	return slices.DeleteFunc(calls, func(c LockCall) bool {
		return slices.ContainsFunc(taken, func(t LockCall) bool { return syntax.Same(fn.File.Package.Info, t.expr, c.expr) })
	})
}

// Faults are the faults that the function would have with some changes made.
func (b *Balance) Faults(changes ...Change) []Fault {
	if len(changes) == 0 {
		return b.faults
	}
	faults, _ := b.try(changes...)
	return faults
}

// Exits lists the ways out on which the lock is held with some changes made,
// in source order. At a panic the lock matters only if the program recovers.
func (b *Balance) Exits(changes ...Change) []Exit {
	if len(changes) == 0 {
		return b.exits
	}
	_, exits := b.try(changes...)
	return exits
}

// Unmatched reports whether the function only takes the lock, or only releases it, and does not get it from a helper.
func (b *Balance) Unmatched() bool {
	return len(b.given) == 0 && !slices.ContainsFunc(b.Calls, func(c LockCall) bool { return c.Acquires() != b.Calls[0].Acquires() })
}

// DeclaredIn reports whether the lock's expression names something that is
// declared in a statement, so that it means nothing outside.
func (b *Balance) DeclaredIn(stmt ast.Stmt) bool {
	return syntax.Any(b.expr, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := b.fn.File.Package.Info.ObjectOf(id)
			return obj == nil || stmt.Pos() <= obj.Pos() && obj.Pos() < stmt.End()
		}
		return false
	})
}

// CanName reports whether the lock as written means the same at a statement.
func (b *Balance) CanName(at ast.Stmt) bool {
	s := &mutate.Section{Fn: b.fn, Expr: b.expr}
	return s.NamedIn(at)
}

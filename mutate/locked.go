package mutate

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A LockedCall is a call of a function that takes a lock.
type LockedCall struct {
	Expr *ast.CallExpr
	To   *LockedFunction
}

// Locked finds the locks with a key that the function takes and could leave to
// its callers: in the section that is its body, as [Function.LockedFunction]
// has it, in other sections, or in functions that it calls and that can leave
// them to it, a few calls deep.
//
// Left out are functions that take both sides of a lock, that wait for others
// where they do not hold it, since a variant's callers would hold it meanwhile,
// that defer calls beside a section, and that may get at the lock in any other way.
func (fn *Function) Locked(key string) []*LockedFunction { return fn.locked(key, nil) }

// locked is Locked for a function that those above call, one the next.
func (fn *Function) locked(key string, above []*Function) []*LockedFunction {
	var found []*LockedFunction
	at := func(p Path, l analysis.Lock) *LockedFunction {
		i := slices.IndexFunc(found, func(f *LockedFunction) bool { return f.Lock == p })
		if i >= 0 {
			return found[i]
		}
		f, ok := fn.lockedFunction(p, l)
		if ok {
			found = append(found, f)
		}
		return f
	}
	for _, s := range fn.Sections() {
		if s.Lock.Key != key {
			continue
		}
		if f := at(fn.Path(s.Expr), s.Lock); f != nil {
			f.sections = append(f.sections, s)
		}
	}
	above = append(slices.Clip(above), fn)
	for _, c := range fn.CallsNow() {
		if len(above) > maxCalls || slices.Contains(above, c.To) || !slices.Contains(fn.acquires(c.Expr), key) {
			continue
		}
		for _, to := range c.To.locked(key, above) {
			if f := at(c.Name(to.Lock), to.As); f != nil && fn.CanCall(c.Expr, to) {
				f.calls = append(f.calls, LockedCall{c.Expr, to})
			}
		}
	}
	return slices.DeleteFunc(found, func(f *LockedFunction) bool { return !f.complete() })
}

// CallsNow lists the calls, by name, that the function makes before it returns
// of functions that may be edited, those of function literals included that are
// called where they stand or given to a function known to call them at once. Of
// deferred calls there are those that run before a deferred release.
func (fn *Function) CallsNow() []Call { return callsNow.Of(fn) }

var callsNow = NewFact((*Function).findCallsNow)

func (fn *Function) findCallsNow() []Call {
	var calls []Call
	var visit func(n ast.Node)
	visit = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.GoStmt:
				return false
			case *ast.CallExpr:
				f := syntax.Callee(fn.File.Package.Info, n.Fun)
				if to := fn.space.declared[f]; f != nil && to != nil {
					calls = append(calls, Call{Expr: n, To: to, from: fn, made: n})
				}
				for _, lit := range runs(n, f) {
					visit(lit.Body)
				}
			}
			return true
		})
	}
	visit(fn.Body)
	return slices.Clip(calls)
}

// callersKey is the key of [Function.callsOf].
type callersKey struct{}

// callsOf lists the calls of the function, as [Function.CallsNow] has them, by file and in source order. A call in
// a literal may be there for each function that the literal is a part of.
func (fn *Function) callsOf() []Call {
	return Once(fn, callersKey{}, func() map[*Function][]Call {
		calls := make(map[*Function][]Call)
		for _, from := range fn.OfProgram() {
			for _, c := range from.CallsNow() {
				calls[c.To] = append(calls[c.To], c)
			}
		}
		return calls
	})[fn]
}

// runs lists the function literals in a call that run before it returns.
func runs(call *ast.CallExpr, f *types.Func) []*ast.FuncLit {
	var literals []*ast.FuncLit
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		literals = append(literals, lit)
	}
	for _, arg := range call.Args {
		if lit, ok := ast.Unparen(arg).(*ast.FuncLit); ok && syntax.CallsAtOnce(f) {
			literals = append(literals, lit)
		}
	}
	return literals
}

// CanCall reports whether a call can be made one of the variant of what it calls.
func (fn *Function) CanCall(call *ast.CallExpr, to *LockedFunction) bool {
	if to.File.Package != fn.File.Package {
		return false
	}
	var obj types.Object
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		if scope := fn.File.Package.Types.Scope().Innermost(call.Pos()); scope != nil {
			_, obj = scope.LookupParent(to.variant, call.Pos())
		}
	case *ast.SelectorExpr:
		s := fn.File.Package.Info.Selections[fun]
		if s == nil || s.Kind() != types.MethodVal {
			return false
		}
		obj, _, _ = types.LookupFieldOrMethod(s.Recv(), true, to.method.Pkg(), to.variant)
	default:
		return false
	}
	f, ok := obj.(*types.Func)
	return obj == nil && !to.exists || ok && to.exists && fn.space.declared[f.Origin()] != nil
}

// complete reports whether all that a function does with a lock is known, and
// fills in how a variant of it comes about.
func (f *LockedFunction) complete() bool {
	if len(f.sections) > 0 {
		f.Read = f.sections[0].Read
	} else if len(f.calls) > 0 {
		f.Read = f.calls[0].To.Read
	}
	for _, s := range f.sections {
		if s.Again || s.Read != f.Read {
			return false
		}
	}
	for _, c := range f.calls {
		if c.To.Read != f.Read && len(f.sections) == 0 {
			return false
		}
	}
	f.callsItself()
	if len(f.sections)+len(f.calls) == 0 || f.takesBeside() {
		return false
	}
	if f.findVariant() {
		return true
	}
	if !f.nameVariant() {
		return false
	}
	if whole, ok := f.LockedFunction(); ok && len(f.sections) == 1 && whole.Section.Acquire == f.sections[0].Acquire {
		f.Section, f.inner = whole.Section, whole.inner
		return true
	}
	return !f.defersBeside() && !f.Waits(f.As, f.Body.List...)
}

// callsItself adds the function's calls of itself that come to the same lock.
func (f *LockedFunction) callsItself() {
	for _, c := range f.CallsNow() {
		if c.To == f.Function && c.Name(f.Lock) == f.Lock {
			f.calls = append(f.calls, LockedCall{c.Expr, f})
		}
	}
}

// takesBeside reports whether the function may take or release its lock other
// than in the sections and calls that are known. What it starts may.
func (f *LockedFunction) takesBeside() bool {
	known := make(map[*ast.CallExpr]bool)
	for _, c := range f.calls {
		known[c.Expr] = true
	}
	var own []ast.Stmt
	for _, s := range f.sections {
		own = append(append(own, s.Acquire), s.Releases...)
	}
	found := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			return false
		case *ast.CallExpr:
			if known[n] || syntax.Within(n, own...) {
				break
			}
			l, _, isLock := f.Program.LockOf(f.File, n)
			takes := isLock && l.Key == f.As.Key || !isLock && slices.Contains(f.acquires(n), f.As.Key)
			found = found || takes && (packageVariable(f.Lock.Root) || syntax.Has(f.File.Package.Info, f.Lock.Root, n))
		}
		return !found
	})
	return found
}

// defersBeside reports whether the function defers anything but a release of its lock.
func (f *LockedFunction) defersBeside() bool {
	var releases []ast.Stmt
	for _, s := range f.sections {
		releases = append(releases, s.Releases...)
	}
	found := false
	syntax.WalkOwn(f.Body, func(n ast.Node, _ []ast.Node) {
		d, ok := n.(*ast.DeferStmt)
		found = found || ok && !slices.Contains(releases, ast.Stmt(d))
	})
	return found
}

// Acquires reports whether a call may acquire a lock with a key in what it calls.
func (fn *Function) Acquires(call *ast.CallExpr, key string) bool {
	return slices.Contains(fn.acquires(call), key)
}

// SameLock reports whether a path of the function certainly means a section's
// lock. Local variables that only stand for another expression are seen through.
func (fn *Function) SameLock(p Path, s *Section) bool {
	q := fn.Path(s.Expr)
	if p.Root == nil || q.Root == nil {
		return false
	}
	return p == q || fn.unaliased(p.String()) == fn.unaliased(q.String())
}

// WaitHeat is the heat of the hottest line where the function, or one that it
// calls for it, takes its lock and a goroutine waits for it; 0 if none does.
func (f *LockedFunction) WaitHeat() float64 {
	hottest := 0.0
	for _, s := range f.sections {
		if heat, waits := f.HeatAt(s.Acquire.Pos()); waits != "" {
			hottest = max(hottest, heat)
		}
	}
	for _, c := range f.calls {
		if c.To.decl != f.decl {
			hottest = max(hottest, c.To.WaitHeat())
		}
	}
	return hottest
}

// AcquiresOf are the keys of the locks that a call may acquire in what it calls.
func (fn *Function) AcquiresOf(call *ast.CallExpr) []string { return slices.Clone(fn.acquires(call)) }

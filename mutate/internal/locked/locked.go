package locked

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/guards"
	"mendel/mutate/fact/held"
)

// A Call is a call of a function that takes a lock.
type Call struct {
	Expr *ast.CallExpr
	To   *Function
}

// Of finds the locks with a key that the function takes and could leave to
// its callers: in the section that is its body, as [Whole]
// has it, in other sections, or in functions that it calls and that can leave
// them to it, a few calls deep.
//
// Left out are functions that take both sides of a lock, that wait for others
// where they do not hold it, since a variant's callers would hold it meanwhile,
// that defer calls beside a section, and that may get at the lock in any other way.
func Of(fn *mutate.Function, key string) []*Function { return ofBelow(fn, key, nil) }

// ofBelow is [Of] for a function that those above call, one the next.
func ofBelow(fn *mutate.Function, key string, above []*mutate.Function) []*Function {
	var found []*Function
	at := func(p mutate.Path, l analysis.Lock) *Function {
		i := slices.IndexFunc(found, func(f *Function) bool { return f.Lock == p })
		if i >= 0 {
			return found[i]
		}
		f, ok := begin(fn, p, l)
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
	for _, c := range CallsNow(fn) {
		if len(above) > guards.MaxCalls || slices.Contains(above, c.To) || !slices.Contains(fn.Program.Acquires(fn.File, c.Expr), key) {
			continue
		}
		for _, to := range ofBelow(c.To, key, above) {
			if f := at(c.Name(to.Lock), to.As); f != nil && CanCall(fn, c.Expr, to) {
				f.calls = append(f.calls, Call{c.Expr, to})
			}
		}
	}
	return slices.DeleteFunc(found, func(f *Function) bool { return !f.complete() })
}

// CallsNow lists the calls, by name, that the function makes before it returns
// of functions that may be edited, those of function literals included that are
// called where they stand or given to a function known to call them at once. Of
// deferred calls there are those that run before a deferred release.
func CallsNow(fn *mutate.Function) []mutate.Call { return allCallsNow.Of(fn) }

var allCallsNow = mutate.NewFact(findCallsNow)

func findCallsNow(fn *mutate.Function) []mutate.Call {
	var calls []mutate.Call
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
				if to := fn.Declared(f); f != nil && to != nil {
					calls = append(calls, mutate.Call{Expr: n, To: to, From: fn, Made: n})
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

// callersKey is the key of [callsOf].
type callersKey struct{}

// callsOf lists the calls of the function, as [CallsNow] has them, by file and in source order. A call in
// a literal may be there for each function that the literal is a part of.
func callsOf(fn *mutate.Function) []mutate.Call {
	return mutate.Once(fn, callersKey{}, func() map[*mutate.Function][]mutate.Call {
		calls := make(map[*mutate.Function][]mutate.Call)
		for _, from := range fn.OfProgram() {
			for _, c := range CallsNow(from) {
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
func CanCall(fn *mutate.Function, call *ast.CallExpr, to *Function) bool {
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
	return obj == nil && !to.exists || ok && to.exists && fn.Declared(f.Origin()) != nil
}

// complete reports whether all that a function does with a lock is known, and
// fills in how a variant of it comes about.
func (f *Function) complete() bool {
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
	if whole, ok := Whole(f.Function); ok && len(f.sections) == 1 && whole.Section.Acquire == f.sections[0].Acquire {
		f.Section, f.inner = whole.Section, whole.inner
		return true
	}
	return !f.defersBeside() && !held.Waits(f.Function, f.As, f.Body.List...)
}

// callsItself adds the function's calls of itself that come to the same lock.
func (f *Function) callsItself() {
	for _, c := range CallsNow(f.Function) {
		if c.To == f.Function && c.Name(f.Lock) == f.Lock {
			f.calls = append(f.calls, Call{c.Expr, f})
		}
	}
}

// takesBeside reports whether the function may take or release its lock other
// than in the sections and calls that are known. What it starts may.
func (f *Function) takesBeside() bool {
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
			l, _, isLock := f.Program.LockCall(f.File, n)
			takes := isLock && l.Key == f.As.Key || !isLock && slices.Contains(f.Program.Acquires(f.File, n), f.As.Key)
			found = found || takes && (syntax.PackageLevel(f.Lock.Root) || syntax.Has(f.File.Package.Info, f.Lock.Root, n))
		}
		return !found
	})
	return found
}

// defersBeside reports whether the function defers anything but a release of its lock.
func (f *Function) defersBeside() bool {
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

// SameLock reports whether a path of the function certainly means a section's
// lock. Local variables that only stand for another expression are seen through.
func SameLock(fn *mutate.Function, p mutate.Path, s *mutate.Section) bool {
	q := fn.Path(s.Expr)
	if p.Root == nil || q.Root == nil {
		return false
	}
	return p == q || fn.Unaliased(p.String()) == fn.Unaliased(q.String())
}

// WaitHeat is the heat of the hottest line where the function, or one that it
// calls for it, takes its lock and a goroutine waits for it; 0 if none does.
func (f *Function) WaitHeat() float64 {
	hottest := 0.0
	for _, s := range f.sections {
		if heat, waits := f.Function.Narrowing.HeatAt(s.Acquire.Pos()); waits != "" {
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

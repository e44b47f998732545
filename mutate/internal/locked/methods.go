package locked

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/lockcall"
)

// A Function is one that takes a lock which its callers can name,
// itself or in functions that it calls. A caller that holds the lock already
// could do with a variant of it that takes none.
type Function struct {
	*mutate.Function
	// Section is the critical section that is the whole body; nil where the
	// function takes the lock in another way, for which see [Of].
	Section *mutate.Section
	Lock    mutate.Path   // as the function writes it: b.mu
	As      analysis.Lock // the same
	Read    bool          // only the read side is taken

	decl     *ast.FuncDecl
	method   *types.Func
	inner    []ast.Stmt        // what the variant does; of a whole body
	sections []*mutate.Section // all that it has on the lock
	calls    []Call            // of functions that take the lock in turn, itself maybe
	variant  string            // name of the variant
	exists   bool              // there is a variant already
}

// Whole reports whether the function is one that a variant without the
// lock can be made of, or has been, as it is one section: the lock belongs to
// its receiver, a pointer, or to a parameter that is one, or is the package's;
// receiver and parameters have names; the release is deferred at once, or the
// last statement but for returning names and literals, with each early release
// right before its return; the lock is neither taken nor released in between;
// and nothing else has the variant's name.
func Whole(fn *mutate.Function) (*Function, bool) {
	sections := fn.Sections()
	if len(sections) == 0 || len(fn.Body.List) == 0 || sections[0].Acquire != fn.Body.List[0] || sections[0].Again {
		return nil, false
	}
	m, ok := begin(fn, fn.Path(sections[0].Expr), sections[0].Lock)
	if !ok {
		return nil, false
	}
	m.Section, m.Read, m.sections = sections[0], sections[0].Read, sections[:1]
	if !m.takeApart() || m.handlesLock() {
		return nil, false
	}
	return m, m.nameVariant()
}

// begin begins what is known of a declared function that takes a lock;
// ok is false where a variant could not be called, or could not name the lock.
func begin(fn *mutate.Function, p mutate.Path, l analysis.Lock) (m *Function, ok bool) {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || !named(decl) {
		return nil, false
	}
	method, ok := fn.File.Package.Info.Defs[decl.Name].(*types.Func)
	if !ok || p.Root == nil || method.Name() == "_" || method.Name() == "init" {
		return nil, false
	}
	if !syntax.PackageLevel(p.Root) {
		_, pointer := types.Unalias(p.Root.Type()).(*types.Pointer)
		if !pointer || !isParameter(method.Signature(), p.Root) || mutate.Assigned.Of(fn)[p.Root] {
			return nil, false
		}
	}
	if method.Signature().TypeParams().Len() > 0 { // a call may not show their arguments
		return nil, false
	}
	l.Expr, l.New = p.String(), nil
	return &Function{Function: fn, Lock: p, As: l, decl: decl, method: method}, true
}

// isParameter reports whether a variable is the receiver or a parameter of a function.
func isParameter(sig *types.Signature, v types.Object) bool {
	if recv := sig.Recv(); recv != nil && v == types.Object(recv) {
		return true
	}
	for param := range sig.Params().Variables() {
		if v == types.Object(param) {
			return true
		}
	}
	return false
}

// named reports whether receiver and parameters of a function have names to pass them on by.
func named(decl *ast.FuncDecl) bool {
	fields := slices.Clone(decl.Type.Params.List)
	if decl.Recv != nil {
		fields = append(fields, decl.Recv.List...)
	}
	for _, field := range fields {
		if len(field.Names) == 0 || slices.ContainsFunc(field.Names, func(id *ast.Ident) bool { return id.Name == "_" }) {
			return false
		}
	}
	return true
}

// takeApart finds what the method does under its lock.
func (m *Function) takeApart() bool {
	s := m.Section
	switch {
	case s.DefersAtOnce():
		m.inner = s.List[s.At+2:]
	case s.Deferred || !s.CanDefer() || m.defers():
		return false
	case s.Final == nil:
		m.inner = s.Body
	default:
		after := s.List[s.Last+2:]
		if len(after) > 1 {
			return false
		}
		if len(after) == 1 {
			if ret, ok := after[0].(*ast.ReturnStmt); !ok || !syntax.NamesOnly(ret.Results) {
				return false
			}
		}
		m.inner = slices.Concat(s.Body, after)
	}
	return len(m.inner) > 0
}

// defers reports whether the method defers a call, which now runs after its
// release and would run before.
func (m *Function) defers() bool {
	found := false
	syntax.WalkOwn(m.Body, func(n ast.Node, _ []ast.Node) {
		_, ok := n.(*ast.DeferStmt)
		found = found || ok
	})
	return found
}

// handlesLock reports whether the method takes or releases its lock other than
// as a whole; function literals count.
func (m *Function) handlesLock() bool {
	found := false
	for _, s := range m.inner {
		ast.Inspect(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || found || syntax.Within(call, m.Section.Releases...) {
				return !found
			}
			c, ok := lockcall.OfExpr(m.Program, m.File, call)
			found = ok && c.Lock.Key == m.As.Key && m.Path(c.On) == m.Lock
			return !found
		})
	}
	return found
}

// nameVariant finds the variant's name: that of the function which this one
// wraps, or else the function's own with "Locked", if it is free.
func (m *Function) nameVariant() bool {
	if name, ok := m.wraps(); ok {
		m.variant, m.exists = name, true
		return true
	}
	m.variant = syntax.VariantName(m.method.Name())
	return m.beside(m.variant) == nil
}

// findVariant finds a function that people call like a variant of this one, and
// that can be called in its place.
func (m *Function) findVariant() bool {
	name := m.method.Name()
	small := syntax.Uncapital(name)
	for _, v := range []string{small + "Locked", name + "Locked", small + "NoLock", small + "Unlocked"} {
		if f, ok := m.beside(v).(*types.Func); ok && m.without(f) {
			m.variant, m.exists = v, true
			return true
		}
	}
	return false
}

// beside finds what has a name where the variant will: a method or field of the
// receiver's type, or what the package declares.
func (m *Function) beside(name string) types.Object {
	recv := m.method.Signature().Recv()
	if recv == nil {
		return m.method.Pkg().Scope().Lookup(name)
	}
	obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, m.method.Pkg(), name)
	return obj
}

// without reports whether another function can be called instead of this one and
// takes no lock of the kind.
func (m *Function) without(f *types.Func) bool {
	to := m.Declared(f.Origin())
	if to == nil || !syntax.SameGeneric(f.Signature(), m.method.Signature()) {
		return false
	}
	return !syntax.Any(to.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			l, _, isLock := m.Program.LockCall(to.File, call)
			return isLock && l.Key == m.As.Key || slices.Contains(to.Program.Acquires(to.File, call), m.As.Key)
		}
		return false
	})
}

// wraps finds the method that this one does nothing but call under its lock,
// with its own parameters, and that does not take the lock.
func (m *Function) wraps() (name string, ok bool) {
	if len(m.inner) != 1 {
		return "", false
	}
	var e ast.Expr
	switch s := m.inner[0].(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.ReturnStmt:
		if len(s.Results) != 1 {
			return "", false
		}
		e = s.Results[0]
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return "", false
	}
	to := syntax.Callee(m.File.Package.Info, call.Fun)
	if to == nil || to.Pkg() != m.method.Pkg() || !m.onReceiver(call.Fun) {
		return "", false
	}
	if !m.passesOn(call) || !syntax.SameGeneric(to.Signature().Results(), m.method.Signature().Results()) {
		return "", false
	}
	if slices.Contains(m.Program.Acquires(m.File, call), m.As.Key) {
		return "", false
	}
	return to.Name(), true
}

// onReceiver reports whether what is called is a method of the function's own
// receiver or, where that has none, a function.
func (m *Function) onReceiver(fun ast.Expr) bool {
	recv := m.method.Signature().Recv()
	sel, selects := ast.Unparen(fun).(*ast.SelectorExpr)
	if recv == nil {
		return !selects
	}
	return selects && m.Path(sel.X) == (mutate.Path{Root: recv})
}

// passesOn reports whether a call's arguments are the method's parameters.
func (m *Function) passesOn(call *ast.CallExpr) bool {
	params := m.method.Signature().Params()
	if len(call.Args) != params.Len() || call.Ellipsis.IsValid() != m.method.Signature().Variadic() {
		return false
	}
	for i, arg := range call.Args {
		id, ok := arg.(*ast.Ident)
		if !ok || m.File.Package.Info.ObjectOf(id) != params.At(i) {
			return false
		}
	}
	return true
}

// OnlyCalledBy reports whether no other calls of the method are in the program
// than the given ones, and nothing else knows it: it is not exported, no value
// and no interface's.
func (m *Function) OnlyCalledBy(calls []*ast.CallExpr) bool {
	if m.method.Exported() || m.exists {
		return false
	}
	for _, c := range m.calls { // its own, of itself, do not count
		if c.To.decl == m.decl {
			calls = append(slices.Clip(calls), c.Expr)
		}
	}
	given := make(map[*ast.Ident]bool)
	for _, call := range calls {
		switch fun := ast.Unparen(call.Fun).(type) {
		case *ast.SelectorExpr:
			given[fun.Sel] = true
		case *ast.Ident:
			given[fun] = true
		}
	}
	for _, pkg := range m.Program.Packages {
		for id, obj := range pkg.Info.Uses {
			if f, ok := obj.(*types.Func); ok && f.Origin() == m.method && !given[id] {
				return false
			}
		}
		for _, obj := range pkg.Info.Defs {
			f, ok := obj.(*types.Func)
			if ok && m.decl.Recv != nil && f.Name() == m.method.Name() && f.Signature().Recv() != nil && types.IsInterface(f.Signature().Recv().Type()) {
				return false
			}
		}
	}
	return true
}

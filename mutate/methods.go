package mutate

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode"
)

// A LockedMethod is a method whose whole body is one section on a lock that
// its receiver leads to. A caller that holds the lock already could do with a
// variant of it that takes none.
type LockedMethod struct {
	*Function
	Section *Section
	Lock    Path // the lock as the method writes it: b.mu

	decl    *ast.FuncDecl
	method  *types.Func
	inner   []ast.Stmt // what the variant does
	variant string     // name of the variant
	exists  bool       // the method does nothing else than call it
}

// LockedMethod tells whether the function is a method that a variant without
// the lock can be made of, or has been: its receiver is a pointer and it and
// all parameters have names; the release is deferred at once, or the last
// statement but for returning names and literals, with each early release right
// before its return; the lock is neither taken nor released in between; and
// nothing else has the variant's name.
func (fn *Function) LockedMethod() (*LockedMethod, bool) {
	m := &LockedMethod{Function: fn}
	var ok bool
	if m.decl, ok = fn.Node.(*ast.FuncDecl); !ok || m.decl.Recv == nil || !named(m.decl) {
		return nil, false
	}
	m.method, ok = fn.File.Package.Info.Defs[m.decl.Name].(*types.Func)
	if !ok || len(fn.Body.List) == 0 {
		return nil, false
	}
	recv := m.method.Signature().Recv()
	if _, pointer := types.Unalias(recv.Type()).(*types.Pointer); !pointer || fn.assigns(recv) {
		return nil, false
	}
	sections := fn.Sections()
	if len(sections) == 0 || sections[0].Acquire != fn.Body.List[0] || sections[0].Again {
		return nil, false
	}
	m.Section = sections[0]
	m.Lock = fn.Path(m.Section.expr)
	if m.Lock.Root != recv || !m.takeApart() || m.handlesLock() {
		return nil, false
	}
	return m, m.nameVariant()
}

// named tells whether receiver and parameters of a method have names to pass them on by.
func named(decl *ast.FuncDecl) bool {
	for _, field := range append(slices.Clone(decl.Recv.List), decl.Type.Params.List...) {
		if len(field.Names) == 0 || slices.ContainsFunc(field.Names, func(id *ast.Ident) bool { return id.Name == "_" }) {
			return false
		}
	}
	return len(decl.Recv.List) == 1
}

// takeApart finds what the method does under its lock.
func (m *LockedMethod) takeApart() bool {
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
			if ret, ok := after[0].(*ast.ReturnStmt); !ok || !Plain(ret.Results) {
				return false
			}
		}
		m.inner = slices.Concat(s.Body, after)
	}
	return len(m.inner) > 0
}

// defers tells whether the method defers a call, which now runs after its
// release and would run before.
func (m *LockedMethod) defers() bool {
	found := false
	inspect(m.Body, func(n ast.Node, _ []ast.Node) {
		_, ok := n.(*ast.DeferStmt)
		found = found || ok
	})
	return found
}

// handlesLock tells whether the method takes or releases its lock other than
// as a whole; function literals count.
func (m *LockedMethod) handlesLock() bool {
	found := false
	for _, s := range m.inner {
		ast.Inspect(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || found || within(call, m.Section.Releases) {
				return !found
			}
			c, ok := m.lockCallOf(call)
			found = ok && c.lock.Key == m.Section.Lock.Key && m.Path(c.expr) == m.Lock
			return !found
		})
	}
	return found
}

// nameVariant finds the variant's name: that of the method which this one
// wraps, or else the method's own with "Locked", if it is free.
func (m *LockedMethod) nameVariant() bool {
	if name, ok := m.wraps(); ok {
		m.variant, m.exists = name, true
		return true
	}
	m.variant = uncapital(m.method.Name()) + "Locked"
	recv := m.method.Signature().Recv().Type()
	obj, _, _ := types.LookupFieldOrMethod(recv, true, m.method.Pkg(), m.variant)
	return obj == nil
}

// wraps finds the method that this one does nothing but call under its lock,
// with its own parameters, and that does not take the lock.
func (m *LockedMethod) wraps() (name string, ok bool) {
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
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || m.Path(sel.X) != (Path{Root: m.Lock.Root}) {
		return "", false
	}
	to, ok := m.File.Package.Info.Uses[sel.Sel].(*types.Func)
	if !ok || !m.passesOn(call) || !types.Identical(to.Signature().Results(), m.method.Signature().Results()) {
		return "", false
	}
	if slices.Contains(m.Program.Acquires(m.File, call), m.Section.Lock.Key) {
		return "", false
	}
	return sel.Sel.Name, true
}

// passesOn tells whether a call's arguments are the method's parameters.
func (m *LockedMethod) passesOn(call *ast.CallExpr) bool {
	params := m.method.Signature().Params()
	if len(call.Args) != params.Len() || call.Ellipsis.IsValid() != m.method.Signature().Variadic() {
		return false
	}
	for i, arg := range call.Args {
		id, ok := arg.(*ast.Ident)
		if !ok || m.object(id) != params.At(i) {
			return false
		}
	}
	return true
}

// OnlyCalledBy tells whether no other calls of the method are in the program
// than the given ones, and nothing else knows it: it is not exported, no value
// and no interface's.
func (m *LockedMethod) OnlyCalledBy(calls []*ast.CallExpr) bool {
	if m.method.Exported() || m.exists {
		return false
	}
	given := make(map[*ast.Ident]bool)
	for _, call := range calls {
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			given[sel.Sel] = true
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
			if ok && f.Name() == m.method.Name() && f.Signature().Recv() != nil && types.IsInterface(f.Signature().Recv().Type()) {
				return false
			}
		}
	}
	return true
}

// uncapital makes an exported name one that is not: "Len" to "len", "ID" to
// "id", "URLOf" to "urlOf", "IDs" to "ids".
func uncapital(name string) string {
	runes := []rune(name)
	n := 0
	for n < len(runes) && unicode.IsUpper(runes[n]) {
		n++
	}
	if n > 1 && n < len(runes) && unicode.IsLower(runes[n]) && string(runes[n:]) != "s" { // the last capital begins the next word
		n--
	}
	return strings.ToLower(string(runes[:n])) + string(runes[n:])
}

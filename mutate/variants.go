package mutate

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// Variant makes sure that a locked function has a variant for callers that hold
// its lock, and returns the variant's name. The function is split as people do:
//
//	// Len is the length.                 // Len is the length.
//	func (b *Buffer) Len() int {          func (b *Buffer) Len() int {
//		b.mu.Lock()                           b.mu.Lock()
//		defer b.mu.Unlock()            →      defer b.mu.Unlock()
//		return b.count                        return b.lenLocked()
//	}                                     }
//
//	                                      // lenLocked is Len for callers that hold b.mu.
//	                                      func (b *Buffer) lenLocked() int {
//	                                          return b.count
//	                                      }
//
// Where the lock was taken in a part of the function, or in functions that it
// calls, it is now taken for all of it, and those have or become variants.
// Edits that need the same variant share it. The function's sections must be as
// they were in the original.
func (m *Mutation) Variant(e Edit, f *LockedFunction) (name string, err error) {
	if f.exists {
		return f.variant, nil
	}
	file, err := m.file(f.File.Rel)
	if err != nil {
		return "", err
	}
	decl, ok := m.Node(f.File.Rel, f.ID(f.decl)).(*dst.FuncDecl)
	if !ok {
		return "", Refuse(e, "another edit removed %s", f.Name)
	}
	at := slices.Index(file.root.Decls, dst.Decl(decl))
	if file.isVariant(at+1, f.variant) {
		return f.variant, nil
	}
	if err := m.lockWhole(e, f, decl); err != nil {
		return "", err
	}
	file.root.Decls = slices.Insert(file.root.Decls, at+1, dst.Decl(f.split(decl)))
	return f.variant, m.callVariants(e, f)
}

// lockWhole makes a function begin with taking its lock and deferring the release.
func (m *Mutation) lockWhole(e Edit, f *LockedFunction, decl *dst.FuncDecl) error {
	acquire, release := "Lock", "Unlock"
	if f.Read {
		acquire, release = "RLock", "RUnlock"
	}
	if f.Section == nil {
		if err := m.dropSections(e, f); err != nil {
			return err
		}
		decl.Body.List = slices.Insert(decl.Body.List, 0, dst.Stmt(m.Call(f.As, acquire, "")), dst.Stmt(m.Defer(f.As, release)))
		return nil
	}
	p, err := m.unchanged(e, f)
	if err != nil || p.Deferred {
		return err
	}
	if err := p.Drop(p.Releases...); err != nil {
		return err
	}
	decl.Body.List = slices.Insert(decl.Body.List, 1, dst.Stmt(m.Defer(p.Lock, release)))
	return nil
}

// dropSections takes all the function's sections on its lock away.
func (m *Mutation) dropSections(e Edit, f *LockedFunction) error {
	there := e
	there.File = f.File.Rel // section looks for statements in the edit's file
	for _, s := range f.sections {
		p, err := m.section(there, f.ID(s.Acquire))
		if err != nil {
			return err
		}
		if err := p.DropAll(); err != nil {
			return err
		}
	}
	return nil
}

// callVariants makes what a function calls in place of functions that take its
// lock. Its own variant it calls by name.
func (m *Mutation) callVariants(e Edit, f *LockedFunction) error {
	var others []LockedCall
	there := e
	there.File = f.File.Rel
	for _, c := range f.calls {
		if c.To.decl != f.decl {
			others = append(others, c)
		} else if err := m.Retarget(there, c.Expr, f.variant); err != nil {
			return err
		}
	}
	return m.CallUnlocked(there, others)
}

// CallUnlocked makes calls, in the edit's file, of functions that take a lock
// calls of functions that take none: of variants or, where nothing else calls a
// function, of the function, which loses its lock.
func (m *Mutation) CallUnlocked(e Edit, calls []LockedCall) error {
	for len(calls) > 0 {
		to := calls[0].To
		same := func(c LockedCall) bool { return c.To.decl == to.decl && c.To.Lock == to.Lock }
		var exprs []*ast.CallExpr
		for _, c := range calls {
			if same(c) {
				exprs = append(exprs, c.Expr)
			}
		}
		calls = slices.DeleteFunc(slices.Clone(calls), same)
		if g, ok := to.getter(); ok && !to.OnlyCalledBy(exprs) {
			if err := m.readDirectly(e, g, exprs); err != nil {
				return err
			}
			continue
		}
		name, err := m.withoutLock(e, to, exprs)
		if err != nil {
			return err
		}
		for _, call := range exprs {
			if to.isOwn(call) {
				continue // the function's own is made with the variant
			}
			if err := m.Retarget(e, call, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// isOwn reports whether a call is one of the function of itself.
func (f *LockedFunction) isOwn(call *ast.CallExpr) bool {
	return slices.ContainsFunc(f.calls, func(c LockedCall) bool { return c.To.decl == f.decl && c.Expr == call })
}

// withoutLock makes sure that a function can be called with its lock held and
// returns the name to call it by.
func (m *Mutation) withoutLock(e Edit, f *LockedFunction, calls []*ast.CallExpr) (name string, err error) {
	if f.OnlyCalledBy(calls) {
		return f.method.Name(), m.Unlock(e, f)
	}
	return m.Variant(e, f)
}

// split makes the variant of a function that now begins with its lock, and
// makes the function call it.
func (f *LockedFunction) split(decl *dst.FuncDecl) *dst.FuncDecl {
	section, inner := decl.Body.List[:2], decl.Body.List[2:]
	variant := &dst.FuncDecl{
		Name: dst.NewIdent(f.variant),
		Type: dst.Clone(decl.Type).(*dst.FuncType),
		Body: &dst.BlockStmt{List: slices.Clone(inner)},
	}
	if decl.Recv != nil {
		variant.Recv = dst.Clone(decl.Recv).(*dst.FieldList)
	}
	variant.Decs.Before, variant.Decs.After = dst.EmptyLine, dst.EmptyLine
	line := onLine(decl.Decs.End) // what stands below the function stays below
	variant.Decs.End = slices.Clone(decl.Decs.End[line:])
	decl.Decs.End = slices.Clone(decl.Decs.End[:line])
	variant.Decs.Start.Append("// " + f.variant + " is " + f.method.Name() + " for callers that hold " + f.Lock.String() + ".")
	decl.Body.List = append(slices.Clone(section), f.delegate(decl))
	for _, s := range section {
		s.Decorations().After = dst.NewLine // a gap there was between section and statements
	}
	section[1].Decorations().Before = dst.NewLine
	onLines(decl.Body.List)
	onLines(variant.Body.List)
	return variant
}

// isVariant reports whether a declaration was inserted and has a name.
func (f *editedFile) isVariant(at int, name string) bool {
	if at >= len(f.root.Decls) {
		return false
	}
	decl, ok := f.root.Decls[at].(*dst.FuncDecl)
	_, original := f.ids.of(f.root.Decls[at])
	return ok && !original && decl.Name.Name == name
}

// unchanged finds the section that is a locked function's body, which no other edit may have changed.
func (m *Mutation) unchanged(e Edit, method *LockedFunction) (*EditedSection, error) {
	there := e
	there.File = method.File.Rel // section looks for statements in the edit's file
	p, err := m.section(there, method.ID(method.Section.Acquire))
	if err != nil {
		return nil, err
	}
	for _, s := range slices.Concat([]ast.Stmt{p.Acquire}, p.Releases) {
		if _, err := p.node(s); err != nil {
			return nil, err
		}
	}
	if err := p.InOrder(p.List...); err != nil {
		return nil, err
	}
	if err := p.Untouched(); err != nil {
		return nil, err
	}
	for i, s := range p.List[:1+len(p.releaseAtOnce())] {
		n, _ := p.node(s)
		if _, index, _ := m.ListOf(there.File, n); index != i {
			return nil, Refuse(e, "another edit put something before the section of %s", method.Name)
		}
	}
	return p, nil
}

// releaseAtOnce is the deferred release that follows the acquisition, if there is one.
func (p *EditedSection) releaseAtOnce() []ast.Stmt {
	if p.DefersAtOnce() {
		return p.Releases
	}
	return nil
}

// delegate makes the statement that calls the variant with the function's own parameters.
func (f *LockedFunction) delegate(decl *dst.FuncDecl) dst.Stmt {
	call := &dst.CallExpr{Fun: dst.NewIdent(f.variant)}
	if decl.Recv != nil {
		call.Fun = &dst.SelectorExpr{X: dst.NewIdent(decl.Recv.List[0].Names[0].Name), Sel: dst.NewIdent(f.variant)}
	}
	for _, field := range decl.Type.Params.List {
		for _, name := range field.Names {
			call.Args = append(call.Args, dst.NewIdent(name.Name))
		}
	}
	call.Ellipsis = f.method.Signature().Variadic()
	if f.method.Signature().Results().Len() == 0 {
		return &dst.ExprStmt{X: call}
	}
	return &dst.ReturnStmt{Results: []dst.Expr{call}}
}

// onLines gives each statement of a block a line of its own, without a blank
// line at either end.
func onLines(list []dst.Stmt) {
	for i, s := range list {
		d := s.Decorations()
		d.Before, d.After = max(d.Before, dst.NewLine), max(d.After, dst.NewLine)
		if i == 0 {
			d.Before = dst.NewLine
		}
		if i == len(list)-1 {
			d.After = dst.NewLine
		}
	}
}

// Unlock takes the lock away from a locked function, all of whose callers hold
// it, and says so in its comment.
func (m *Mutation) Unlock(e Edit, f *LockedFunction) error {
	if f.Section != nil {
		if _, err := m.unchanged(e, f); err != nil {
			return err
		}
	}
	if err := m.dropSections(e, f); err != nil {
		return err
	}
	if err := m.saysHeld(e, f.Function, f.Lock.String()); err != nil {
		return err
	}
	var others []LockedCall
	for _, c := range f.calls {
		if c.To.decl != f.decl {
			others = append(others, c)
		}
	}
	there := e
	there.File = f.File.Rel
	return m.CallUnlocked(there, others)
}

// saysHeld puts into a declared function's comment that its callers hold a lock.
func (m *Mutation) saysHeld(e Edit, fn *Function, lock string) error {
	decl, ok := m.Node(fn.File.Rel, fn.ID(fn.Node)).(*dst.FuncDecl)
	if !ok {
		return Refuse(e, "another edit removed %s", fn.Name)
	}
	line := "// The caller holds " + lock + "."
	start := &decl.Decs.Start
	if slices.Contains(*start, line) {
		return nil
	}
	at := len(*start)
	for at > 0 && strings.HasPrefix((*start)[at-1], "//go:") { // directives come last
		at--
	}
	if at > 0 && at < len(*start) && (*start)[at-1] == "//" {
		at--
	}
	*start = slices.Insert(*start, at, line)
	return nil
}

// Retarget makes a call of a function one of another function, of the same
// value where it is a method.
func (m *Mutation) Retarget(e Edit, call *ast.CallExpr, name string) error {
	f, err := m.file(e.File)
	if err != nil {
		return err
	}
	old, ok := m.Node(e.File, f.tree.known(call)).(*dst.CallExpr)
	if !ok {
		return Refuse(e, "another edit removed a call")
	}
	// A new node, because the old one stands for a call of the old function.
	to := &dst.CallExpr{Fun: old.Fun, Args: old.Args, Ellipsis: old.Ellipsis, Decs: old.Decs}
	switch fun := old.Fun.(type) {
	case *dst.SelectorExpr:
		fun.Sel.Name = name
	case *dst.Ident:
		fun.Name = name
	default:
		return Refuse(e, "the call names no function")
	}
	dstutil.Apply(f.root, func(c *dstutil.Cursor) bool {
		if c.Node() == dst.Node(old) {
			c.Replace(to)
			return false
		}
		return true
	}, nil)
	return nil
}

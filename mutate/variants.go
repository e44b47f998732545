package mutate

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// Variant makes sure that a locked method has a variant for callers that hold
// its lock, and returns the variant's name. The method is split as people do:
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
// Edits that need the same variant share it. The method's section must be as
// it was in the original.
func (m *Mutation) Variant(e Edit, method *LockedMethod) (name string, err error) {
	if method.exists {
		return method.variant, nil
	}
	f, err := m.file(method.File.Rel)
	if err != nil {
		return "", err
	}
	decl, ok := m.Node(method.File.Rel, method.ID(method.decl)).(*dst.FuncDecl)
	if !ok {
		return "", Refuse(e, "another edit removed %s", method.Name)
	}
	at := slices.Index(f.root.Decls, dst.Decl(decl))
	if f.isVariant(at+1, method.variant) {
		return method.variant, nil
	}
	p, err := m.unchanged(e, method)
	if err != nil {
		return "", err
	}
	if !p.Deferred {
		if err := p.Drop(p.Releases...); err != nil {
			return "", err
		}
		_, unlock := p.Methods()
		decl.Body.List = slices.Insert(decl.Body.List, 1, dst.Stmt(m.Defer(p.Lock, unlock)))
	}
	f.root.Decls = slices.Insert(f.root.Decls, at+1, dst.Decl(method.split(decl)))
	return method.variant, nil
}

// split makes the variant of a method whose release has become deferred, and
// makes the method call it.
func (method *LockedMethod) split(decl *dst.FuncDecl) *dst.FuncDecl {
	section, inner := decl.Body.List[:2], decl.Body.List[2:]
	variant := &dst.FuncDecl{
		Recv: dst.Clone(decl.Recv).(*dst.FieldList),
		Name: dst.NewIdent(method.variant),
		Type: dst.Clone(decl.Type).(*dst.FuncType),
		Body: &dst.BlockStmt{List: slices.Clone(inner)},
	}
	variant.Decs.Before, variant.Decs.After = dst.EmptyLine, dst.EmptyLine
	line := onLine(decl.Decs.End) // what stands below the method stays below
	variant.Decs.End = slices.Clone(decl.Decs.End[line:])
	decl.Decs.End = slices.Clone(decl.Decs.End[:line])
	variant.Decs.Start.Append("// " + method.variant + " is " + method.method.Name() + " for callers that hold " + method.Lock.String() + ".")
	decl.Body.List = append(slices.Clone(section), method.delegate(decl))
	for _, s := range section {
		s.Decorations().After = dst.NewLine // a gap there was between section and statements
	}
	section[1].Decorations().Before = dst.NewLine
	onLines(decl.Body.List)
	onLines(variant.Body.List)
	return variant
}

// isVariant tells whether a declaration was inserted and has a name.
func (f *editedFile) isVariant(at int, name string) bool {
	if at >= len(f.root.Decls) {
		return false
	}
	decl, ok := f.root.Decls[at].(*dst.FuncDecl)
	_, original := f.ids[f.root.Decls[at]]
	return ok && !original && decl.Name.Name == name
}

// unchanged finds a locked method's section, which no other edit may have changed.
func (m *Mutation) unchanged(e Edit, method *LockedMethod) (*Placed, error) {
	there := e
	there.File = method.File.Rel // Placed looks for statements in the edit's file
	p, err := m.placed(there, method.ID(method.Section.Acquire))
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
		if _, index, _ := m.Place(there.File, n); index != i {
			return nil, Refuse(e, "another edit put something before the section of %s", method.Name)
		}
	}
	return p, nil
}

// releaseAtOnce is the deferred release that follows the acquisition, if there is one.
func (p *Placed) releaseAtOnce() []ast.Stmt {
	if p.DefersAtOnce() {
		return p.Releases
	}
	return nil
}

// delegate makes the statement that calls the variant with the method's own parameters.
func (method *LockedMethod) delegate(decl *dst.FuncDecl) dst.Stmt {
	call := &dst.CallExpr{Fun: &dst.SelectorExpr{
		X:   dst.NewIdent(decl.Recv.List[0].Names[0].Name),
		Sel: dst.NewIdent(method.variant),
	}}
	for _, field := range decl.Type.Params.List {
		for _, name := range field.Names {
			call.Args = append(call.Args, dst.NewIdent(name.Name))
		}
	}
	call.Ellipsis = method.method.Signature().Variadic()
	if method.method.Signature().Results().Len() == 0 {
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

// Unlock takes the lock away from a locked method, all of whose callers hold
// it, and says so in its comment.
func (m *Mutation) Unlock(e Edit, method *LockedMethod) error {
	p, err := m.unchanged(e, method)
	if err != nil {
		return err
	}
	decl, ok := m.Node(method.File.Rel, method.ID(method.decl)).(*dst.FuncDecl)
	if !ok {
		return Refuse(e, "another edit removed %s", method.Name)
	}
	if err := p.Drop(append([]ast.Stmt{p.Acquire}, p.Releases...)...); err != nil {
		return err
	}
	start := &decl.Decs.Start
	at := len(*start)
	for at > 0 && strings.HasPrefix((*start)[at-1], "//go:") { // directives come last
		at--
	}
	if at > 0 && at < len(*start) && (*start)[at-1] == "//" {
		at--
	}
	*start = slices.Insert(*start, at, "// The caller holds "+method.Lock.String()+".")
	return nil
}

// Retarget makes a call of a method one of another method of the same value.
func (m *Mutation) Retarget(e Edit, call *ast.CallExpr, name string) error {
	f, err := m.file(e.File)
	if err != nil {
		return err
	}
	old, ok := m.Node(e.File, f.tree.ids[call]).(*dst.CallExpr)
	if !ok {
		return Refuse(e, "another edit removed a call")
	}
	sel, ok := old.Fun.(*dst.SelectorExpr)
	if !ok {
		return Refuse(e, "the call names no method")
	}
	// A new node, because the old one stands for a call of the old method.
	to := &dst.CallExpr{Fun: sel, Args: old.Args, Ellipsis: old.Ellipsis, Decs: old.Decs}
	sel.Sel.Name = name
	dstutil.Apply(f.root, func(c *dstutil.Cursor) bool {
		if c.Node() == dst.Node(old) {
			c.Replace(to)
			return false
		}
		return true
	}, nil)
	return nil
}

package locked

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/internal/sectionedit"
	"mendel/mutate/internal/tree"
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
func Variant(m *mutate.Mutation, e mutate.Edit, f *Function) (name string, err error) {
	if f.exists {
		return f.variant, nil
	}
	decl, ok := m.Node(f.File.Rel, f.ID(f.decl)).(*dst.FuncDecl)
	if !ok {
		return "", mutate.Refuse(e, "another edit removed %s", f.Name)
	}
	file, err := m.File(f.File.Rel)
	if err != nil {
		return "", err
	}
	if file.HasInserted(decl, f.variant) {
		return f.variant, nil
	}
	if err := lockWhole(m, e, f, decl); err != nil {
		return "", err
	}
	if err := file.InsertDecl(decl, f.split(decl)); err != nil {
		return "", err
	}
	return f.variant, callVariants(m, e, f)
}

// lockWhole makes a function begin with taking its lock and deferring the release.
func lockWhole(m *mutate.Mutation, e mutate.Edit, f *Function, decl *dst.FuncDecl) error {
	acquire, release := "Lock", "Unlock"
	if f.Read {
		acquire, release = "RLock", "RUnlock"
	}
	if f.Section == nil {
		if err := dropSections(m, e, f); err != nil {
			return err
		}
		decl.Body.List = slices.Insert(decl.Body.List, 0, dst.Stmt(m.Call(f.As, acquire, "")), dst.Stmt(m.Defer(f.As, release)))
		return nil
	}
	p, err := unchanged(m, e, f)
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
func dropSections(m *mutate.Mutation, e mutate.Edit, f *Function) error {
	there := e
	there.File = f.File.Rel // section looks for statements in the edit's file
	for _, s := range f.sections {
		p, err := sectionedit.At(m, there, f.ID(s.Acquire))
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
func callVariants(m *mutate.Mutation, e mutate.Edit, f *Function) error {
	var others []Call
	there := e
	there.File = f.File.Rel
	for _, c := range f.calls {
		if c.To.decl != f.decl {
			others = append(others, c)
		} else if err := m.Retarget(there, c.Expr, f.variant); err != nil {
			return err
		}
	}
	return CallUnlocked(m, there, others)
}

// CallUnlocked makes calls, in the edit's file, of functions that take a lock
// calls of functions that take none: of variants or, where nothing else calls a
// function, of the function, which loses its lock.
func CallUnlocked(m *mutate.Mutation, e mutate.Edit, calls []Call) error {
	for len(calls) > 0 {
		to := calls[0].To
		same := func(c Call) bool { return c.To.decl == to.decl && c.To.Lock == to.Lock }
		var exprs []*ast.CallExpr
		for _, c := range calls {
			if same(c) {
				exprs = append(exprs, c.Expr)
			}
		}
		calls = slices.DeleteFunc(slices.Clone(calls), same)
		if g, ok := to.getter(); ok && !to.OnlyCalledBy(exprs) {
			if err := readDirectly(m, e, g, exprs); err != nil {
				return err
			}
			continue
		}
		name, err := withoutLock(m, e, to, exprs)
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
func (f *Function) isOwn(call *ast.CallExpr) bool {
	return slices.ContainsFunc(f.calls, func(c Call) bool { return c.To.decl == f.decl && c.Expr == call })
}

// withoutLock makes sure that a function can be called with its lock held and
// returns the name to call it by.
func withoutLock(m *mutate.Mutation, e mutate.Edit, f *Function, calls []*ast.CallExpr) (name string, err error) {
	if f.OnlyCalledBy(calls) {
		return f.method.Name(), unlock(m, e, f)
	}
	return Variant(m, e, f)
}

// split makes the variant of a function that now begins with its lock, and
// makes the function call it.
func (f *Function) split(decl *dst.FuncDecl) *dst.FuncDecl {
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
	line := tree.OnLine(decl.Decs.End) // what stands below the function stays below
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

// unchanged finds the section that is a locked function's body, which no other edit may have changed.
func unchanged(m *mutate.Mutation, e mutate.Edit, method *Function) (*sectionedit.Section, error) {
	there := e
	there.File = method.File.Rel // section looks for statements in the edit's file
	p, err := sectionedit.At(m, there, method.ID(method.Section.Acquire))
	if err != nil {
		return nil, err
	}
	for _, s := range slices.Concat([]ast.Stmt{p.Acquire}, p.Releases) {
		if _, err := p.Node(s); err != nil {
			return nil, err
		}
	}
	if err := p.InOrder(p.List...); err != nil {
		return nil, err
	}
	if err := p.Untouched(); err != nil {
		return nil, err
	}
	for i, s := range p.List[:1+len(releaseAtOnce(p.Section))] {
		n, _ := p.Node(s)
		if _, index, _ := m.ListOf(there.File, n); index != i {
			return nil, mutate.Refuse(e, "another edit put something before the section of %s", method.Name)
		}
	}
	return p, nil
}

// releaseAtOnce is the deferred release that follows the acquisition, if there is one.
func releaseAtOnce(p *mutate.Section) []ast.Stmt {
	if p.DefersAtOnce() {
		return p.Releases
	}
	return nil
}

// delegate makes the statement that calls the variant with the function's own parameters.
func (f *Function) delegate(decl *dst.FuncDecl) dst.Stmt {
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

// unlock takes the lock away from a locked function, all of whose callers hold
// it, and says so in its comment.
func unlock(m *mutate.Mutation, e mutate.Edit, f *Function) error {
	if f.Section != nil {
		if _, err := unchanged(m, e, f); err != nil {
			return err
		}
	}
	if err := dropSections(m, e, f); err != nil {
		return err
	}
	if err := SaysHeld(m, e, f.Function, f.Lock.String()); err != nil {
		return err
	}
	var others []Call
	for _, c := range f.calls {
		if c.To.decl != f.decl {
			others = append(others, c)
		}
	}
	there := e
	there.File = f.File.Rel
	return CallUnlocked(m, there, others)
}

// SaysHeld puts into a declared function's comment that its callers hold a lock.
func SaysHeld(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, lock string) error {
	decl, ok := m.Node(fn.File.Rel, fn.ID(fn.Node)).(*dst.FuncDecl)
	if !ok {
		return mutate.Refuse(e, "another edit removed %s", fn.Name)
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

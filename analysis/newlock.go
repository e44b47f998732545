package analysis

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A NewLock is a mutex that a fix declares. Two locks with the same
// [Lock.Key] are the same mutex, to be declared once, although each is offered
// beside the variable that it was asked for.
type NewLock struct {
	Kind string `json:"kind"` // "field", "package", "local"
	Name string `json:"name"` // "mu", or where that is used one from what it guards: "cacheMu", "totalMu"
	File string `json:"file"` // module-relative file of the declaration it is put beside
	// Offset is the byte offset, in the original file, of what it is put
	// beside: the name of the field, package variable or local variable it guards.
	// A package lock for the fields of a struct is put beside the name of the
	// type; a local lock for a parameter goes to the head of the function's body.
	Offset int `json:"offset"`
	// Type is what is declared instead of a mutex, as Go writes it with the
	// standard names of packages: "sync.Once", "chan struct{}"; "": a mutex.
	Type string `json:"type,omitempty"`
}

// Kinds of new locks.
const (
	FieldLock   = "field"
	PackageLock = "package"
	LocalLock   = "local"
)

// NewLocks lists the mutexes that could be declared to guard the variables
// accessed at a statement: a field beside a field (with the expression that
// reaches it here), a package variable, a captured local. Best first.
//
// No field is offered for a struct whose values are copied, compared or
// written without keys somewhere in the program, which a mutex in it would
// break, nor where the struct has a mutex already; no declaration is offered in
// generated files, nor in test files except to code of test files.
func (p *Program) NewLocks(f *File, at ast.Node, accesses []Access) []Lock {
	s := p.scopeAt(f, at)
	if s == nil {
		return nil
	}
	c := &newLocks{p: p, s: s, field: "mu", seen: map[string]bool{}}
	for _, a := range accesses {
		if sel, ok := a.Expr.(*ast.SelectorExpr); ok && f.Package.Info.Selections[sel] != nil {
			c.beside(sel)
		}
	}
	for _, a := range accesses {
		switch {
		case a.Var.IsField():
		case a.Var.Parent() == a.Var.Pkg().Scope():
			c.packageLock(a.Var, a.Var.Name()+"Mu")
		default:
			c.local(a.Var)
		}
	}
	for _, a := range accesses {
		if a.Var.IsField() {
			c.forType(a)
		}
	}
	return c.found
}

type newLocks struct {
	p     *Program
	s     *scope
	found []Lock
	seen  map[string]bool // what was offered, by expression, fields by their type too
	field string          // the name of a field, if it is free
	typ   string          // what is declared instead of a mutex; see NewLock.Type
}

func (c *newLocks) offer(l Lock) {
	id := l.Expr
	if l.New.Kind == FieldLock { // a promoted one may be that of several types
		id += " " + l.Key
	}
	if !c.seen[id] {
		c.seen[id] = true
		c.found = append(c.found, l)
	}
}

// beside offers a mutex field beside an accessed field, and beside the fields whose
// values it is a part of: of s.stats.hits in the type of s.stats and in that of s. What
// has methods keeps its own parts together, so that it comes first.
func (c *newLocks) beside(sel *ast.SelectorExpr) {
	containers := c.containers(sel)
	if c.typ != "" { // it belongs to this field
		containers = containers[:min(len(containers), 1)]
	}
	slices.SortStableFunc(containers, func(a, b container) int {
		return cmp.Compare(min(b.owner.NumMethods(), 1), min(a.owner.NumMethods(), 1))
	})
	for _, h := range containers {
		c.within(h)
	}
}

// A container is a struct that has a field, or has it in the value of another.
type container struct {
	base  ast.Expr // from which a lock is selected
	owner *types.Named
	field *types.Var // its own
}

// containers are the named structs that hold what is selected, from the inside outward.
func (c *newLocks) containers(sel *ast.SelectorExpr) (out []container) {
	info := c.s.f.Package.Info
	for {
		s := info.Selections[sel]
		if s == nil || s.Kind() != types.FieldVal {
			return out
		}
		path := fieldPath(s.Recv(), s.Index())
		for i, l := range slices.Backward(path) {
			if owner := c.ownNamed(l.owner); owner != nil {
				out = append(out, container{sel.X, owner, l.v})
			}
			if i > 0 && isPointer(path[i-1].typ) {
				return out
			}
		}
		outer, ok := ast.Unparen(sel.X).(*ast.SelectorExpr)
		if !ok || isPointer(info.TypeOf(sel.X)) {
			return out
		}
		sel = outer
	}
}

// within offers a mutex as a field of a struct, if it can take one.
func (c *newLocks) within(h container) {
	info := c.s.f.Package.Info
	if !c.s.nameable(h.base) || !c.s.addressable(h.base) || pointsTwice(info.TypeOf(strip(h.base))) {
		return
	}
	f := c.p.fileAt(h.field.Pos())
	if f == nil || f.Generated || f.Test && !c.s.f.Test || h.owner.Obj().Pkg() != c.s.f.Package.Types {
		return
	}
	st := h.owner.Underlying().(*types.Struct)
	if c.typ == "" && c.p.hasLock(st) || c.p.copies()[h.owner.Obj()] != 0 || !topLevel(h.owner.Obj()) {
		return
	}
	name := c.freeField(h.owner)
	if found, _, _ := types.LookupFieldOrMethod(info.TypeOf(h.base), true, h.owner.Obj().Pkg(), name); found != nil {
		return
	}
	c.offer(Lock{
		Expr: exprText(h.base) + "." + name,
		Key:  c.p.typeKey(h.owner) + "." + name,
		New:  &NewLock{Kind: FieldLock, Name: name, File: f.Rel, Offset: c.p.offset(h.field.Pos()), Type: c.typ},
	})
}

// pointsTwice reports whether a type is a pointer to a pointer, which a selector
// does not follow by itself.
func pointsTwice(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, twice := p.Elem().Underlying().(*types.Pointer)
	return twice
}

// ownerOf is the named struct type that declares the selected field, nil if the
// struct has no name.
func (c *newLocks) ownerOf(sel *ast.SelectorExpr) *types.Named {
	s := c.s.f.Package.Info.Selections[sel]
	path := fieldPath(s.Recv(), s.Index())
	if len(path) == 0 {
		return nil
	}
	return c.ownNamed(path[len(path)-1].owner)
}

// ownNamed is the module's named type that t is, nil if it is none.
func (c *newLocks) ownNamed(t types.Type) *types.Named {
	n, _ := types.Unalias(t).(*types.Named)
	if n == nil || !c.p.owns(n.Obj()) {
		return nil
	}
	return n.Origin()
}

// hasLock reports whether a struct has a mutex or Locker of its own; a new one beside it would only confuse.
func (p *Program) hasLock(st *types.Struct) bool {
	for f := range st.Fields() {
		_, own := p.lockTypeOf(deref(f.Type()))
		if own || isMutex(f.Type()) || isLocker(f.Type()) {
			return true
		}
	}
	return false
}

func topLevel(obj *types.TypeName) bool { return obj.Parent() == obj.Pkg().Scope() }

// packageLock offers a package-level mutex beside a package-level declaration:
// mu, or if the package uses that name already, the given one.
func (c *newLocks) packageLock(beside types.Object, name string) {
	f := c.p.fileAt(beside.Pos())
	if f == nil || f.Generated || f.Package != c.s.f.Package || f.Test && !c.s.f.Test {
		return
	}
	used := c.p.names(f.Package)
	if c.typ == "" && !used["mu"] {
		name = "mu"
	}
	name = firstFree(func(n string) bool { return used[n] }, lowerFirst(name))
	c.offer(Lock{
		Expr: name,
		Key:  f.Package.Path + "." + name,
		New:  &NewLock{Kind: PackageLock, Name: name, File: f.Rel, Offset: c.p.offset(beside.Pos()), Type: c.typ},
	})
}

// forType offers a package-level mutex for the fields of a type: the only one
// where the type can take none, and for a section that uses two values of a
// type the one that needs no order of locking.
func (c *newLocks) forType(a Access) {
	sel, ok := a.Expr.(*ast.SelectorExpr)
	if !ok || c.s.f.Package.Info.Selections[sel] == nil {
		return
	}
	if owner := c.ownerOf(sel); owner != nil && topLevel(owner.Obj()) {
		c.packageLock(owner.Obj(), owner.Obj().Name()+"Mu")
	}
}

// local offers a mutex just before the declaration of a local variable that
// function literals use, or first in the body of the function whose parameter
// it is. A variable that nobody else knows would get a mutex that nobody else knows.
// The variables of a block that literals write share one mutex.
func (c *newLocks) local(v *types.Var) {
	f := c.p.fileAt(v.Pos())
	if f != c.s.f || f.Generated || !c.s.visible(v) {
		return
	}
	decl := enclosingDecl(f, v.Pos())
	if decl == nil || v.Kind() == types.RecvVar || !c.p.index().captured(v) {
		return
	}
	v = c.p.index().firstWritten(v)
	used := c.p.NamesAt(f, v.Pos())
	pkgNames := f.Package.Types.Scope()
	name := firstFree(func(n string) bool { return used[n] || pkgNames.Lookup(n) != nil }, "mu", lowerFirst(v.Name()+"Mu"))
	pos := c.p.Fset.Position(v.Pos())
	c.offer(Lock{
		Expr: name,
		Key:  f.Package.Path + "." + FuncName(decl) + "." + name + "@" + strconv.Itoa(pos.Line) + ":" + strconv.Itoa(pos.Column),
		New:  &NewLock{Kind: LocalLock, Name: name, File: f.Rel, Offset: c.p.offset(v.Pos())},
	})
}

// freeField is a name for a field, such as mu, that neither the type nor a type that
// embeds it uses for a field or method. The second choice has the type's name and
// not a field's: accesses of all fields are to be offered the same mutex.
func (c *newLocks) freeField(owner *types.Named) string {
	names := []string{c.field}
	if c.typ == "" {
		names = append(names, lowerFirst(owner.Obj().Name()+"Mu"))
	}
	return firstFree(func(name string) bool {
		taken := func(obj *types.TypeName) bool {
			found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, owner.Obj().Pkg(), name)
			return found != nil
		}
		return taken(owner.Obj()) || slices.ContainsFunc(c.p.embedders()[owner.Obj()], taken)
	}, names...)
}

// findEmbedders finds, for each named type, the module's named struct types, at
// package level, that have it embedded directly.
func (p *Program) findEmbedders() map[*types.TypeName][]*types.TypeName {
	found := map[*types.TypeName][]*types.TypeName{}
	for _, pkg := range p.Packages {
		scope := pkg.Types.Scope()
		for _, n := range scope.Names() {
			obj, ok := scope.Lookup(n).(*types.TypeName)
			if !ok || obj.Type() == nil {
				continue
			}
			st, ok := obj.Type().Underlying().(*types.Struct)
			if !ok {
				continue
			}
			for f := range st.Fields() {
				if inner := namedOf(f.Type()); f.Embedded() && inner != nil {
					of := inner.Origin().Obj()
					found[of] = append(found[of], obj)
				}
			}
		}
	}
	return found
}

// firstFree is the first of some names that is not used or else, of the last
// name, the first of name2, name3, ...
func firstFree(used func(string) bool, names ...string) string {
	for _, name := range names {
		if !used(name) {
			return name
		}
	}
	last := names[len(names)-1]
	free := last + "2"
	for i := 3; used(free); i++ {
		free = last + strconv.Itoa(i)
	}
	return free
}

func lowerFirst(name string) string {
	r, size := utf8.DecodeRuneInString(name)
	return strings.ToLower(string(unicode.ToLower(r))) + name[size:]
}

// identifiers are all names written in a package's files.
func identifiers(pkg *Package) map[string]bool {
	used := map[string]bool{}
	for _, f := range pkg.Files {
		collect(f.AST, used)
	}
	for _, tree := range pkg.hidden {
		collect(tree, used)
	}
	return used
}

// NamesAt are all names written in the declaration around a position of a file, but for
// those behind a dot. The map must not be changed.
func (p *Program) NamesAt(f *File, pos token.Pos) map[string]bool {
	decl := declAround(f, pos)
	if decl == nil {
		return nil
	}
	known, ok := p.localNames.Load(decl)
	if !ok {
		used := map[string]bool{}
		collect(decl, used)
		known, _ = p.localNames.LoadOrStore(decl, used)
	}
	return known.(map[string]bool)
}

func collect(root ast.Node, names map[string]bool) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr: // the name behind the dot cannot be confused
			collect(n.X, names)
			return false
		case *ast.Ident:
			names[n.Name] = true
		}
		return true
	})
}

func (p *Program) offset(pos token.Pos) int { return p.Fset.PositionFor(pos, false).Offset }

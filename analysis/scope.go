package analysis

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"
)

// maxSelectors is how many selectors an expression offered as a lock may have
// behind its variable.
const maxSelectors = 2

// maxLinks bounds the fields on the way, those of embedded structs included: a
// struct may embed a pointer to itself.
const maxLinks = 6

// Locks lists the existing mutexes in scope at a statement (or at the start of
// a function's body): package-level, receiver, parameters, captured and local
// variables declared before it, their fields up to two selectors deep,
// embedded ones, and those beside the fields that the statement accesses.
// Nearest first: of the owners of what is accessed, then by kind of variable
// in the order receiver, parameter, local, package-level.
//
// Left out are copies of mutexes (parameters passed by value, map elements,
// results), which guard nothing, and whatever it takes a call to reach. The list
// must not be changed.
func (p *Program) Locks(f *File, at ast.Node) []Lock {
	// Declarations are edited one after the other.
	var last *locksOf
	if known, ok := p.lastLocks.Load(f); ok {
		last = known.(*locksOf)
	}
	if last == nil || at.Pos() < last.decl.Pos() || last.decl.End() < at.End() {
		decl := declAround(f, at.Pos())
		if decl == nil {
			return p.findLocks(f, at, newLocksOf(nil))
		}
		last = newLocksOf(decl)
		p.lastLocks.Store(f, last)
	}
	known, ok := last.at.Load(at)
	if !ok {
		known, _ = last.at.LoadOrStore(at, p.findLocks(f, at, last))
	}
	return known.([]Lock)
}

// locksOf are the locks in scope at the places of a declaration, as far as they were
// asked for. Most places have the same, so that they share lists.
type locksOf struct {
	decl ast.Decl
	at   sync.Map // by ast.Node

	mu       sync.Mutex // guards all below
	places   []*locksAround
	lockedIn map[base][]candidate      // see scope.locksIn
	holders  map[*types.Scope][]holder // see scope.holders
}

func newLocksOf(decl ast.Decl) *locksOf {
	return &locksOf{decl: decl, lockedIn: make(map[base][]candidate), holders: make(map[*types.Scope][]holder)}
}

// locksAround are the locks that some places have but for those in the owners of what they
// access, and all of them by these owners.
type locksAround struct {
	locals []holder
	outer  []Lock
	owners ownedLocks
}

// ownedLocks are all locks of places with some owners, one after the other.
type ownedLocks struct {
	locks []Lock
	more  map[base]*ownedLocks // by the next owner
}

// declAround is the declaration of a file around a position; nil if there is none.
func declAround(f *File, pos token.Pos) ast.Decl {
	decls := f.AST.Decls
	i, _ := slices.BinarySearchFunc(decls, pos, func(d ast.Decl, pos token.Pos) int { return int(d.End() - pos) })
	if i == len(decls) || pos < decls[i].Pos() {
		return nil
	}
	return decls[i]
}

// findLocks is Locks at a place of a declaration.
func (p *Program) findLocks(f *File, at ast.Node, of *locksOf) []Lock {
	s := p.scopeAt(f, at)
	if s == nil {
		return nil
	}
	owners := s.owners(at)
	of.mu.Lock()
	defer of.mu.Unlock()
	s.of = of
	around := of.around(s.locals(), s.outer())
	found := around
	for _, o := range owners {
		key := s.baseOf(o.text, o.typ, o.chain, o.addressable)
		next := found.more[key]
		if next == nil {
			next = new(ownedLocks)
			if found.more == nil {
				found.more = make(map[base]*ownedLocks)
			}
			found.more[key] = next
		}
		found = next
	}
	if found.locks == nil {
		found.locks = s.withOwners(owners, around.locks)
	}
	return found.locks
}

// around finds the locks of places with some local variables and outer locks. of.mu is held.
func (of *locksOf) around(locals []holder, outer []Lock) *ownedLocks {
	for _, a := range slices.Backward(of.places) {
		if slices.Equal(a.outer, outer) && slices.EqualFunc(a.locals, locals, func(x, y holder) bool { return x.obj == y.obj && x.rank == y.rank }) {
			return &a.owners
		}
	}
	a := &locksAround{locals: locals, outer: outer}
	a.owners.locks = slices.Clip(append(sorted(candidates(locals)), outer...)) // these are of a greater rank
	of.places = append(of.places, a)
	return &a.owners
}

// withOwners puts the locks in some owners before others. A variable may be an owner.
func (s *scope) withOwners(owners []owner, others []Lock) []Lock {
	locks := make([]Lock, 0, len(others))
	seen := make(map[string]bool)
	for _, o := range owners {
		for _, n := range s.locksIn(o.text, o.typ, o.chain, o.addressable) {
			if !seen[n.lock.Expr] {
				seen[n.lock.Expr] = true
				locks = append(locks, n.lock)
			}
		}
	}
	for _, l := range others {
		if !seen[l.Expr] {
			locks = append(locks, l)
		}
	}
	return slices.Clip(locks)
}

// A scope is a position in a function body with what can be named there.
type scope struct {
	p     *Program
	f     *File
	pos   token.Pos
	scope *types.Scope
	decl  *ast.FuncDecl // around it, if any
	of    *locksOf      // what is known of the locks in the declaration, if they are asked for
}

// scopeAt finds the scope that a lock statement put before a node would be in.
func (p *Program) scopeAt(f *File, at ast.Node) *scope {
	pos := at.Pos()
	switch n := at.(type) {
	case *ast.FuncDecl:
		if n.Body == nil {
			return nil
		}
		pos = n.Body.Lbrace + 1
	case *ast.FuncLit:
		pos = n.Body.Lbrace + 1
	case *ast.BlockStmt:
		pos = n.Lbrace + 1
	}
	innermost := f.Package.Types.Scope().Innermost(pos)
	if innermost == nil {
		return nil
	}
	return &scope{p: p, f: f, pos: pos, scope: innermost, decl: enclosingDecl(f, pos)}
}

// visible reports whether a name means the object at the place.
func (s *scope) visible(obj types.Object) bool {
	_, found := s.scope.LookupParent(obj.Name(), s.pos)
	return found == obj
}

// Ranks of the variables that locks are found in: nearest first.
const (
	rankReceiver = iota
	rankParameter
	rankLocal   = 10 // and one more for each scope further out
	rankPackage = 1000
	rankForeign = 2000
)

// valueCopies are the variables that hold copies of what somebody else holds
// too: parameters and receivers, variables of range loops. A mutex in one guards nothing.
func (s *scope) valueCopies() map[*types.Var]bool {
	if s.decl == nil {
		return nil
	}
	known, ok := s.p.valueCopies.Load(s.decl)
	if !ok {
		known, _ = s.p.valueCopies.LoadOrStore(s.decl, s.findValueCopies())
	}
	return known.(map[*types.Var]bool)
}

func (s *scope) findValueCopies() map[*types.Var]bool {
	copied := map[*types.Var]bool{}
	info := s.f.Package.Info
	mark := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			if v, ok := info.Defs[id].(*types.Var); ok {
				copied[v] = true
			}
		}
	}
	ast.Inspect(s.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			markFields(n.Recv, mark)
		case *ast.FuncType:
			markFields(n.Params, mark)
		case *ast.RangeStmt:
			mark(n.Key)
			mark(n.Value)
		}
		return true
	})
	return copied
}

func markFields(list *ast.FieldList, mark func(ast.Expr)) {
	if list == nil {
		return
	}
	for _, field := range list.List {
		for _, name := range field.Names {
			mark(name)
		}
	}
}

// An owner is the expression that a field accessed at a place is selected from.
type owner struct {
	text        string
	typ         types.Type
	chain       []link
	addressable bool
}

// owners lists the bases of the fields accessed in a node: "to" of
// "to.amount += n". Written fields first, then in source order, outermost
// owner last.
func (s *scope) owners(at ast.Node) []owner {
	info := s.f.Package.Info
	found := s.p.accesses(info, at)
	slices.SortStableFunc(found, func(a, b Access) int { return cmp.Compare(boolToInt(b.Write), boolToInt(a.Write)) })
	var out []owner
	seen := map[string]bool{}
	for _, a := range found {
		of := a.Owner()
		if of == nil || !a.Var.IsField() || !s.nameable(of) {
			continue
		}
		text := exprText(of)
		chain := s.p.chain(s.f, of)
		if seen[text] || chain == nil {
			continue
		}
		seen[text] = true
		out = append(out, owner{text: text, typ: info.TypeOf(of), chain: chain, addressable: s.addressable(of)})
	}
	return out
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// nameable reports whether an expression written inside the node at the place
// can be written at the place too: it has no call or other effect, and each
// name in it means the same there.
func (s *scope) nameable(e ast.Expr) bool {
	info := s.f.Package.Info
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj := info.Uses[e]
		if v, ok := obj.(*types.Var); ok {
			return s.visible(v)
		}
		_, isConst := obj.(*types.Const)
		return isConst && s.visible(obj)
	case *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		if sel := info.Selections[e]; sel != nil {
			return sel.Kind() == types.FieldVal && s.nameable(e.X)
		}
		name, ok := e.X.(*ast.Ident)
		return ok && info.Uses[name] != nil && s.visible(info.Uses[name])
	case *ast.StarExpr:
		return s.nameable(e.X)
	case *ast.UnaryExpr:
		return e.Op == token.AND && s.nameable(e.X)
	case *ast.IndexExpr:
		return s.nameable(e.X) && s.nameable(e.Index)
	}
	return false
}

// addressable reports whether a lock inside of an expression's value is the one
// that others see, not a copy.
func (s *scope) addressable(e ast.Expr) bool {
	info := s.f.Package.Info
	if isPointer(info.TypeOf(e)) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := info.Uses[e].(*types.Var)
		return ok && !s.valueCopies()[v]
	case *ast.SelectorExpr:
		if sel := info.Selections[e]; sel != nil {
			return sel.Indirect() || s.addressable(e.X)
		}
		return true
	case *ast.StarExpr:
		return true
	case *ast.IndexExpr:
		switch info.TypeOf(e.X).Underlying().(type) {
		case *types.Slice, *types.Pointer:
			return true
		case *types.Array:
			return s.addressable(e.X)
		}
	}
	return false
}

// findLockVariables lists the package-level variables of a package, sorted by name,
// in which some place may find a lock.
func (p *Program) findLockVariables(pkg *Package) []*types.Var {
	if len(pkg.Files) == 0 {
		return nil
	}
	var found []*types.Var
	place := &scope{p: p, f: pkg.Files[0]}
	for _, name := range pkg.Types.Scope().Names() {
		v, ok := pkg.Types.Scope().Lookup(name).(*types.Var)
		if !ok || name == "_" {
			continue
		}
		// Whatever may be named in this package may be found by a place of it, and
		// no place of another finds more.
		c := &lockCollector{p: p, s: place, best: map[string]candidate{}}
		c.search(name, v.Type(), []link{{v: v, typ: v.Type()}}, true, maxSelectors, 0)
		if len(c.best) > 0 {
			found = append(found, v)
		}
	}
	return found
}

// A candidate is a lock with what decides its place in the list.
type candidate struct {
	lock  Lock
	rank  int
	depth int // fields on the way, embedded ones included
}

type lockCollector struct {
	p    *Program
	s    *scope
	best map[string]candidate // by expression
}

func (c *lockCollector) add(text string, chain []link, rw bool, rank int) {
	n := candidate{lock: Lock{Expr: text, Key: c.p.keyOf(chain), RW: rw}, rank: rank, depth: len(chain)}
	if alias, ok := c.p.condLock(chain); ok {
		n.lock.Key, n.lock.RW = alias.Key, false // through a Locker only the write side can be had
	}
	if old, ok := c.best[text]; !ok || n.rank < old.rank {
		c.best[text] = n
	}
}

// search looks for locks in a value of type t that can be written as text;
// left is how many selectors may follow.
func (c *lockCollector) search(text string, t types.Type, chain []link, addressable bool, left, rank int) {
	inner := t
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		inner, addressable = ptr.Elem(), true
	}
	switch {
	case isMutex(inner):
		if addressable && !isPointer(inner) {
			c.add(text, chain, isRW(inner), rank)
		}
		return
	case isLocker(t):
		c.add(text, chain, false, rank)
		return
	}
	if own, ok := c.p.lockTypeOf(inner); ok && !c.inMethodOf(inner) {
		if addressable && !isPointer(inner) {
			c.add(text, chain, own.rw, rank)
		}
		return
	}
	st, ok := inner.Underlying().(*types.Struct)
	if !ok || foreignSync(inner) {
		return
	}
	for i := range st.NumFields() {
		field := st.Field(i)
		if c.accessible(field) && c.p.mayHold(field, left, len(chain)) {
			c.field(text, t, append(slices.Clip(chain), fieldPath(t, []int{i})...), field, addressable, left, rank)
		}
	}
}

// inMethodOf reports whether the place is in a method of a type.
func (c *lockCollector) inMethodOf(t types.Type) bool {
	if c.s.decl == nil || c.s.decl.Recv == nil || len(c.s.decl.Recv.List) == 0 {
		return false
	}
	n := namedOf(c.s.f.Package.Info.TypeOf(c.s.decl.Recv.List[0].Type))
	of := namedOf(t)
	return n != nil && of != nil && n.Origin().Obj() == of.Origin().Obj()
}

// field looks for locks in one field of the value written as text.
func (c *lockCollector) field(text string, t types.Type, chain []link, field *types.Var, addressable bool, left, rank int) {
	if field.Embedded() && isMutex(deref(field.Type())) && c.promotes(t, "Lock") && (addressable || isPointer(field.Type())) {
		c.add(text, chain, isRW(deref(field.Type())), rank)
		return
	}
	if left == 0 || len(chain) > maxLinks {
		return
	}
	if !field.Embedded() {
		c.search(text+"."+field.Name(), field.Type(), chain, addressable, left-1, rank)
		return
	}
	// What an embedded struct has is written without its name where that is unambiguous.
	st, ok := deref(field.Type()).Underlying().(*types.Struct)
	if !ok || foreignSync(deref(field.Type())) {
		c.search(text+"."+field.Name(), field.Type(), chain, addressable, left-1, rank)
		return
	}
	reach := addressable || isPointer(field.Type())
	for i := range st.NumFields() {
		sub := st.Field(i)
		if !c.accessible(sub) || !c.p.mayHold(sub, left, len(chain)) {
			continue
		}
		path := append(slices.Clip(chain), fieldPath(field.Type(), []int{i})...)
		found, _, _ := types.LookupFieldOrMethod(t, true, c.s.f.Package.Types, sub.Name())
		if found == sub {
			c.field(text, t, path, sub, reach, left, rank)
		} else {
			c.field(text+"."+field.Name(), field.Type(), path, sub, reach, left-1, rank)
		}
	}
}

// promotes reports whether a method can be called on a value of the type and is
// that of an embedded mutex.
func (c *lockCollector) promotes(t types.Type, method string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, c.s.f.Package.Types, method)
	fn, ok := obj.(*types.Func)
	return ok && fn.Pkg() != nil && fn.Pkg().Path() == "sync"
}

// accessible reports whether the place may select a field, and whether it is one to look into.
func (c *lockCollector) accessible(field *types.Var) bool {
	return field.Name() != "_" && (field.Exported() || field.Pkg() == c.s.f.Package.Types)
}

// foreignSync reports whether a type is one of package sync that is no lock but
// may contain some that are not for others. The L of a Cond is.
func foreignSync(t types.Type) bool {
	n := namedOf(t)
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" && n.Obj().Name() != "Cond"
}

// byRank orders candidates, the best first.
func byRank(a, b candidate) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.depth, b.depth), strings.Compare(a.lock.Expr, b.lock.Expr))
}

// sorted are the locks of candidates, best first.
func sorted(all []candidate) []Lock {
	slices.SortFunc(all, byRank)
	locks := make([]Lock, len(all))
	for i, n := range all {
		locks[i] = n.lock
	}
	return locks
}

package analysis

import (
	"go/types"
	"maps"
	"slices"
	"sync"
)

// A base is what the locks in a value depend on: where the expression that they
// are written behind begins and how it goes on, and the place, as far as that
// decides what may be named and what is a lock.
type base struct {
	root        *types.Var
	text        string
	typ         types.Type
	addressable bool
	pkg         *Package
	receiver    *types.TypeName // of the method around the place; nil: none
}

// baseOf tells apart what locks in a value are looked for by.
func (s *scope) baseOf(text string, t types.Type, chain []link, addressable bool) base {
	return base{chain[0].v, text, t, addressable, s.f.Package, s.receiver()}
}

// locksIn lists the locks in a value that can be written as text, those first that
// are fewest fields away, without rank. They are the same at every place of a
// declaration, so that they are looked for once. The list must not be changed.
func (s *scope) locksIn(text string, t types.Type, chain []link, addressable bool) []candidate {
	key := s.baseOf(text, t, chain, addressable)
	known, ok := s.of.lockedIn[key]
	if !ok {
		known = s.findLocksIn(text, t, chain, addressable)
		s.of.lockedIn[key] = known
	}
	return known
}

func (s *scope) findLocksIn(text string, t types.Type, chain []link, addressable bool) []candidate {
	c := &lockCollector{p: s.p, s: s, best: map[string]candidate{}}
	c.search(text, t, chain, addressable, maxSelectors, 0)
	return slices.SortedFunc(maps.Values(c.best), byRank)
}

// receiver is the type of which the place is in a method; nil if it is in none.
func (s *scope) receiver() *types.TypeName {
	if s.decl == nil || s.decl.Recv == nil || len(s.decl.Recv.List) == 0 {
		return nil
	}
	if n := namedOf(s.f.Package.Info.TypeOf(s.decl.Recv.List[0].Type)); n != nil {
		return n.Origin().Obj()
	}
	return nil
}

// A holder is a variable in which there are locks.
type holder struct {
	obj   *types.Var
	rank  int
	locks []candidate
	name  string // what a package variable is reached by; see foreign
}

// holders lists the variables of a scope around the place in which there are
// locks, those included that are declared behind it, without rank.
func (s *scope) holders(in *types.Scope) []holder {
	known, ok := s.of.holders[in]
	if !ok {
		known = s.findHolders(in)
		s.of.holders[in] = known
	}
	return known
}

func (s *scope) findHolders(in *types.Scope) []holder {
	var found []holder
	copied := s.valueCopies()
	for _, name := range in.Names() {
		v, ok := in.Lookup(name).(*types.Var)
		if !ok || name == "_" {
			continue
		}
		locks := s.locksIn(name, v.Type(), []link{{v: v, typ: v.Type()}}, !copied[v])
		if len(locks) > 0 {
			found = append(found, holder{obj: v, locks: locks})
		}
	}
	return slices.Clip(found)
}

// locals lists the variables of the functions around the place that can be named
// there and in which there are locks.
func (s *scope) locals() []holder {
	var out []holder
	depth := 0
	for scope := s.scope; scope != nil && scope != types.Universe; scope = scope.Parent() {
		if scope == s.f.Package.Types.Scope() {
			continue
		}
		for _, h := range s.holders(scope) {
			if !s.visible(h.obj) {
				continue
			}
			switch h.obj.Kind() {
			case types.RecvVar:
				h.rank = rankReceiver
			case types.ParamVar:
				h.rank = rankParameter
			default:
				h.rank = rankLocal + depth
			}
			out = append(out, h)
		}
		depth++
	}
	return out
}

// An outside is where the locks of package variables are the same, unless a
// function has another variable of such a name.
type outside struct {
	file     *File
	receiver *types.TypeName // of the method around the place; nil: none
}

// outerLocks are the locks in package variables that some places find.
type outerLocks struct {
	names []string // of the variables and packages that they are reached through
	locks []Lock   // best first
	plain sync.Map // by *types.Scope in a function: whether it and those around it leave the names alone
}

// outer lists the locks in variables of the package and of the module's packages
// that the file imports, best first. The list must not be changed.
func (s *scope) outer() []Lock {
	key := outside{s.f, s.receiver()}
	known, ok := s.p.outerLocks.Load(key)
	if !ok {
		holders := s.outerVariables(func(types.Object) bool { return true })
		found := &outerLocks{locks: sorted(candidates(holders))}
		for _, h := range holders {
			found.names = append(found.names, h.name)
		}
		known, _ = s.p.outerLocks.LoadOrStore(key, found)
	}
	all := known.(*outerLocks)
	if all.unhidden(s.scope, s.f.Package.Types.Scope()) {
		return all.locks
	}
	return sorted(candidates(s.outerVariables(s.visible)))
}

// unhidden reports whether no scope of a function, from an innermost one on, has one of the names.
func (o *outerLocks) unhidden(in, pkg *types.Scope) bool {
	if in == nil || in == pkg || in.Parent() == pkg { // the last is the file's
		return true
	}
	if known, ok := o.plain.Load(in); ok {
		return known.(bool)
	}
	plain := o.unhidden(in.Parent(), pkg) && !slices.ContainsFunc(o.names, func(name string) bool { return in.Lookup(name) != nil })
	o.plain.Store(in, plain)
	return plain
}

// candidates are the locks in variables, with their ranks.
func candidates(holders []holder) []candidate {
	count := 0
	for _, h := range holders {
		count += len(h.locks)
	}
	out := make([]candidate, 0, count)
	for _, h := range holders {
		for _, n := range h.locks {
			n.rank = h.rank
			out = append(out, n)
		}
	}
	return out
}

// foreign is a variable of a package as it is written at the place; name is that
// of the variable or of the package that it is reached through.
func (s *scope) foreign(v *types.Var, name, text string, rank int) holder {
	return holder{v, rank, s.locksIn(text, v.Type(), []link{{v: v, typ: v.Type()}}, true), name}
}

// outerVariables lists the package-level variables, and the exported variables of the
// module's packages that the file imports, as far as they are visible.
func (s *scope) outerVariables(visible func(types.Object) bool) []holder {
	var out []holder
	for _, v := range s.p.lockVariables(s.f.Package) {
		if visible(v) {
			out = append(out, s.foreign(v, v.Name(), v.Name(), rankPackage))
		}
	}
	for _, spec := range s.f.AST.Imports {
		name := s.f.Package.Info.PkgNameOf(spec)
		if name == nil || name.Name() == "_" || name.Name() == "." || s.p.owned[name.Imported()] == nil || !visible(name) {
			continue
		}
		for _, v := range s.p.lockVariables(s.p.owned[name.Imported()]) {
			if v.Exported() {
				out = append(out, s.foreign(v, name.Name(), name.Name()+"."+v.Name(), rankForeign))
			}
		}
	}
	return out
}

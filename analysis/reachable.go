package analysis

import (
	"go/ast"
	"go/types"
	"slices"
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

// locksIn lists the locks in a value that can be written as text, in no
// particular order and without rank. They are the same at every place of a
// function, so that they are looked for once. The list must not be changed.
func (s *scope) locksIn(text string, t types.Type, chain []link, addressable bool) []candidate {
	if len(chain) == 0 || chain[0].v == nil {
		return s.findLocksIn(text, t, chain, addressable)
	}
	key := base{chain[0].v, text, t, addressable, s.f.Package, s.receiver()}
	known, ok := s.p.lockedIn.Load(key)
	if !ok {
		known, _ = s.p.lockedIn.LoadOrStore(key, s.findLocksIn(text, t, chain, addressable))
	}
	return known.([]candidate)
}

func (s *scope) findLocksIn(text string, t types.Type, chain []link, addressable bool) []candidate {
	c := &lockCollector{p: s.p, s: s, best: map[string]candidate{}}
	c.search(text, t, chain, addressable, maxSelectors, 0)
	var found []candidate
	for _, n := range c.best {
		found = append(found, n)
	}
	return found
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
}

// A scopeOf is a scope around the places of a declared function.
type scopeOf struct {
	decl *ast.FuncDecl
	in   *types.Scope
}

// holders lists the variables of a scope around the place in which there are
// locks, those included that are declared behind it, without rank.
func (s *scope) holders(in *types.Scope) []holder {
	key := scopeOf{s.decl, in}
	known, ok := s.p.holders.Load(key)
	if !ok {
		known, _ = s.p.holders.LoadOrStore(key, s.findHolders(in))
	}
	return known.([]holder)
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

// variables lists the variables that can be named at the place and in which
// there are locks.
func (s *scope) variables() []holder {
	var out []holder
	depth := 0
	pkgScope := s.f.Package.Types.Scope()
	for scope := s.scope; scope != nil && scope != types.Universe; scope = scope.Parent() {
		if scope == pkgScope {
			for _, v := range s.p.lockVariables(s.f.Package) {
				if s.visible(v) {
					out = append(out, s.foreign(v, v.Name(), rankPackage))
				}
			}
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
	return append(out, s.importedVariables()...)
}

// foreign is a variable of a package as it is written at the place.
func (s *scope) foreign(v *types.Var, text string, rank int) holder {
	return holder{v, rank, s.locksIn(text, v.Type(), []link{{v: v, typ: v.Type()}}, true)}
}

// importedVariables lists the exported variables of the module's packages that the file imports.
func (s *scope) importedVariables() []holder {
	var out []holder
	for _, spec := range s.f.AST.Imports {
		name := s.f.Package.Info.PkgNameOf(spec)
		if name == nil || name.Name() == "_" || name.Name() == "." || s.p.owned[name.Imported()] == nil || !s.visible(name) {
			continue
		}
		for _, v := range s.p.lockVariables(s.p.owned[name.Imported()]) {
			if v.Exported() {
				out = append(out, s.foreign(v, name.Name()+"."+v.Name(), rankForeign))
			}
		}
	}
	return out
}

package locks

import (
	"crypto/sha256"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A reach is the keys of the locks that a function comes to, itself or by what
// it names; the functions of a cycle share one.
type reach struct {
	keys   map[string]bool
	cyclic bool // some function of them comes to itself again
}

// link fills in what each function comes to, and who names whom.
func (ix *index) link() {
	ix.reach, ix.users = make(map[*Func]*reach), make(map[*Func][]*Func)
	l := newComponents(func(fn *Func) []*Func {
		next := ix.names(fn)
		for _, to := range next {
			ix.users[to] = append(ix.users[to], fn)
		}
		return next
	}, ix.join)
	for _, fn := range ix.funcs {
		l.visit(fn)
	}
}

// join makes the reach that the functions of a component share.
func (ix *index) join(members []member) {
	first := members[0]
	r := &reach{keys: make(map[string]bool), cyclic: len(members) > 1 || slices.Contains(first.next, first.fn)}
	for _, m := range members {
		ix.reach[m.fn] = r
	}
	for _, m := range members {
		for _, key := range ix.keys[m.fn] {
			r.keys[key] = true
		}
		for _, to := range m.next {
			maps.Copy(r.keys, ix.reach[to].keys)
		}
	}
}

// names are the functions that a function may come to run by what it names.
func (ix *index) names(fn *Func) []*Func {
	var list []*Func
	add := func(to *Func) {
		if to != nil {
			list = append(list, to)
		}
	}
	for _, lit := range fn.lits {
		if !ix.started[lit.Node.(*ast.FuncLit)] {
			add(lit)
		}
	}
	for _, name := range ix.uses[fn] {
		add(ix.byName[name])
		for _, v := range ix.stored[name] {
			for _, to := range ix.valueOf(v) {
				add(to)
			}
		}
	}
	for _, s := range ix.calls[fn] {
		if f := syntax.Callee(fn.info(), s.call.Fun); f != nil && syntax.InterfaceMethod(f) {
			for _, impl := range ix.impls[s.dispatchKeys()[0]] {
				add(ix.byName[impl])
			}
		}
	}
	for _, s := range ix.values[fn] {
		for _, impl := range ix.impls[s.dispatchKeys()[0]] {
			add(ix.byName[impl])
		}
	}
	slices.SortFunc(list, func(a, b *Func) int { return a.id - b.id })
	return slices.Compact(list)
}

// valueOf are the functions that an assigned expression names.
func (ix *index) valueOf(v value) []*Func {
	var list []*Func
	ast.Inspect(v.expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			list = append(list, ix.byNode[n])
			return false
		case *ast.Ident:
			if f, ok := v.file.Package.Info.Uses[n].(*types.Func); ok {
				list = append(list, ix.byName[f.Origin().FullName()])
			}
		}
		return true
	})
	return slices.DeleteFunc(list, func(fn *Func) bool { return fn == nil })
}

// touches reports whether a function may come to take or release a lock with a
// key.
func (m *Program) touches(fn *Func, key string) bool {
	ix := m.ready()
	if m.base != nil {
		if m.affected[fn.Name] && (m.fresh[key] || m.fresh[anyKey] || key == anyKey && len(m.fresh) > 0) {
			return true
		}
		if was := m.base.Named(fn.Name); was != nil {
			return m.base.touches(was, key)
		}
		return false
	}
	r := ix.reach[fn]
	return r != nil && (r.keys[key] || r.keys[anyKey] || key == anyKey && len(r.keys) > 0)
}

// declared finds the declaration of a function; nil if the model has none.
func (m *Names) declared(f *types.Func) *Func {
	fn, known := m.declarations[f]
	if !known {
		fn = m.Named(f.FullName())
		m.declarations[f] = fn
	}
	return fn
}

// storedIn lists what is assigned to a field or package variable.
func (m *Program) storedIn(key string) []value {
	if key == "" {
		return nil
	}
	list := m.ready().stored[key]
	if m.base == nil {
		return list
	}
	list = slices.Clone(list)
	for _, v := range m.base.ready().stored[key] {
		if v.in == nil || m.ready().byName[v.in.Decl.Name] == nil {
			list = append(list, v)
		}
	}
	return list
}

// conds lists the calls of sync.NewCond that are assigned to a field or package variable.
func (m *Program) conds(key string) []value {
	list := m.ready().conds[key]
	if m.base != nil {
		list = append(slices.Clone(list), m.base.ready().conds[key]...)
	}
	return list
}

// With is the model of a mutant: of the program with the files of some packages
// replaced, as [analysis.Program.Recheck] returns them.
func (m *Model) With(fset *token.FileSet, pkgs []*analysis.Package) *Model {
	return m.WithChanges(fset, pkgs, (*Program).changes)
}

// WithChanges is With for a choice of what counts as changed.
func (m *Model) WithChanges(fset *token.FileSet, pkgs []*analysis.Package, changes func(*Program, *analysis.File, ast.Decl) bool) *Model {
	o := newModel(m.with(fset, pkgs, changes))
	o.view.original = m
	return o
}

// with is the program of a mutant, for a choice of what counts as changed.
func (m *Program) with(fset *token.FileSet, pkgs []*analysis.Package, changes func(*Program, *analysis.File, ast.Decl) bool) *Program {
	ix := m.ready()
	o := &Program{fset: fset, base: m}
	o.once.Do(func() {
		o.index = newIndex(pkgs, func(f *analysis.File, d ast.Decl) bool { return changes(o, f, d) })
	})
	o.index.link()
	o.affected, o.fresh = make(map[string]bool), make(map[string]bool)
	var work []*Func
	for _, fn := range o.index.funcs {
		o.affected[fn.Name] = true
		for key := range o.index.reach[fn].keys {
			o.fresh[key] = true
		}
		if was := ix.byName[fn.Name]; was != nil {
			for _, key := range ix.keys[was] {
				o.fresh[key] = true
			}
			work = append(work, was)
		}
	}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		for _, user := range ix.users[fn] {
			if !o.affected[user.Name] {
				o.affected[user.Name] = true
				work = append(work, user)
			}
		}
	}
	return o
}

// changes reports whether a mutant has a declaration that the original has not.
func (m *Program) changes(f *analysis.File, d ast.Decl) bool {
	ix := m.base.ready()
	was := ix.sources[f.Rel]
	return was == nil || was.AST != f.AST && ix.decls[f.Rel][m.text(f, d)] == nil
}

// text is a declaration as it is written.
func (m *Program) text(f *analysis.File, d ast.Decl) source { return sourceOf(m.fset, f, d) }

// A source is a hash of source text: all text of a program is large.
type source [sha256.Size]byte

func sourceOf(fset *token.FileSet, f *analysis.File, d ast.Decl) source {
	from, to := fset.PositionFor(d.Pos(), false).Offset, fset.PositionFor(d.End(), false).Offset
	if from < 0 || to > len(f.Source) || from > to {
		return source{}
	}
	return sha256.Sum256(f.Source[from:to])
}

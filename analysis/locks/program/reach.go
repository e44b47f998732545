package program

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
func (ix *Index) link() {
	ix.reach, ix.users = make(map[*Func]*reach), make(map[*Func][]*Func)
	l := NewComponents(func(fn *Func) []*Func {
		next := ix.names(fn)
		for _, to := range next {
			ix.users[to] = append(ix.users[to], fn)
		}
		return next
	}, ix.join)
	for _, fn := range ix.Funcs {
		l.Visit(fn)
	}
}

// join makes the reach that the functions of a component share.
func (ix *Index) join(members []Member) {
	first := members[0]
	r := &reach{keys: make(map[string]bool), cyclic: len(members) > 1 || slices.Contains(first.Next, first.Fn)}
	for _, m := range members {
		ix.reach[m.Fn] = r
	}
	for _, m := range members {
		for _, key := range ix.Keys[m.Fn] {
			r.keys[key] = true
		}
		for _, to := range m.Next {
			maps.Copy(r.keys, ix.reach[to].keys)
		}
	}
}

// names are the functions that a function may come to run by what it names.
func (ix *Index) names(fn *Func) []*Func {
	var list []*Func
	add := func(to *Func) {
		if to != nil {
			list = append(list, to)
		}
	}
	for _, lit := range fn.Lits {
		if !ix.Started[lit.Node.(*ast.FuncLit)] {
			add(lit)
		}
	}
	for _, name := range ix.uses[fn] {
		add(ix.ByName[name])
		for _, v := range ix.stored[name] {
			for _, to := range ix.valueOf(v) {
				add(to)
			}
		}
	}
	for _, s := range ix.Calls[fn] {
		if f := syntax.Callee(fn.Info(), s.Call.Fun); f != nil && syntax.InterfaceMethod(f) {
			for _, impl := range ix.impls[s.dispatchKeys()[0]] {
				add(ix.ByName[impl])
			}
		}
	}
	for _, s := range ix.values[fn] {
		for _, impl := range ix.impls[s.dispatchKeys()[0]] {
			add(ix.ByName[impl])
		}
	}
	slices.SortFunc(list, func(a, b *Func) int { return a.Id - b.Id })
	return slices.Compact(list)
}

// valueOf are the functions that an assigned expression names.
func (ix *Index) valueOf(v value) []*Func {
	var list []*Func
	ast.Inspect(v.Expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			list = append(list, ix.ByNode[n])
			return false
		case *ast.Ident:
			if f, ok := v.file.Package.Info.Uses[n].(*types.Func); ok {
				list = append(list, ix.ByName[f.Origin().FullName()])
			}
		}
		return true
	})
	return slices.DeleteFunc(list, func(fn *Func) bool { return fn == nil })
}

// Touches reports whether a function may come to take or release a lock with a
// key.
func (m *Program) Touches(fn *Func, key string) bool {
	ix := m.Index()
	if m.Base != nil {
		if m.Affected[fn.Name] && (m.Fresh[key] || m.Fresh[AnyKey] || key == AnyKey && len(m.Fresh) > 0) {
			return true
		}
		if was := m.Base.Named(fn.Name); was != nil {
			return m.Base.Touches(was, key)
		}
		return false
	}
	r := ix.reach[fn]
	return r != nil && (r.keys[key] || r.keys[AnyKey] || key == AnyKey && len(r.keys) > 0)
}

// Stored lists what is assigned to a field or package variable.
func (m *Program) Stored(key string) []value {
	if key == "" {
		return nil
	}
	list := m.Index().stored[key]
	if m.Base == nil {
		return list
	}
	list = slices.Clone(list)
	for _, v := range m.Base.Index().stored[key] {
		if v.In == nil || m.Index().ByName[v.In.Decl.Name] == nil {
			list = append(list, v)
		}
	}
	return list
}

// Conds lists the calls of sync.NewCond that are assigned to a field or package variable.
func (m *Program) Conds(key string) []value {
	list := m.Index().conds[key]
	if m.Base != nil {
		list = append(slices.Clone(list), m.Base.Index().conds[key]...)
	}
	return list
}

// Mutant is the program of a mutant, for a choice of what counts as changed.
func (m *Program) Mutant(fset *token.FileSet, pkgs []*analysis.Package, changes func(*Program, *analysis.File, ast.Decl) bool) *Program {
	ix := m.Index()
	o := &Program{Fset: fset, Base: m}
	o.once.Do(func() {
		o.index = newIndex(pkgs, func(f *analysis.File, d ast.Decl) bool { return changes(o, f, d) })
	})
	o.index.link()
	o.Affected, o.Fresh = make(map[string]bool), make(map[string]bool)
	var work []*Func
	for _, fn := range o.index.Funcs {
		o.Affected[fn.Name] = true
		for key := range o.index.reach[fn].keys {
			o.Fresh[key] = true
		}
		if was := ix.ByName[fn.Name]; was != nil {
			for _, key := range ix.Keys[was] {
				o.Fresh[key] = true
			}
			work = append(work, was)
		}
	}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		for _, user := range ix.users[fn] {
			if !o.Affected[user.Name] {
				o.Affected[user.Name] = true
				work = append(work, user)
			}
		}
	}
	return o
}

// Differs reports whether a mutant has a declaration that the original has not.
func (m *Program) Differs(f *analysis.File, d ast.Decl) bool {
	ix := m.Base.Index()
	was := ix.sources[f.Rel]
	return was == nil || was.AST != f.AST && ix.decls[f.Rel][m.text(f, d)] == nil
}

// text is a declaration as it is written.
func (m *Program) text(f *analysis.File, d ast.Decl) source { return sourceOf(m.Fset, f, d) }

// A source is a hash of source text: all text of a program is large.
type source [sha256.Size]byte

func sourceOf(fset *token.FileSet, f *analysis.File, d ast.Decl) source {
	from, to := fset.PositionFor(d.Pos(), false).Offset, fset.PositionFor(d.End(), false).Offset
	if from < 0 || to > len(f.Source) || from > to {
		return source{}
	}
	return sha256.Sum256(f.Source[from:to])
}

package locks

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// LockAt is the lock that an expression of names, selectors and indexes means
// at a place of a function; ok is false where it means none. Of a type of the
// program's own that has a method Lock, it is the mutex which that locks.
func (of *Model) LockAt(fn *Func, expr string, pos token.Pos) (Lock, bool) {
	m := of.Lock()
	defer of.Unlock()
	r := m.resolver(fn, pos)
	p, t := r.resolve(m.parse(expr))
	if !p.known() || t == nil {
		return Lock{}, false
	}
	obj, index, _ := types.LookupFieldOrMethod(t, true, fn.File.Package.Types, "Lock")
	method, ok := obj.(*types.Func)
	if !ok {
		return Lock{}, false
	}
	embedded := fieldNames(t, index[:len(index)-1])
	if own := m.declared(method.Origin()); own != nil && own.recv != nil {
		for _, l := range m.locksOf(own) {
			if rest, ok := l.Path.below(Path{Root: own.recv}); ok {
				return Lock{Path: p.with(embedded + rest), Key: l.Key, Expr: expr}, true
			}
		}
	}
	key := lastField(t, index[:len(index)-1])
	if key == "" || key[0] == '.' {
		key = r.key + key
	}
	return Lock{Path: p.with(embedded), Key: key, Expr: expr}, true
}

// FieldAt is the lock that would be a new field of a struct, known by its type's
// full name, which an expression at a place of a function leads to: the value's
// own or that of one embedded in it.
func (of *Model) FieldAt(fn *Func, expr, owner, field string, pos token.Pos) (Lock, bool) {
	m := of.Lock()
	defer of.Unlock()
	p, t := m.resolver(fn, pos).resolve(m.parse(expr))
	if !p.known() || t == nil {
		return Lock{}, false
	}
	return Lock{Path: p.with(embeddedIn(t, owner, 3) + "." + field), Key: owner + "." + field, Expr: expr + "." + field}, true
}

// embeddedIn are the embedded fields from a type to the one of a name; "" if it is that itself, or has none.
func embeddedIn(t types.Type, name string, depth int) string {
	t = deref(t)
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path()+"."+n.Obj().Name() == name {
		return ""
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || depth == 0 {
		return ""
	}
	for f := range st.Fields() {
		if !f.Embedded() {
			continue
		}
		if n, ok := types.Unalias(deref(f.Type())).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path()+"."+n.Obj().Name() == name {
			return "." + f.Name()
		}
		if rest := embeddedIn(f.Type(), name, depth-1); rest != "" {
			return "." + f.Name() + rest
		}
	}
	return ""
}

// A resolver gives names that stand in no source a meaning.
type resolver struct {
	m     *Names
	fn    *Func
	pos   token.Pos
	scope *types.Scope // innermost one at the place; nil: there is none
	key   string       // of what was resolved last
}

func (m *Names) resolver(fn *Func, pos token.Pos) *resolver {
	r := &resolver{m: m, fn: fn, pos: pos}
	if file := fn.info().Scopes[fn.File.AST]; file != nil {
		r.scope = file.Innermost(pos)
	}
	return r
}

// parse is an expression that stands in no source; one that does not parse is
// none that resolves.
func (m *Names) parse(expr string) ast.Expr {
	e, known := m.parsed[expr]
	if !known {
		var err error
		if e, err = parser.ParseExpr(expr); err != nil {
			e = nil
		}
		m.parsed[expr] = e
	}
	return e
}

func (r *resolver) resolve(e ast.Expr) (Path, types.Type) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return r.name(e)
	case *ast.StarExpr:
		p, t := r.resolve(e.X)
		if t != nil {
			t = deref(t)
		}
		return p, t
	case *ast.SelectorExpr:
		return r.selected(e)
	case *ast.IndexExpr:
		p, t := r.resolve(e.X)
		if t == nil {
			return Path{}, nil
		}
		r.key += "[]"
		text := anyElement
		if lit, ok := e.Index.(*ast.BasicLit); ok {
			text = "[" + lit.Value + "]"
		} else if index, _ := (&resolver{m: r.m, fn: r.fn, pos: r.pos, scope: r.scope}).resolve(e.Index); index.known() {
			text = "[" + index.id() + "]"
		}
		switch t := deref(t).Underlying().(type) {
		case *types.Map:
			return p.with(text), t.Elem()
		case *types.Slice:
			return p.with(text), t.Elem()
		case *types.Array:
			return p.with(text), t.Elem()
		}
	}
	return Path{}, nil
}

func (r *resolver) name(id *ast.Ident) (Path, types.Type) {
	if r.scope == nil {
		return Path{}, nil
	}
	_, obj := r.scope.LookupParent(id.Name, r.pos)
	v, ok := obj.(*types.Var)
	if !ok {
		return Path{}, nil
	}
	r.key = variableKey(v)
	if value := r.m.localsOf(r.fn).alias[v]; value != nil {
		if p := r.m.pathOf(r.fn, value, maxAliases-1); p.known() {
			return p, v.Type()
		}
	}
	return variablePath(v), v.Type()
}

func (r *resolver) selected(e *ast.SelectorExpr) (Path, types.Type) {
	if id, ok := e.X.(*ast.Ident); ok && r.scope != nil {
		_, obj := r.scope.LookupParent(id.Name, r.pos)
		if pkg, ok := obj.(*types.PkgName); ok {
			v, _ := pkg.Imported().Scope().Lookup(e.Sel.Name).(*types.Var)
			if v == nil {
				return Path{}, nil
			}
			r.key = variableKey(v)
			return variablePath(v), v.Type()
		}
	}
	p, t := r.resolve(e.X)
	if t == nil {
		return Path{}, nil
	}
	obj, index, _ := types.LookupFieldOrMethod(t, true, r.fn.File.Package.Types, e.Sel.Name)
	v, ok := obj.(*types.Var)
	if !ok {
		return Path{}, nil
	}
	if lock, ok := r.cond(e, p, t); ok {
		return lock, v.Type()
	}
	if key := lastField(t, index); key == "" || key[0] == '.' {
		r.key += key
	} else {
		r.key = key
	}
	return p.with(fieldNames(t, index)), v.Type()
}

// cond is the lock that L of a condition variable stands for.
func (r *resolver) cond(e *ast.SelectorExpr, cond Path, t types.Type) (Path, bool) {
	x, ok := ast.Unparen(e.X).(*ast.SelectorExpr)
	if !ok || e.Sel.Name != "L" || types.TypeString(deref(t), nil) != "sync.Cond" {
		return Path{}, false
	}
	key := r.fn.File.Package.Path + ".field." + x.Sel.Name
	p, ok := r.m.condField(cond, key, x.Sel.Name, maxAliases)
	if ok {
		r.key = r.key[:strings.LastIndex(r.key, ".")+1] + p.Text[strings.LastIndex(p.Text, ".")+1:]
	}
	return p, ok
}

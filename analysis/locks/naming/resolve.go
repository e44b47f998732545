package naming

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"mendel/analysis/locks/program"
)

// EmbeddedIn are the embedded fields from a type to the one of a name; "" if it is that itself, or has none.
func EmbeddedIn(t types.Type, name string, depth int) string {
	t = program.Deref(t)
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
		if n, ok := types.Unalias(program.Deref(f.Type())).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path()+"."+n.Obj().Name() == name {
			return "." + f.Name()
		}
		if rest := EmbeddedIn(f.Type(), name, depth-1); rest != "" {
			return "." + f.Name() + rest
		}
	}
	return ""
}

// A Resolver gives names that stand in no source a meaning.
type Resolver struct {
	m     *Names
	fn    *program.Func
	pos   token.Pos
	scope *types.Scope // innermost one at the place; nil: there is none
	Key   string       // of what was resolved last
}

// Resolver is for a place of a function.
func (m *Names) Resolver(fn *program.Func, pos token.Pos) *Resolver {
	r := &Resolver{m: m, fn: fn, pos: pos}
	if file := fn.Info().Scopes[fn.File.AST]; file != nil {
		r.scope = file.Innermost(pos)
	}
	return r
}

// Parse is an expression that stands in no source; one that does not parse is
// none that resolves.
func (m *Names) Parse(expr string) ast.Expr {
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

// Resolve is the path and the type of an expression; a nil type says that it means nothing there.
func (r *Resolver) Resolve(e ast.Expr) (Path, types.Type) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return r.name(e)
	case *ast.StarExpr:
		p, t := r.Resolve(e.X)
		if t != nil {
			t = program.Deref(t)
		}
		return p, t
	case *ast.SelectorExpr:
		return r.selected(e)
	case *ast.IndexExpr:
		p, t := r.Resolve(e.X)
		if t == nil {
			return Path{}, nil
		}
		r.Key += "[]"
		text := AnyElement
		if lit, ok := e.Index.(*ast.BasicLit); ok {
			text = "[" + lit.Value + "]"
		} else if index, _ := (&Resolver{m: r.m, fn: r.fn, pos: r.pos, scope: r.scope}).Resolve(e.Index); index.Known() {
			text = "[" + index.ID() + "]"
		}
		switch t := program.Deref(t).Underlying().(type) {
		case *types.Map:
			return p.With(text), t.Elem()
		case *types.Slice:
			return p.With(text), t.Elem()
		case *types.Array:
			return p.With(text), t.Elem()
		}
	}
	return Path{}, nil
}

func (r *Resolver) name(id *ast.Ident) (Path, types.Type) {
	if r.scope == nil {
		return Path{}, nil
	}
	_, obj := r.scope.LookupParent(id.Name, r.pos)
	v, ok := obj.(*types.Var)
	if !ok {
		return Path{}, nil
	}
	r.Key = program.VariableKey(v)
	if value := r.m.LocalsOf(r.fn).Alias[v]; value != nil {
		if p := r.m.pathOf(r.fn, value, MaxAliases-1); p.Known() {
			return p, v.Type()
		}
	}
	return VariablePath(v), v.Type()
}

func (r *Resolver) selected(e *ast.SelectorExpr) (Path, types.Type) {
	if id, ok := e.X.(*ast.Ident); ok && r.scope != nil {
		_, obj := r.scope.LookupParent(id.Name, r.pos)
		if pkg, ok := obj.(*types.PkgName); ok {
			v, _ := pkg.Imported().Scope().Lookup(e.Sel.Name).(*types.Var)
			if v == nil {
				return Path{}, nil
			}
			r.Key = program.VariableKey(v)
			return VariablePath(v), v.Type()
		}
	}
	p, t := r.Resolve(e.X)
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
	if key := program.LastField(t, index); key == "" || key[0] == '.' {
		r.Key += key
	} else {
		r.Key = key
	}
	return p.With(program.FieldNames(t, index)), v.Type()
}

// cond is the lock that L of a condition variable stands for.
func (r *Resolver) cond(e *ast.SelectorExpr, cond Path, t types.Type) (Path, bool) {
	x, ok := ast.Unparen(e.X).(*ast.SelectorExpr)
	if !ok || e.Sel.Name != "L" || types.TypeString(program.Deref(t), nil) != "sync.Cond" {
		return Path{}, false
	}
	key := r.fn.File.Package.Path + ".field." + x.Sel.Name
	p, ok := r.m.condField(cond, key, x.Sel.Name, MaxAliases)
	if ok {
		r.Key = r.Key[:strings.LastIndex(r.Key, ".")+1] + p.Text[strings.LastIndex(p.Text, ".")+1:]
	}
	return p, ok
}

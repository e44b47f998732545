package once

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// An initialisation is an if that gives a variable its value.
type initialisation struct {
	fn   *mutate.Function
	stmt *ast.IfStmt
	at   mutate.Statement
	v    *types.Var
	expr ast.Expr // the variable in the condition
}

// initialisations lists those of a function that a Once could make.
func initialisations(fn *mutate.Function) []initialisation {
	var out []initialisation
	for _, st := range fn.Statements() {
		s, ok := st.Stmt.(*ast.IfStmt)
		if !ok || s.Init != nil || s.Else != nil {
			continue
		}
		expr := unset(fn.File.Package.Info, s.Cond)
		if expr == nil {
			continue
		}
		v := variable(fn.File.Package.Info, expr)
		if v == nil || !fn.Narrowing.Shared(v) || fn.Fresh(expr) || !fits(fn, s, v) {
			continue
		}
		out = append(out, initialisation{fn: fn, stmt: s, at: st, v: v, expr: expr})
	}
	return out
}

// unset is the variable that a condition finds to have no value yet.
func unset(info *types.Info, cond ast.Expr) ast.Expr {
	switch c := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			return c.X
		}
	case *ast.BinaryExpr:
		switch {
		case c.Op != token.EQL:
		case zero(info, c.Y):
			return c.X
		case zero(info, c.X):
			return c.Y
		}
	}
	return nil
}

// zero reports whether an expression is nil, false, 0 or "".
func zero(info *types.Info, e ast.Expr) bool {
	tv := info.Types[e]
	if tv.Value == nil {
		return tv.IsNil()
	}
	switch tv.Value.Kind() {
	case constant.Bool:
		return !constant.BoolVal(tv.Value)
	case constant.String:
		return constant.StringVal(tv.Value) == ""
	case constant.Int, constant.Float:
		return constant.Sign(tv.Value) == 0
	}
	return false
}

// fits reports whether the body of an if sets the variable, does nothing that a
// function literal would change, and holds no lock.
func fits(fn *mutate.Function, s *ast.IfStmt, v *types.Var) bool {
	sets := slices.ContainsFunc(s.Body.List, func(s ast.Stmt) bool {
		a, ok := s.(*ast.AssignStmt)
		return ok && a.Tok == token.ASSIGN && slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
			return variable(fn.File.Package.Info, e) == v
		})
	})
	return sets && len(exits.Of(fn, s.Body.List...)) == 0 && len(fn.HeldAt(s)) == 0 && !bound(fn, s.Body)
}

// bound reports whether a body defers a call, has a label, or sets a variable of
// the function around it.
func bound(fn *mutate.Function, body *ast.BlockStmt) bool {
	outer := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := fn.File.Package.Info.Uses[id].(*types.Var)
		return ok && v.Parent() != v.Pkg().Scope() && !(body.Pos() <= v.Pos() && v.Pos() < body.End())
	}
	return syntax.Any(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt, *ast.LabeledStmt:
			return true
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, outer)
		case *ast.IncDecStmt:
			return outer(n.X)
		case *ast.RangeStmt:
			return n.Key != nil && outer(n.Key) || n.Value != nil && outer(n.Value)
		}
		return false
	})
}

// only reports whether all that the program does to a variable is to initialise
// it and to read it behind that. Tests may read it, too.
func only(v *types.Var, found []initialisation) bool {
	fn := found[0].fn
	uses := mutate.Once(fn, mentions{}, func() map[*types.Var][]mention { return mentioned(fn.Program) })
	return !slices.ContainsFunc(uses[v], func(m mention) bool { return !harmless(m, v, found) }) && !valued(fn.Program, v)
}

// A mention is a declaration that names a variable.
type mention struct {
	file *analysis.File
	decl ast.Decl
}

// mentions is the key to the declarations that name variables of packages and fields.
type mentions struct{}

func mentioned(p *analysis.Program) map[*types.Var][]mention {
	found := make(map[*types.Var][]mention)
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				ast.Inspect(d, func(n ast.Node) bool {
					id, ok := n.(*ast.Ident)
					if !ok {
						return true
					}
					v, ok := pkg.Info.Uses[id].(*types.Var)
					if !ok || !v.IsField() && v.Parent() != v.Pkg().Scope() {
						return true
					}
					v = v.Origin()
					if list := found[v]; len(list) == 0 || list[len(list)-1].decl != d {
						found[v] = append(list, mention{f, d})
					}
					return true
				})
			}
		}
	}
	return found
}

// harmless reports whether a declaration's uses of the variable are.
func harmless(m mention, v *types.Var, found []initialisation) bool {
	ok := true
	syntax.Walk(m.decl, func(n ast.Node, path []ast.Node) {
		if id, is := n.(*ast.Ident); is && uses(m.file.Package.Info, id, v) && !covered(id, found) {
			ok = ok && !changes(id, path) && (m.file.Test || behind(id, found))
		}
	})
	return ok
}

func uses(info *types.Info, id *ast.Ident, v *types.Var) bool {
	u, ok := info.Uses[id].(*types.Var)
	return ok && u.Origin() == v
}

// covered reports whether a use is part of an initialisation.
func covered(id *ast.Ident, found []initialisation) bool {
	return slices.ContainsFunc(found, func(i initialisation) bool {
		return i.stmt.Pos() <= id.Pos() && id.End() <= i.stmt.End()
	})
}

// behind reports whether a use comes after an initialisation of its function:
// further down in the statement list that has it.
func behind(id *ast.Ident, found []initialisation) bool {
	return slices.ContainsFunc(found, func(i initialisation) bool {
		list := i.at.List
		return i.stmt.End() <= id.Pos() && id.End() <= list[len(list)-1].End()
	})
}

// changes reports whether a use may set the variable: it is assigned to, given
// by its address, or named as the key of a composite literal.
func changes(id *ast.Ident, path []ast.Node) bool {
	var at ast.Node = id
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.SelectorExpr:
			if n.Sel != at {
				return false // something of what it leads to
			}
			at = n
		case *ast.ParenExpr:
			at = n
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return e == at })
		case *ast.KeyValueExpr:
			return n.Key == at
		case *ast.IncDecStmt:
			return true
		case *ast.UnaryExpr:
			return n.Op == token.AND
		case *ast.RangeStmt:
			return n.Key == at || n.Value == at
		default:
			return false
		}
	}
	return false
}

// valued reports whether a package variable is declared with a value.
func valued(p *analysis.Program, v *types.Var) bool {
	found := false
	for _, pkg := range p.Packages {
		for _, init := range pkg.Info.InitOrder {
			found = found || slices.Contains(init.Lhs, v)
		}
	}
	return found
}

package clonemap

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A keeper knows the containers of a package: fields and package variables whose values, of a type of another package, are
// given slices and maps, and give them to whoever asks. Such are caches, a sync.Map, a singleflight.Group.
type keeper struct {
	pkg  *types.Package
	info *types.Info
	all  map[*types.Var]bool
}

// keeperOf finds the containers of a package.
func keeperOf(pkg *analysis.Package) *keeper {
	k := &keeper{pkg: pkg.Types, info: pkg.Info, all: map[*types.Var]bool{}}
	given, gives := map[*types.Var]bool{}, map[*types.Var]bool{}
	for _, f := range pkg.Files {
		if f.Test {
			continue
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if v, method := k.called(call); v != nil {
				given[v] = given[v] || len(k.put(call)) > 0 || makes(method)
				gives[v] = gives[v] || returnsKept(method)
			}
			return true
		})
	}
	for v := range given {
		k.all[v] = given[v] && gives[v]
	}
	return k
}

// takers are parts of the names of methods after which a container no longer has what they return.
var takers = []string{"Delete", "Remove", "Pop", "Take", "Deque", "Shift", "Drain", "Receive"}

// called is the field or package variable of which a call calls a method that another package declares, and the
// method; nil: it calls none.
func (k *keeper) called(call *ast.CallExpr) (*types.Var, *types.Func) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	f := syntax.Callee(k.info, call.Fun)
	if !ok || f == nil || f.Pkg() == nil || f.Pkg() == k.pkg || f.Signature().Recv() == nil || f.Pkg().Path() == "sync" && syntax.Receiver(f) == "Pool" {
		return nil, nil
	}
	if slices.ContainsFunc(takers, func(part string) bool { return strings.Contains(f.Name(), part) }) {
		return nil, nil
	}
	v := syntax.Variable(k.info, sel.X)
	if v == nil || !v.IsField() && !syntax.PackageLevel(v) {
		return nil, nil
	}
	return v.Origin(), f.Origin()
}

// put are the slices and maps that a call gives to a container.
func (k *keeper) put(call *ast.CallExpr) (all []ast.Expr) {
	_, f := k.called(call)
	if f == nil {
		return nil
	}
	params := f.Signature().Params()
	for i, arg := range call.Args {
		if i < params.Len() && anything(params.At(i).Type()) && packageOf(k.info.TypeOf(arg)) != "" {
			all = append(all, arg)
		}
	}
	return all
}

// makes reports whether a method has what it keeps from a function that it is given.
func makes(f *types.Func) bool {
	for p := range f.Signature().Params().Variables() {
		if made, ok := p.Type().Underlying().(*types.Signature); ok && made.Results().Len() > 0 && anything(made.Results().At(0).Type()) {
			return true
		}
	}
	return false
}

// returnsKept reports whether a method returns what a container keeps.
func returnsKept(f *types.Func) bool {
	results := f.Signature().Results()
	return results.Len() > 0 && anything(results.At(0).Type())
}

// anything reports whether a type is a parameter of a type or function, or an interface without methods.
func anything(t types.Type) bool {
	t = types.Unalias(t)
	if _, ok := t.(*types.TypeParam); ok {
		return true
	}
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

// of is the container that has the value of an expression, at a place of a function: it has returned it, or was given it
// before; nil: none has.
func (k *keeper) of(body ast.Node, e ast.Expr, before token.Pos) (found *types.Var) {
	switch e := ast.Unparen(e).(type) {
	case *ast.TypeAssertExpr:
		return k.of(body, e.X, before)
	case *ast.CallExpr:
		if v, f := k.called(e); k.all[v] && returnsKept(f) {
			return v
		}
	case *ast.Ident:
		v, ok := k.info.ObjectOf(e).(*types.Var)
		if !ok || v.IsField() || syntax.PackageLevel(v) {
			return nil
		}
		own := false
		ast.Inspect(body, func(n ast.Node) bool {
			if n == nil || n.Pos() >= before {
				return false
			}
			switch n := n.(type) {
			case *ast.AssignStmt:
				from, kept := k.assigned(body, n, v)
				own = own || from != nil && kept == nil && syntax.Names(k.info, from, v)
				if kept != nil {
					found = kept
				}
			case *ast.CallExpr:
				if to, _ := k.called(n); k.all[to] && slices.ContainsFunc(k.put(n), func(arg ast.Expr) bool { return syntax.Is(k.info, arg, v) }) {
					found = to
				}
			}
			return true
		})
		if own {
			return nil // it is made anew of what it was
		}
	}
	return found
}

// assigned is what an assignment gives a variable, and the container that this is from; nil: it gives it nothing.
func (k *keeper) assigned(body ast.Node, s *ast.AssignStmt, v *types.Var) (from ast.Expr, kept *types.Var) {
	i := slices.IndexFunc(s.Lhs, func(l ast.Expr) bool {
		id, ok := ast.Unparen(l).(*ast.Ident)
		return ok && k.info.ObjectOf(id) == v
	})
	switch {
	case i < 0 || i > 0 && len(s.Lhs) != len(s.Rhs):
		return nil, nil
	case len(s.Lhs) != len(s.Rhs):
		i = 0
	}
	return s.Rhs[i], k.of(body, s.Rhs[i], s.Pos())
}

// A Kept is a place that gives away a slice or map which a container has.
type Kept struct {
	File  string // module-relative
	Pos   token.Pos
	Func  string
	Owner string // the container
	Text  string // what is given away, as it stands there
}

// KeptGiven lists the results of functions that are such places.
func KeptGiven(program *analysis.Program) (all []Kept) {
	for _, pkg := range program.Packages {
		k := keeperOf(pkg)
		if len(k.all) == 0 {
			continue
		}
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				decl, ok := d.(*ast.FuncDecl)
				if !ok || decl.Body == nil || f.Test {
					continue
				}
				ast.Inspect(decl.Body, func(n ast.Node) bool {
					ret, ok := n.(*ast.ReturnStmt)
					if !ok {
						return true
					}
					for _, e := range ret.Results {
						if packageOf(k.info.TypeOf(e)) == "" {
							continue
						}
						if v := k.of(decl, e, ret.Pos()); v != nil {
							all = append(all, Kept{f.Rel, e.Pos(), analysis.FuncName(decl), v.Name(), types.ExprString(e)})
						}
					}
					return true
				})
			}
		}
	}
	return all
}

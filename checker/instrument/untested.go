package instrument

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// Variables that only benchmarks refer to, or examples that do not say what they print,
// which are not run, need not be initialised again: they may be large.

// untested are the package-level variables of a package's test files that no test
// reaches, and whose initialisers only compute.
func untested(pkg *analysis.Package, f *facts) map[*types.Var]bool {
	u := references{pkg: pkg, of: map[types.Object][]types.Object{}}
	u.find()
	tested := u.from(u.roots)
	found := map[*types.Var]bool{}
	for _, i := range pkg.Info.InitOrder {
		if i.Lhs[0].Name() == "_" || !u.tests[i.Lhs[0]] || tested[i.Lhs[0]] || len(i.Lhs) > 1 {
			continue
		}
		if u.computes(i, f, tested) {
			found[i.Lhs[0]] = true
		}
	}
	return found
}

// references are what the package-level declarations of test files refer to.
type references struct {
	pkg   *analysis.Package
	of    map[types.Object][]types.Object // functions, methods, variables and types, to those that they name
	tests map[types.Object]bool           // declared in test files
	run   map[string]bool                 // tests, see syntax.Tests
	roots []types.Object                  // what a test, or somebody else, may refer to
}

// find finds them. Other files cannot refer to test files.
func (u *references) find() {
	u.tests, u.run = map[types.Object]bool{}, map[string]bool{}
	for _, file := range u.pkg.Files {
		if !file.Test {
			continue
		}
		for _, test := range syntax.Tests(file.AST) {
			u.run[test.Name] = true
		}
		for _, d := range file.AST.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				u.declare(u.pkg.Info.Defs[d.Name], d)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						u.declare(u.pkg.Info.Defs[spec.Name], spec)
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							u.declare(u.pkg.Info.Defs[id], spec)
						}
					}
				}
			}
		}
	}
}

// declare notes a declaration.
func (u *references) declare(o types.Object, n ast.Node) {
	var named []types.Object
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if to := u.pkg.Info.Uses[id]; to != nil && to.Pkg() == u.pkg.Types {
				named = append(named, origin(to))
			}
		}
		return true
	})
	fn, isFunc := n.(*ast.FuncDecl)
	if o == nil || o.Name() == "init" && isFunc || o.Name() == "_" || isFunc && fn.Recv != nil {
		// Init functions run, and methods may be called behind an interface.
		u.roots = append(u.roots, named...)
	}
	if o == nil {
		return
	}
	u.tests[o], u.of[o] = true, named
	if u.mayBeNamed(o, isFunc) {
		u.roots = append(u.roots, o)
	}
}

// mayBeNamed reports whether something is a test, or may be used by one in another package.
func (u *references) mayBeNamed(o types.Object, isFunc bool) bool {
	if isFunc {
		for _, prefix := range []string{"Benchmark", "Example", "Fuzz"} {
			if strings.HasPrefix(o.Name(), prefix) {
				return u.run[o.Name()]
			}
		}
	}
	return o.Exported()
}

// origin is a method or field as it was declared.
func origin(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return o
}

// from is all that declarations reach, themselves included.
func (u *references) from(roots []types.Object) map[types.Object]bool {
	reached := map[types.Object]bool{}
	for todo := roots; len(todo) > 0; {
		o := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !reached[o] {
			reached[o] = true
			todo = append(todo, u.of[o]...)
		}
	}
	return reached
}

// computes reports whether the evaluation of an initialiser has no effect on what tests
// reach: it uses no variable that is tested and is written, or leads to what may change by
// a call, as a generator of random numbers does, and calls functions of test files
// and of the standard library only that have no effect others could notice.
func (u *references) computes(i *types.Initializer, f *facts, tested map[types.Object]bool) bool {
	for o := range u.from([]types.Object{i.Lhs[0]}) {
		v, ok := o.(*types.Var)
		switch {
		case ok && isGlobal(v) && (tested[v] || !u.tests[v]) && u.changes(v, f):
			return false
		case !ok && !u.tests[o] && isFunction(o):
			return false
		}
	}
	s := &startup{functions: functionsOf(map[string]*analysis.Package{u.pkg.Path: u.pkg}), cloned: map[string]bool{u.pkg.Path: true}, seen: map[string]bool{}}
	s.look(u.pkg, i.Rhs)
	return s.why == "" && s.shared == ""
}

// changes reports whether a variable, or what it leads to, may change.
func (u *references) changes(v *types.Var, f *facts) bool {
	if f.globals[global(v)] {
		return true
	}
	for _, i := range u.pkg.Info.InitOrder {
		if slices.Contains(i.Lhs, v) {
			return len(i.Lhs) > 1 || !f.unchanging(u.pkg.Info, v, i.Rhs)
		}
	}
	return false // nobody gives it a value
}

func isFunction(o types.Object) bool {
	_, ok := o.(*types.Func)
	return ok
}

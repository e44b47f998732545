package scenario

import (
	"go/ast"
	"go/types"
	"maps"
	"strings"

	"mendel/analysis"
)

// A maker makes the scenarios of a program.
type maker struct {
	program  *analysis.Program
	touch    Touch
	owned    map[*types.Package]*analysis.Package
	bodies   map[*types.Func]*body
	methods  map[string][]*types.Func // of the module, by name
	examples map[*types.Func][]exampleCall
	reached  map[*types.Func]*reach
	callback string                               // what functions made as arguments call; "": nothing
	imports  map[*analysis.File]map[string]string // that scenarios need beside the donor file's: path to name
}

// A body is a function of the module.
type body struct {
	file *analysis.File
	decl *ast.FuncDecl
}

// A reach is what a call of a function may come to.
type reach struct {
	functions map[*types.Func]bool
	variables map[*types.Var]bool
}

func newMaker(p *analysis.Program, t Touch) *maker {
	m := &maker{
		program: p, touch: t,
		owned:    map[*types.Package]*analysis.Package{},
		bodies:   map[*types.Func]*body{},
		methods:  map[string][]*types.Func{},
		examples: map[*types.Func][]exampleCall{},
		reached:  map[*types.Func]*reach{},
		imports:  map[*analysis.File]map[string]string{},
	}
	for _, pkg := range p.Packages {
		m.owned[pkg.Types] = pkg
		for _, f := range pkg.Files {
			m.index(f)
		}
	}
	m.widen()
	return m
}

// widen adds to what the patch touches the variables that the changed functions' callees use.
func (m *maker) widen() {
	variables := maps.Clone(m.touch.variables)
	for fn := range m.touch.functions {
		for v := range m.reach(fn).variables {
			if !synchronises(v.Type()) {
				variables[v] = true
			}
		}
	}
	m.touch.variables = variables
}

// index notes the functions of a file, and whom its tests call with what.
func (m *maker) index(f *analysis.File) {
	for _, d := range f.AST.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil {
			continue
		}
		fn, ok := f.Package.Info.Defs[fd.Name].(*types.Func)
		if !ok {
			continue
		}
		m.bodies[fn] = &body{f, fd}
		if fd.Recv != nil {
			m.methods[fn.Name()] = append(m.methods[fn.Name()], fn)
		}
		if !f.Test {
			continue
		}
		ast.Inspect(fd, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if fn := callee(f.Package.Info, c.Fun); fn != nil {
					m.examples[fn] = append(m.examples[fn], exampleCall{f, fd.Name.Name, c})
				}
			}
			return true
		})
	}
}

// callee is the function that an expression names; nil: none, or one that is known when it runs.
func callee(info *types.Info, e ast.Expr) *types.Func {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		fn, _ := info.Uses[e].(*types.Func)
		return origin(fn)
	case *ast.SelectorExpr:
		fn, _ := info.Uses[e.Sel].(*types.Func)
		return origin(fn)
	case *ast.IndexExpr:
		return callee(info, e.X)
	case *ast.IndexListExpr:
		return callee(info, e.X)
	}
	return nil
}

func origin(fn *types.Func) *types.Func {
	if fn == nil {
		return nil
	}
	return fn.Origin()
}

// reach is what a function names, and what these functions name. A method of an interface is
// every method of the module with its name.
func (m *maker) reach(fn *types.Func) *reach {
	fn = fn.Origin()
	if r := m.reached[fn]; r != nil {
		return r
	}
	r := &reach{map[*types.Func]bool{}, map[*types.Var]bool{}}
	m.reached[fn] = r
	m.extend(r, fn)
	return r
}

func (m *maker) extend(r *reach, fn *types.Func) {
	b := m.bodies[fn]
	if b == nil {
		if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) && !r.functions[fn] {
			r.functions[fn] = true
			for _, other := range m.methods[fn.Name()] {
				m.extend(r, other)
			}
		}
		return
	}
	if r.functions[fn] {
		return
	}
	r.functions[fn] = true
	ast.Inspect(b.decl, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := b.file.Package.Info.Uses[id].(type) {
		case *types.Func:
			m.extend(r, o.Origin())
		case *types.Var:
			if o.IsField() || isPackageVariable(o) {
				r.variables[o.Origin()] = true
			}
		}
		return true
	})
}

// fileOf is the file of the program that has a node.
func (m *maker) fileOf(n ast.Node) *analysis.File {
	return m.program.File(m.program.Fset.Position(n.Pos()).Filename)
}

// isTestFunction says whether go test runs a function.
func isTestFunction(fd *ast.FuncDecl) bool {
	return fd.Recv == nil && fd.Body != nil && strings.HasPrefix(fd.Name.Name, "Test") && fd.Name.Name != "TestMain"
}

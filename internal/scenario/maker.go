package scenario

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
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
	choice   int                                  // which of several calls by tests is the example
	callback string                               // what functions made as arguments call; "": nothing
	imports  map[*analysis.File]map[string]string // that scenarios need beside the donor file's: path to name
}

// A body is a function of the module.
type body struct {
	file *analysis.File
	decl *ast.FuncDecl

	named     bool // what follows is known
	functions []*types.Func
	variables []*types.Var
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
		m.bodies[fn] = &body{file: f, decl: fd}
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
	if r.functions[fn] {
		return
	}
	b := m.bodies[fn]
	if b == nil {
		if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			r.functions[fn] = true
			for _, other := range m.methods[fn.Name()] {
				m.extend(r, other)
			}
		}
		return
	}
	r.functions[fn] = true
	b.name()
	for _, v := range b.variables {
		r.variables[v] = true
	}
	for _, named := range b.functions {
		m.extend(r, named)
	}
}

// name finds what a body names, once.
func (b *body) name() {
	if b.named {
		return
	}
	b.named = true
	functions, variables := map[*types.Func]bool{}, map[*types.Var]bool{}
	ast.Inspect(b.decl, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := b.file.Package.Info.Uses[id].(type) {
		case *types.Func:
			functions[o.Origin()] = true
		case *types.Var:
			if o.IsField() || isPackageVariable(o) {
				variables[o.Origin()] = true
			}
		}
		return true
	})
	b.functions, b.variables = slices.Collect(maps.Keys(functions)), slices.Collect(maps.Keys(variables))
}

// fileOf is the file of the program that has a node.
func (m *maker) fileOf(n ast.Node) *analysis.File {
	return m.program.File(m.program.Fset.Position(n.Pos()).Filename)
}

// starts says whether the program starts goroutines outside of its tests.
func (m *maker) starts() bool {
	for _, b := range m.bodies {
		if !b.file.Test && b.starts() {
			return true
		}
	}
	return false
}

// startsIn says whether a function, or one that it reaches, starts goroutines.
func (m *maker) startsIn(fn *types.Func) bool {
	for f := range m.reach(fn).functions {
		if b := m.bodies[f]; b != nil && b.starts() {
			return true
		}
	}
	return false
}

// startsFor says whether the methods of a donor's value, or what prepares it, start goroutines.
func (m *maker) startsFor(d *donor) bool {
	for _, s := range m.callable(d) {
		if m.startsIn(s.fn) {
			return true
		}
	}
	for _, s := range d.prepare {
		found := false
		ast.Inspect(s, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if fn := callee(d.file.Package.Info, c.Fun); fn != nil && m.startsIn(fn) {
					found = true
				}
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// starts says whether a function has a go statement, or calls what starts goroutines.
func (b *body) starts() (found bool) {
	ast.Inspect(b.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == "Go" || n.Sel.Name == "AfterFunc"
		}
		return !found
	})
	return found
}

// isTestFunction says whether go test runs a function.
func isTestFunction(fd *ast.FuncDecl) bool {
	return fd.Recv == nil && fd.Body != nil && strings.HasPrefix(fd.Name.Name, "Test") && fd.Name.Name != "TestMain"
}

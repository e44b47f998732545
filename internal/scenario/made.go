package scenario

import (
	"go/ast"
	"go/types"
	"strings"

	"mendel/analysis"
)

// made are subjects that no test prepares: values of exported types that an exported function
// without a receiver returns, alone or with an error, and the packages of the tests themselves.
func (m *maker) made(prepared []*donor) []*donor {
	f := m.testFile()
	if f == nil {
		return nil
	}
	known := map[*types.TypeName]bool{}
	for _, d := range prepared {
		known[d.named.Obj()] = true
	}
	all := []*donor{{file: f, t: "t", locals: map[*types.Var]bool{}}}
	for _, fn := range m.functions(f) {
		d := m.constructed(f, fn)
		if d != nil && !known[d.named.Obj()] {
			known[d.named.Obj()] = true
			all = append(all, d)
		}
	}
	return all
}

// testFile is the test file with most tests; nil: there is none.
func (m *maker) testFile() (most *analysis.File) {
	n := 0
	for _, pkg := range m.program.Packages {
		if pkg.Dir != m.program.Packages[0].Dir {
			continue
		}
		for _, f := range pkg.Files {
			tests := 0
			for _, d := range f.AST.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && isTestFunction(fd) {
					tests++
				}
			}
			if f.Test && tests > n {
				most, n = f, tests
			}
		}
	}
	return most
}

// functions are the exported functions without a receiver and without type parameters of the package that a file tests.
func (m *maker) functions(f *analysis.File) []*types.Func {
	var all []*types.Func
	scope := m.program.Packages[0].Types.Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Exported() || fn.Signature().TypeParams().Len() > 0 {
			continue
		}
		if b := m.bodies[fn]; b != nil && !b.file.Test {
			all = append(all, fn)
		}
	}
	return all
}

// constructed is a subject that a function makes; nil: it makes none.
func (m *maker) constructed(f *analysis.File, fn *types.Func) *donor {
	results := fn.Signature().Results()
	if results.Len() == 0 || results.Len() > 2 || results.Len() == 2 && handling(results.At(1).Type()) != failure {
		return nil
	}
	named := m.subjectType(results.At(0).Type())
	if named == nil || types.IsInterface(named) {
		return nil
	}
	d := &donor{file: f, t: "t", name: "mendelValue", typ: results.At(0).Type(), named: named, locals: map[*types.Var]bool{}}
	callee := fn.Name()
	if fn.Pkg() != f.Package.Types {
		callee = m.imported(d, fn.Pkg().Path()) + "." + callee
	}
	text, ok := m.callText(d, fn, fn.Signature(), callee, "nil")
	if !ok {
		return nil
	}
	d.made = d.name + " := " + text + "\n"
	if results.Len() == 2 {
		d.made = strings.Replace(d.made, " :=", ", mendelError :=", 1) + "if mendelError != nil {\n" + d.t + ".Skip(mendelError)\n}\n"
	}
	return d
}

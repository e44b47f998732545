package variants

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/internal/gotool"
)

// driverName is the file with the tests that are made up.
const driverName = "zz_drive_test.go"

// A driver writes tests that call the functions of a package.
type driver struct {
	pkg     *types.Package
	imports map[string]bool // paths, besides sync and testing
	tests   bytes.Buffer
	count   int
}

// writeDriver writes a test file for the package of a program: one test for each function,
// which two goroutines call.
func writeDriver(p *analysis.Program) error {
	pkg := p.Packages[0]
	d := &driver{pkg: pkg.Types, imports: map[string]bool{}}
	for _, f := range pkg.Files {
		if f.Test {
			continue
		}
		for _, decl := range f.AST.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
				d.drive(fn, pkg.Info)
			}
		}
	}
	if d.count == 0 {
		return errors.New("no function that could be called")
	}
	text, err := format.Source(d.file())
	if err != nil {
		return fmt.Errorf("make up tests: %w", err)
	}
	return gotool.WriteFile(filepath.Join(pkg.Dir, driverName), text)
}

// file is the test file.
func (d *driver) file() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"sync\"\n\t\"testing\"\n", d.pkg.Name())
	for _, path := range slices.Sorted(maps.Keys(d.imports)) {
		if path != "sync" && path != "testing" {
			fmt.Fprintf(&b, "\t%q\n", path)
		}
	}
	b.WriteString(")\n")
	b.Write(d.tests.Bytes())
	return b.Bytes()
}

// drive adds a test of a function, unless it is generic or has no name to be called by.
func (d *driver) drive(decl *ast.FuncDecl, info *types.Info) {
	fn, ok := info.Defs[decl.Name].(*types.Func)
	if !ok || fn.Name() == "_" || fn.Name() == "main" || fn.Name() == "init" {
		return
	}
	signature := fn.Signature()
	if signature.TypeParams().Len() > 0 || signature.RecvTypeParams().Len() > 0 {
		return
	}
	d.count++
	fmt.Fprintf(&d.tests, "\n// Of %s.\nfunc TestDrive%d(t *testing.T) {\n", fn.FullName(), d.count)
	call := fn.Name()
	if recv := signature.Recv(); recv != nil {
		fmt.Fprintf(&d.tests, "\treceiver := %s\n", d.value(recv.Type()))
		call = "receiver." + call
	}
	var args []string
	for i := range signature.Params().Len() {
		param := signature.Params().At(i).Type()
		if signature.Variadic() && i == signature.Params().Len()-1 {
			break
		}
		fmt.Fprintf(&d.tests, "\targument%d := %s\n", i, d.value(param))
		args = append(args, fmt.Sprintf("argument%d", i))
	}
	fmt.Fprintf(&d.tests, "\tvar wg sync.WaitGroup\n\tfor i := 0; i < 2; i++ {\n\t\twg.Add(1)\n\t\tgo func() {\n\t\t\tdefer wg.Done()\n\t\t\t%s(%s)\n\t\t}()\n\t}\n\twg.Wait()\n}\n", call, strings.Join(args, ", "))
}

// value is an expression of a type, such that something happens where that is easy.
func (d *driver) value(t types.Type) string {
	name := types.TypeString(t, d.qualify)
	if name == "context.Context" {
		return "context.Background()"
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return fmt.Sprintf("new(%s)", types.TypeString(u.Elem(), d.qualify))
	case *types.Map:
		return fmt.Sprintf("%s{}", name)
	case *types.Chan:
		if u.Dir() == types.SendRecv {
			return fmt.Sprintf("make(%s, 1)", name)
		}
		return fmt.Sprintf("(%s)(make(chan %s, 1))", name, types.TypeString(u.Elem(), d.qualify))
	case *types.Signature:
		return d.function(u)
	case *types.Slice:
		return fmt.Sprintf("make(%s, 2)", name)
	}
	return fmt.Sprintf("*new(%s)", name)
}

// function is a function that returns zero values.
func (d *driver) function(s *types.Signature) string {
	text := strings.TrimPrefix(types.TypeString(types.NewSignatureType(nil, nil, nil, unnamed(s.Params()), unnamed(s.Results()), s.Variadic()), d.qualify), "func")
	var body strings.Builder
	var results []string
	for i := range s.Results().Len() {
		fmt.Fprintf(&body, "var result%d %s; ", i, types.TypeString(s.Results().At(i).Type(), d.qualify))
		results = append(results, fmt.Sprintf("result%d", i))
	}
	if len(results) > 0 {
		fmt.Fprintf(&body, "return %s", strings.Join(results, ", "))
	}
	return fmt.Sprintf("func%s { %s }", text, body.String())
}

// unnamed are the types of a tuple without names, which must not hide those of packages.
func unnamed(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(0, v.Pkg(), "", v.Type()))
	}
	return types.NewTuple(vars...)
}

// qualify names a package, and imports it.
func (d *driver) qualify(p *types.Package) string {
	if p == d.pkg {
		return ""
	}
	d.imports[p.Path()] = true
	return p.Name()
}

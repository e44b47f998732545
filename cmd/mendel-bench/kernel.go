package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// kernelDir is where a Go installation (1.26 or later) keeps GoKer, the
// blocking-bug kernels of GoBench (Yuan et al., CGO 2021), below GOROOT.
const kernelDir = "src/runtime/testdata/testgoroutineleakprofile/goker"

// A kernel is a small program with a real blocking bug, made into a package
// with a test.
type kernel struct {
	Name   string // "cockroach10214": the package's name too
	Entry  string // the function the test calls
	Source []byte // the package, formatted
}

// readKernels adapts the kernels in a directory, all of them or those named.
func readKernels(dir string, only []string) ([]kernel, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, fmt.Errorf("list the kernels: %w", err)
	}
	missing := slices.Clone(only)
	var kernels []kernel
	for _, name := range names {
		base := strings.TrimSuffix(filepath.Base(name), ".go")
		if base == "main" || len(only) > 0 && !slices.Contains(only, base) {
			continue
		}
		missing = slices.DeleteFunc(missing, func(m string) bool { return m == base })
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read a kernel: %w", err)
		}
		k, err := adaptKernel(name, src)
		if err != nil {
			return nil, fmt.Errorf("adapt a kernel to a test: %w", err)
		}
		kernels = append(kernels, k)
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("no kernel %s in %s; kernels come with Go 1.26 or later", strings.Join(missing, ", "), dir)
	}
	if len(kernels) == 0 {
		return nil, fmt.Errorf("no kernels in %s; they come with Go 1.26 or later", dir)
	}
	return kernels, nil
}

// WriteModule writes the kernel as a module of its own into a directory, which
// it makes. The kernel is no test file, so that it can be repaired.
func (k kernel) WriteModule(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("make the module of kernel %s: %w", k.Name, err)
	}
	for name, text := range map[string]string{
		"go.mod":            "module example.com/goker/" + k.Name + "\n\ngo 1.25\n",
		k.Name + ".go":      string(k.Source),
		k.Name + "_test.go": k.test(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return fmt.Errorf("write the module of kernel %s: %w", k.Name, err)
		}
	}
	return nil
}

// test is the source of the kernel's test.
func (k kernel) test() string {
	return fmt.Sprintf("package %s\n\nimport \"testing\"\n\nfunc Test%s(t *testing.T) {\n\t%s()\n}\n", k.Name, k.Entry, k.Entry)
}

// adaptKernel turns a program that asks for a leak profile at its end into a
// package without main, registration and profile. Everything else stays as it
// is, loops that repeat the bug a thousand times included.
func adaptKernel(name string, src []byte) (kernel, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		return kernel{}, err
	}
	a := &adapter{fset: fset, file: f, src: src}
	entry, err := a.unregister()
	if err != nil {
		return kernel{}, err
	}
	if err := a.stripProfile(entry); err != nil {
		return kernel{}, err
	}
	k := kernel{Name: strings.TrimSuffix(filepath.Base(name), ".go"), Entry: entry.Name.Name}
	a.replace(f.Name.Pos(), f.Name.End(), k.Name)
	a.dropImports()
	if a.remains("yieldCount") {
		a.replace(f.End(), f.End(), "\n\nconst yieldCount = 10\n")
	}
	if k.Source, err = format.Source(a.result()); err != nil {
		return kernel{}, fmt.Errorf("%s: %w", name, err)
	}
	return k, nil
}

// An adapter collects changes of one file's text, so that what is not changed
// stays byte for byte what it was.
type adapter struct {
	fset  *token.FileSet
	file  *ast.File
	src   []byte
	edits []textEdit
}

type textEdit struct {
	start, end int
	text       string
}

// replace changes the text between two positions.
func (a *adapter) replace(from, to token.Pos, text string) {
	a.edits = append(a.edits, textEdit{a.fset.Position(from).Offset, a.fset.Position(to).Offset, text})
}

// cut removes a node with what else is on its lines, and a blank line after it.
func (a *adapter) cut(from, to token.Pos) {
	start, end := a.fset.Position(from).Offset, a.fset.Position(to).Offset
	start = strings.LastIndexByte(string(a.src[:start]), '\n') + 1
	if i := strings.IndexByte(string(a.src[end:]), '\n'); i >= 0 {
		end += i + 1
	} else {
		end = len(a.src)
	}
	if end < len(a.src) && a.src[end] == '\n' {
		end++
	}
	a.edits = append(a.edits, textEdit{start, end, ""})
}

// result is the source with all edits made.
func (a *adapter) result() []byte {
	slices.SortFunc(a.edits, func(x, y textEdit) int { return cmp.Compare(x.start, y.start) })
	var out []byte
	at := 0
	for _, e := range a.edits {
		out = append(append(out, a.src[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, a.src[at:]...)
}

// unregister removes the call register("Name", Func) with its init function
// and returns the function registered.
func (a *adapter) unregister() (*ast.FuncDecl, error) {
	var entry string
	for _, d := range a.file.Decls {
		init, ok := d.(*ast.FuncDecl)
		if !ok || init.Recv != nil || init.Name.Name != "init" {
			continue
		}
		for _, s := range init.Body.List {
			name, ok := registered(s)
			if !ok {
				continue
			}
			if entry != "" {
				return nil, fmt.Errorf("%s: a second kernel is registered", a.fset.Position(s.Pos()))
			}
			entry = name
			if len(init.Body.List) == 1 {
				a.cut(init.Pos(), init.End())
			} else {
				a.cut(s.Pos(), s.End())
			}
		}
	}
	if entry == "" {
		return nil, fmt.Errorf("%s: no kernel is registered", a.fset.Position(a.file.Pos()))
	}
	for _, d := range a.file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == entry && fn.Body != nil {
			return fn, nil
		}
	}
	return nil, fmt.Errorf("%s: the kernel %s is registered but not declared", a.fset.Position(a.file.Pos()), entry)
}

// registered takes register("Name", Func) apart.
func registered(s ast.Stmt) (entry string, ok bool) {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return "", false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return "", false
	}
	if fun, ok := call.Fun.(*ast.Ident); !ok || fun.Name != "register" {
		return "", false
	}
	fn, ok := call.Args[1].(*ast.Ident)
	if !ok {
		return "", false
	}
	return fn.Name, true
}

// stripProfile removes "prof := pprof.Lookup(...)" from a function and the
// deferred literal that waits for goroutines to get stuck and writes prof.
func (a *adapter) stripProfile(fn *ast.FuncDecl) error {
	var prof string
	for _, s := range fn.Body.List {
		if name, ok := profileLookup(s); ok {
			prof = name
			a.cut(s.Pos(), s.End())
			continue
		}
		if prof == "" || !mentions(s, prof) {
			continue
		}
		d, ok := s.(*ast.DeferStmt)
		if !ok {
			return fmt.Errorf("%s: the leak profile is used in an unknown way", a.fset.Position(s.Pos()))
		}
		a.cut(d.Pos(), d.End())
	}
	if prof == "" {
		return fmt.Errorf("%s: %s asks for no leak profile", a.fset.Position(fn.Pos()), fn.Name.Name)
	}
	return nil
}

// profileLookup recognises "prof := pprof.Lookup(...)".
func profileLookup(s ast.Stmt) (name string, ok bool) {
	assign, ok := s.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return "", false
	}
	id, ok := assign.Lhs[0].(*ast.Ident)
	if !ok {
		return "", false
	}
	call, ok := assign.Rhs[0].(*ast.CallExpr)
	if !ok {
		return "", false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Lookup" {
		return "", false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return id.Name, ok && pkg.Name == "pprof"
}

// mentions tells whether an identifier occurs in a node.
func mentions(n ast.Node, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// errFound ends a walk.
var errFound = errors.New("found")

// remains tells whether an identifier occurs in what is not cut.
func (a *adapter) remains(name string) bool {
	return a.inspect(func(n ast.Node) error {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			return errFound
		}
		return nil
	}) != nil
}

// inspect walks all nodes that are not cut until visit returns an error.
func (a *adapter) inspect(visit func(ast.Node) error) error {
	var err error
	ast.Inspect(a.file, func(n ast.Node) bool {
		if n == nil || err != nil || a.isCut(n) {
			return false
		}
		err = visit(n)
		return err == nil
	})
	return err
}

func (a *adapter) isCut(n ast.Node) bool {
	start, end := a.fset.Position(n.Pos()).Offset, a.fset.Position(n.End()).Offset
	return slices.ContainsFunc(a.edits, func(e textEdit) bool {
		return e.text == "" && e.start <= start && end <= e.end
	})
}

// dropImports removes the imports that nothing uses any more.
func (a *adapter) dropImports() {
	used := map[string]bool{}
	_ = a.inspect(func(n ast.Node) error {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return nil
	})
	for _, d := range a.file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.IMPORT {
			continue
		}
		var unused []ast.Spec
		for _, s := range group.Specs {
			if !used[importName(s.(*ast.ImportSpec))] {
				unused = append(unused, s)
			}
		}
		if len(unused) == len(group.Specs) {
			a.cut(group.Pos(), group.End())
			continue
		}
		for _, s := range unused {
			a.cut(s.Pos(), s.End())
		}
	}
}

// importName is the name by which a file knows a package of the standard library.
func importName(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name
	}
	p, _ := strconv.Unquote(s.Path.Value) // the parser has checked it
	return path.Base(p)
}

package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// adaptKernel turns a program that asks for a leak profile at its end into a
// package without main, registration and profile. Everything else stays as it
// is. Many kernels start a hundred and more copies of themselves in a loop, so
// that one gets stuck. With once the loop starts a single copy, as in GoBench:
// that is enough for a search over schedules.
func adaptKernel(name string, src []byte, once bool) (Kernel, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		return Kernel{}, err
	}
	a := &adapter{fset: fset, file: f, src: src}
	known, entry, err := a.unregister()
	if err != nil {
		return Kernel{}, err
	}
	if err := a.stripProfile(entry); err != nil {
		return Kernel{}, err
	}
	if once {
		a.startOnce(entry)
	}
	k := Kernel{Name: strings.TrimSuffix(filepath.Base(name), ".go"), Entry: entry.Name.Name, Registered: known}
	a.replace(f.Name.Pos(), f.Name.End(), k.Name)
	a.dropImports()
	if a.remains("yieldCount") {
		a.replace(f.End(), f.End(), "\n\nconst yieldCount = 10\n")
	}
	if k.Source, err = format.Source(a.result()); err != nil {
		return Kernel{}, fmt.Errorf("%s: %w", name, err)
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
// and returns the name and the function registered.
func (a *adapter) unregister() (known string, fn *ast.FuncDecl, err error) {
	var entry string
	for _, d := range a.file.Decls {
		init, ok := d.(*ast.FuncDecl)
		if !ok || init.Recv != nil || init.Name.Name != "init" {
			continue
		}
		for _, s := range init.Body.List {
			name, function, ok := registered(s)
			if !ok {
				continue
			}
			if entry != "" {
				return "", nil, fmt.Errorf("%s: a second kernel is registered", a.fset.Position(s.Pos()))
			}
			known, entry = name, function
			if len(init.Body.List) == 1 {
				a.cut(init.Pos(), init.End())
			} else {
				a.cut(s.Pos(), s.End())
			}
		}
	}
	if entry == "" {
		return "", nil, fmt.Errorf("%s: no kernel is registered", a.fset.Position(a.file.Pos()))
	}
	for _, d := range a.file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == entry && fn.Body != nil {
			return known, fn, nil
		}
	}
	return "", nil, fmt.Errorf("%s: the kernel %s is registered but not declared", a.fset.Position(a.file.Pos()), entry)
}

// registered recognises register("Name", Func) and returns its arguments.
func registered(s ast.Stmt) (name, entry string, ok bool) {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return "", "", false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return "", "", false
	}
	if fun, ok := call.Fun.(*ast.Ident); !ok || fun.Name != "register" {
		return "", "", false
	}
	known, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return "", "", false
	}
	fn, ok := call.Args[1].(*ast.Ident)
	if !ok {
		return "", "", false
	}
	name, err := strconv.Unquote(known.Value)
	return name, fn.Name, err == nil
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

// mentions reports whether an identifier occurs in a node.
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

// remains reports whether an identifier occurs in what is not cut.
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

package verify

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
)

// NewlySerialised finds goroutines of the package in patched whose whole body is
// one critical section, and is not in source. Such goroutines run one after the
// other. It returns their positions. It goes by the syntax alone and does not
// rely on what a repair says of its own fix.
func NewlySerialised(source, patched string) ([]string, error) {
	before, err := Goroutines(source)
	if err != nil {
		return nil, err
	}
	after, err := Goroutines(patched)
	if err != nil {
		return nil, err
	}
	var found []string
	for i, g := range after {
		// Edits of locks leave go statements where they are, so that they
		// correspond by their order.
		if g.serialised && !(i < len(before) && before[i].serialised) {
			found = append(found, g.position)
		}
	}
	return found, nil
}

// A Goroutine is a go statement.
type Goroutine struct {
	position   string // "file.go:12"
	serialised bool
}

// Goroutines lists the go statements of the package in a directory, in the
// order of files and lines.
func Goroutines(dir string) ([]Goroutine, error) {
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, fmt.Errorf("list the package: %w", err)
	}
	s := serialCheck{functions: map[string][]*ast.FuncDecl{}}
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("look for serialised goroutines: %w", err)
		}
		files = append(files, f)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				s.functions[fn.Name.Name] = append(s.functions[fn.Name.Name], fn)
			}
		}
	}
	var found []Goroutine
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok {
				p := fset.Position(g.Pos())
				found = append(found, Goroutine{fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line), s.call(g.Call, 0)})
			}
			return true
		})
	}
	return found, nil
}

// A serialCheck follows goroutines into the functions that are their bodies.
type serialCheck struct {
	functions map[string][]*ast.FuncDecl // by name, methods of all types together
}

// maxDepth ends the way through functions that only call each other.
const maxDepth = 8

// call reports whether what a call runs is one critical section.
func (s serialCheck) call(c *ast.CallExpr, depth int) bool {
	if depth > maxDepth {
		return false
	}
	var name string
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.FuncLit:
		return s.body(fun.Body, depth)
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name
	}
	for _, fn := range s.functions[name] {
		if s.body(fn.Body, depth) {
			return true
		}
	}
	return false
}

// body reports whether a body is a critical section, or a call of a function that
// is one. Defers before it and WaitGroup.Done after it do not count.
func (s serialCheck) body(b *ast.BlockStmt, depth int) bool {
	stmts := b.List
	for len(stmts) > 0 {
		if _, ok := stmts[0].(*ast.DeferStmt); !ok {
			break
		}
		stmts = stmts[1:]
	}
	if len(stmts) > 0 {
		if _, method := methodCall(stmts[len(stmts)-1]); method == "Done" {
			stmts = stmts[:len(stmts)-1]
		}
	}
	if len(stmts) == 0 {
		return false
	}
	lock, method := methodCall(stmts[0])
	if method == "Lock" || method == "RLock" {
		return coversAll(stmts[1:], lock, strings.Replace(method, "Lock", "Unlock", 1))
	}
	if x, ok := stmts[0].(*ast.ExprStmt); ok && len(stmts) == 1 {
		if c, ok := x.X.(*ast.CallExpr); ok {
			return s.call(c, depth+1)
		}
	}
	return false
}

// coversAll reports whether a lock is released by a defer or by the last
// statement, and by none before.
func coversAll(rest []ast.Stmt, lock, unlock string) bool {
	for i, stmt := range rest {
		if d, ok := stmt.(*ast.DeferStmt); ok {
			stmt = &ast.ExprStmt{X: d.Call}
			if l, m := methodCall(stmt); l == lock && m == unlock {
				return true
			}
			continue
		}
		if l, m := methodCall(stmt); l == lock && m == unlock {
			return i == len(rest)-1
		}
	}
	return false
}

// methodCall splits a statement such as a.mu.Lock() into "a.mu" and "Lock".
func methodCall(s ast.Stmt) (receiver, method string) {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return "", ""
	}
	c, ok := x.X.(*ast.CallExpr)
	if !ok {
		return "", ""
	}
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	return types.ExprString(sel.X), sel.Sel.Name
}

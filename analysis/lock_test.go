package analysis

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A directive is what a comment above a statement announces.
type directive struct{ name, text string }

// directives maps lines to the directives in the comment that ends above them.
func directives(fset *token.FileSet, f *ast.File) map[int][]directive {
	found := map[int][]directive{}
	for _, group := range f.Comments {
		line := fset.Position(group.End()).Line + 1
		for _, c := range group.List {
			name, text, ok := strings.Cut(strings.TrimPrefix(c.Text, "// "), ": ")
			switch name {
			case "accesses", "locks", "new", "lock":
				if ok {
					found[line] = append(found[line], directive{name, text})
				}
			}
		}
	}
	return found
}

func TestLocks(t *testing.T) {
	for name, a := range archives(t, "locks") {
		t.Run(name, func(t *testing.T) {
			p := load(t, extract(t, a), ".")
			checked := 0
			for _, pkg := range p.Packages {
				for _, f := range pkg.Files {
					checked += checkDirectives(t, p, f)
				}
			}
			if checked < 10 {
				t.Errorf("only %d directives in the archive", checked)
			}
		})
	}
}

func checkDirectives(t *testing.T, p *Program, f *File) int {
	want := directives(p.Fset, f.AST)
	checked := 0
	ast.Inspect(f.AST, func(n ast.Node) bool {
		stmt, ok := n.(ast.Stmt)
		if !ok {
			return true
		}
		line := p.Fset.Position(stmt.Pos()).Line
		for _, d := range want[line] {
			checked++
			if diff := cmp.Diff(d.text, observed(p, f, stmt, d.name)); diff != "" {
				t.Errorf("%s:%d: %s (-want +got):\n%s", f.Rel, line, d.name, diff)
			}
		}
		delete(want, line)
		return true
	})
	for line, ds := range want {
		t.Errorf("%s:%d: no statement below %v", f.Rel, line, ds)
	}
	return checked
}

// observed is what the package says about a statement, as the directives write it.
func observed(p *Program, f *File, stmt ast.Stmt, what string) string {
	var parts []string
	sep := " "
	accesses := p.accesses(f.Package.Info, stmt)
	switch what {
	case "accesses":
		for _, a := range accesses {
			text := exprText(a.Expr)
			if a.elem {
				text += "[]"
			}
			if a.Write {
				text += "="
			}
			parts = append(parts, text)
		}
	case "locks":
		for _, l := range p.Locks(f, stmt) {
			parts = append(parts, l.Expr)
		}
	case "new":
		sep = ", "
		ast.Inspect(stmt, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok {
				accesses = append(accesses, p.accesses(f.Package.Info, lit)...)
			}
			return true
		})
		for _, l := range p.NewLocks(f, stmt, accesses) {
			parts = append(parts, fmt.Sprintf("%s %s@%s", l.Expr, l.New.Kind, identifierAt(p.File(l.New.File), l.New.Offset)))
		}
	case "lock":
		ast.Inspect(stmt, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if l, method, ok := p.LockOf(f, call); ok {
					parts = append(parts, l.Expr, l.Key, method)
				}
			}
			return true
		})
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, sep)
}

func identifierAt(f *File, offset int) string {
	end := offset
	for end < len(f.Source) && (f.Source[end] == '_' || f.Source[end] >= '0' && f.Source[end] <= 'z' && f.Source[end] != ':') {
		end++
	}
	return string(f.Source[offset:end])
}

// TestLockTypes: a type of the module that passes Lock and Unlock on to a mutex
// in it is a lock; one that does more is none.
func TestLockTypes(t *testing.T) {
	p := loadText(t, `
-- go.mod --
module example.com/wrapped

go 1.24
-- a.go --
package wrapped

import "sync"

type Switch struct {
	lock sync.Mutex
	off  bool
}

func (s *Switch) Lock() {
	if !s.off {
		s.lock.Lock()
	}
}

func (s *Switch) Unlock() {
	if !s.off {
		s.lock.Unlock()
	}
}

type Gate struct{ mu sync.Mutex }

func (g *Gate) Lock()   { g.mu.Lock(); g.mu.Unlock() }
func (g *Gate) Unlock() { g.mu.Unlock() }

type Logger struct {
	mu   Switch
	gate Gate
	out  []string
}

func (l *Logger) Write(s string) {
	l.mu.Lock()
	l.gate.Lock()
	l.out = append(l.out, s)
	l.gate.Unlock()
	l.mu.Unlock()
}
`)
	f := p.File("a.go")
	var got []string
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if l, method, ok := p.LockOf(f, call); ok {
				got = append(got, l.Key+"."+method)
			}
		}
		return true
	})
	want := []string{
		"example.com/wrapped.Switch.lock.Lock", "example.com/wrapped.Switch.lock.Unlock",
		"example.com/wrapped.Gate.mu.Lock", "example.com/wrapped.Gate.mu.Unlock", "example.com/wrapped.Gate.mu.Unlock",
		"example.com/wrapped.Logger.mu.Lock", "example.com/wrapped.Logger.mu.Unlock",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("locks called (-want +got):\n%s", diff)
	}
	for _, d := range f.AST.Decls {
		if decl, ok := d.(*ast.FuncDecl); ok && decl.Name.Name == "Write" {
			var exprs []string
			for _, l := range p.Locks(f, decl.Body.List[2]) {
				exprs = append(exprs, l.Expr)
			}
			if diff := cmp.Diff([]string{"l.mu", "l.gate.mu"}, exprs); diff != "" {
				t.Errorf("locks in scope (-want +got):\n%s", diff)
			}
		}
	}
}

package syntax

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

func TestStarted(t *testing.T) {
	const src = `package p

type group struct{}

func (*group) Go(f func() error)        {}
func (*group) TryGo(f func() error) bool { return true }

type thread struct{}

func (thread) Go(n int, f func()) {}

func Go(f func())                 {}
func AfterFunc(n int, f func())   {}

func started()        {}
func work() error     { return nil }

func f(g *group, other thread) {
	go started()
	g.Go(work)
	g.TryGo((work))
	Go(started)
	other.Go(1, started)
	started()
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	if _, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	lines := map[int]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if fun := Started(info, n); fun != nil {
			lines[fset.Position(n.Pos()).Line] += types.ExprString(fun)
		}
		return true
	})
	want := map[int]string{19: "started", 20: "work", 21: "work"}
	if len(lines) != len(want) {
		t.Errorf("%v are started, want %v", lines, want)
	}
	for line, fun := range want {
		if lines[line] != fun {
			t.Errorf("line %d starts %q, want %q", line, lines[line], fun)
		}
	}
}

package mutate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"testing"
)

func TestAliases(t *testing.T) {
	for _, tt := range []struct {
		body string
		want aliases
	}{
		{"l := p.list; use(l)", aliases{"l": "p.list"}},
		{"var l = p.list", aliases{"l": "p.list"}},
		{"mu := &p.mu", aliases{"mu": "p.mu"}},
		{"l := p.list; l = q", aliases{}},
		{"l := p.list; p.list = nil", aliases{}},
		{"l := p.list; p = q", aliases{}},
		{"l := p.list; if true { l := q; use(l) }", aliases{}},
		{"l := p.list; for l = range c { }", aliases{}},
		{"l := p.list; use(&l)", aliases{}},
		{"l := p.list; if p := q; true { use(p) }", aliases{}},
		{"l := p.get()", aliases{}},
		{"l, m := p.list, p.more", aliases{"l": "p.list", "m": "p.more"}},
		{"l, err := p.open()", aliases{}},
		{"l := p.list; n := l.next", aliases{"l": "p.list", "n": "l.next"}},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f(p *t) {"+tt.body+"}", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := findAliases(f.Decls[0].(*ast.FuncDecl)); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.body, got, tt.want)
		}
	}
}

func TestResolve(t *testing.T) {
	a := aliases{"l": "p.list", "n": "l.next", "x": "y", "y": "x"}
	for expr, want := range map[string]string{
		"l.mu": "p.list.mu", "l": "p.list", "n.mu": "p.list.next.mu", "mu": "mu", "p.l": "p.l", "ll.mu": "ll.mu",
	} {
		if got := a.resolve(expr); got != want {
			t.Errorf("%s: got %s, want %s", expr, got, want)
		}
	}
	a.resolve("x.mu") // returns, whatever it says of a circle
}

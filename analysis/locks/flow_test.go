package locks_test

import (
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/analysis/analysistest"
	"mendel/analysis/locks"
)

// Each line of the package says what is held there and whether it relocks.
func TestClothes(t *testing.T) {
	p := analysistest.Directory(t, filepath.Join("testdata", "clothes"))
	m := locks.New(p)
	file := p.Packages[0].Files[0]
	line := func(n ast.Node) int { return p.Fset.Position(n.Pos()).Line }
	relocks, held := make(map[int]bool), make(map[int]string)
	ast.Inspect(file.AST, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.FuncDecl:
			body = n.Body
		case *ast.FuncLit:
			body = n.Body
		}
		if body == nil {
			return true
		}
		fn := m.Of(n)
		if fn == nil {
			t.Fatalf("%s: no function", p.Fset.Position(n.Pos()))
		}
		for _, r := range m.Relocks(fn) {
			relocks[p.Fset.Position(r.At.End()-1).Line] = true
		}
		statements(body, func(s ast.Stmt) {
			held[line(s)] = describe(m.HeldAt(fn, s))
		})
		return true
	})
	for i, text := range strings.Split(string(file.Source), "\n") {
		_, comment, ok := strings.Cut(text, "// ")
		if want := comment == "relock"; want != relocks[i+1] && comment != "dead" && comment != "inner" {
			t.Errorf("clothes.go:%d: relock: got %t, want %t: %s", i+1, relocks[i+1], want, text)
		}
		if !ok || !strings.HasPrefix(comment, "held: ") && !strings.HasPrefix(comment, "maybe: ") && comment != "free" {
			continue
		}
		if got := held[i+1]; got != comment {
			t.Errorf("clothes.go:%d: got %q, want %q: %s", i+1, got, comment, text)
		}
	}
}

// statements visits the statements of a body, those of literals left out.
func statements(body *ast.BlockStmt, visit func(ast.Stmt)) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if s, ok := n.(ast.Stmt); ok && n != ast.Node(body) {
			if _, block := s.(*ast.BlockStmt); !block {
				visit(s)
			}
		}
		return true
	})
}

func describe(held []locks.Held) string {
	var always, some []string
	for _, h := range held {
		if h.Always {
			always = append(always, h.Path.String())
		} else {
			some = append(some, h.Path.String())
		}
	}
	slices.Sort(always)
	slices.Sort(some)
	switch {
	case len(some) > 0:
		return "maybe: " + strings.Join(some, ", ")
	case len(always) > 0:
		return "held: " + strings.Join(always, ", ")
	}
	return "free"
}

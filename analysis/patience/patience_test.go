package patience_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/patience"
)

// TestOf finds the guards of testdata/guards_test.txt. A comment "// fails" or "// gives"
// ends each line that has one.
func TestOf(t *testing.T) {
	source, err := os.ReadFile("testdata/guards_test.txt")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "guards_test.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{},
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := config.Check("guards", fset, []*ast.File{tree}, info)
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]string{}
	for call, guard := range patience.Of(&analysis.Package{
		Files: []*analysis.File{{Name: "guards_test.go", Source: source, AST: tree, Test: true}}, Types: pkg, Info: info,
	}) {
		line := fset.Position(call.Pos()).Line
		got[line] += map[patience.Guard]string{patience.Gives: "gives", patience.Fails: "fails"}[guard]
	}
	found := 0
	for i, line := range strings.Split(string(source), "\n") {
		_, want, _ := strings.Cut(line, "// ")
		if want != "gives" && want != "fails" {
			want = ""
		} else {
			found++
		}
		if got[i+1] != want {
			t.Errorf("line %d: %q, want %q: %s", i+1, got[i+1], want, strings.TrimSpace(line))
		}
	}
	if found < 20 {
		t.Error(fmt.Errorf("only %d guards are marked", found))
	}
}

package rounds_test

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
	"mendel/analysis/rounds"
)

const name = "loops_test.go"

// standard has the packages of the standard library that were loaded.
var standard = importer.ForCompiler(token.NewFileSet(), "source", nil)

// check reports what is wrong with a text as the only file of a package.
func check(source []byte) error {
	_, err := load(source)
	return err
}

// load type-checks a text as the only file of a package.
func load(source []byte) ([]*analysis.Package, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: standard}
	pkg, err := config.Check("loops", fset, []*ast.File{tree}, info)
	if err != nil {
		return nil, err
	}
	return []*analysis.Package{{Files: []*analysis.File{{Name: name, Source: source, AST: tree, Test: true}}, Types: pkg, Info: info}}, nil
}

// The comments of testdata/loops_test.txt say at the ends of lines how often a loop goes
// round, and what the number of the line is when all is divided by a hundred.
func TestRounds(t *testing.T) {
	source, err := os.ReadFile("testdata/loops_test.txt")
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := load(source)
	if err != nil {
		t.Fatal(err)
	}
	got := map[int][]string{}
	for _, l := range rounds.Of(pkgs) {
		got[l.Line] = append(got[l.Line], fmt.Sprint("loop ", l.Rounds))
	}
	if of := rounds.OfTest(pkgs, "TestHammer/sub"); len(of) != 1 || of[0].Function != "hammer" {
		t.Errorf("loops of TestHammer: %v", of)
	}
	files, changes := rounds.Shrink(pkgs, 100, func(files map[string][]byte) bool { return check(files[name]) == nil })
	for _, c := range changes {
		got[c.Line] = append(got[c.Line], fmt.Sprint(c.To))
	}
	marked := 0
	for i, line := range strings.Split(string(source), "\n") {
		_, want, _ := strings.Cut(line, " // ")
		if want != "" {
			marked++
		}
		if is := strings.Join(got[i+1], ", "); is != want {
			t.Errorf("line %d: %q, want %q: %s", i+1, is, want, line)
		}
	}
	if marked < 10 {
		t.Errorf("only %d lines are marked", marked)
	}
	shrunk := files[name]
	if err := check(shrunk); err != nil {
		t.Error(err)
	}
	if before, after := strings.Count(string(source), "\n"), strings.Count(string(shrunk), "\n"); before != after {
		t.Errorf("%d lines became %d", before, after)
	}
	for _, want := range []string{"count   = 4096 //", "i < 1000; i++", "if n != 1000 {", "hammer(t, 8, 100)", "hammer(nil, 8, 20_000)"} {
		if !strings.Contains(string(shrunk), want) {
			t.Errorf("no %q in\n%s", want, shrunk)
		}
	}
}

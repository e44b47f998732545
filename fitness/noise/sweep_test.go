package noise

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/internal/rewrite"
	"mendel/internal/sample"
)

// hooksOnly imports package hook; all other imports fail, which go/types
// makes up for without further complaints about them.
type hooksOnly struct{ hooks *types.Package }

func (h hooksOnly) Import(path string) (*types.Package, error) {
	if path == rewrite.NoisePath {
		return h.hooks, nil
	}
	return nil, errors.New("not imported")
}

// hookTypes is package hook as far as hooks use it.
func hookTypes(t *testing.T) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "hook.go", "package hook; func P(uint32) {}; func A(uint32) {}; func G(uint32) {}; func F() {}; func V() {}; func Watch(any) func() { return nil }", 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := new(types.Config).Check(rewrite.NoisePath, fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// complaints type-checks one file for itself and lists what is wrong with it by line.
func complaints(t *testing.T, name string, src []byte, hooks *types.Package) []string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%s does not parse: %v", name, err)
	}
	var list []string
	c := types.Config{
		Importer:    hooksOnly{hooks},
		FakeImportC: true,
		Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) && !strings.Contains(e.Msg, "could not import") && !strings.Contains(e.Msg, "already declared") {
				list = append(list, fmt.Sprintf("%d: %s", fset.PositionFor(e.Pos, false).Line, e.Msg))
			}
		},
	}
	c.Check("p", fset, []*ast.File{f}, nil) // complaints are collected
	slices.Sort(list)
	return list
}

// TestSweep instruments much of the standard library. Each file must still
// parse, keep its lines, and cause no complaint that it did not cause before:
// no missing return, no label or import that is unused, no misplaced fallthrough.
func TestSweep(t *testing.T) {
	hooks := hookTypes(t)
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, dir := range sample.Of(3, []string{"net/http", "runtime", "go/types", "encoding/json", "testing", "sync", "database/sql", "cmd/compile/internal/syntax"}) {
		names, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(goroot)), "src", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files++
			got := byNames(filepath.Base(name), src, "err", "n", "c", "x", "s", "p")
			if a, b := strings.Count(string(src), "\n"), strings.Count(string(got), "\n"); a != b {
				t.Errorf("%s: %d lines became %d", name, a, b)
			}
			after := complaints(t, name, got, hooks)
			if len(after) == 0 {
				continue
			}
			before := complaints(t, name, src, hooks)
			for _, c := range after {
				if !slices.Contains(before, c) {
					t.Errorf("%s:%s", name, c)
				}
			}
		}
	}
	if files < 100 {
		t.Skipf("only %d files: no sources of the standard library here", files)
	}
}

// FuzzInstrument: what parses still parses, on as many lines.
func FuzzInstrument(f *testing.F) {
	for _, src := range []string{
		"package x\nfunc f() { mu.Lock() }",
		"package x;func f(){L:for{select{case <-c:break L;case c<-1:continue L}}}",
		"package x\nfunc TestX(_ *testing.T) { go func() {}() }\nimport \"testing\"\n",
		"package x // c\nimport \"C\"\nfunc f() (n int) { switch { case <-c > 1: fallthrough; default: return shared } ; panic(1) }",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		parse := func(src []byte) error {
			_, err := parser.ParseFile(token.NewFileSet(), "x_test.go", src, parser.ParseComments|parser.SkipObjectResolution)
			return err
		}
		got := byNames("x_test.go", src, "shared")
		if parse(src) != nil {
			if string(got) != string(src) {
				t.Error("a file that does not parse was changed")
			}
			return
		}
		if err := parse(got); err != nil {
			t.Errorf("%v\n%s\nfrom\n%s", err, got, src)
		}
		if a, b := strings.Count(string(src), "\n"), strings.Count(string(got), "\n"); a != b {
			t.Errorf("%d lines became %d", a, b)
		}
	})
}

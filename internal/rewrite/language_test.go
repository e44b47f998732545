package rewrite_test

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/internal/rewrite"
)

// parse is a file of a module; nil if its text does not parse.
func parse(text string) *analysis.File {
	tree, err := parser.ParseFile(token.NewFileSet(), "/m/x.go", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	return &analysis.File{Name: "/m/x.go", Source: []byte(text), AST: tree}
}

// constraints are the build constraints of a text; ok is false if the go command refuses
// them.
func constraints(t *testing.T, text string) (all []constraint.Expr, ok bool) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if constraint.IsGoBuild(c.Text) {
				e, err := constraint.Parse(c.Text)
				if err != nil {
					return nil, false
				}
				all = append(all, e)
			}
		}
	}
	return all, true
}

func TestRaise(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"plain":           {"package x\n", "//go:build go1.18\n\n//line /m/x.go:1:1\npackage x\n"},
		"a constraint":    {"//go:build linux || !race\n\npackage x\n", "//go:build go1.18 && (linux || !race)\n\n//line /m/x.go:1:1\n// go:build linux || !race\n\npackage x\n"},
		"of comments":     {"// A comment.\n\n// Package x.\npackage x\n", "//go:build go1.18\n\n//line /m/x.go:1:1\n// A comment.\n\n// Package x.\npackage x\n"},
		"byte order mark": {"\ufeffpackage x\n", "//go:build go1.18\n\n//line /m/x.go:1:1\npackage x\n"},
		"one behind":      {"package x\n\n//go:build linux\n", "//go:build go1.18\n\n//line /m/x.go:1:1\npackage x\n\n//go:build linux\n"},
	} {
		if got := rewrite.Raise(parse(c.text), c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// FuzzRaise: the text means what it did, for those builds that it was for, and all that it
// declares stays where it was.
func FuzzRaise(f *testing.F) {
	for _, text := range []string{
		"package x\nfunc f() {}\n",
		"//go:build linux && !race || go1.21\n\npackage x\n\ntype T int\n",
		"// Text.\n\n//go:build ignore\n// +build ignore\n\n/* more */ package x; var v int\n",
		"\ufeff//go:build a\n\npackage x\nvar v = map[interface{}]int{}\n",
		"/*\n//go:build no\n*/\npackage x\nconst c = 1 // c\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := parse(text)
		if file == nil || strings.Contains(text, "//line") || strings.Contains(text, "/*line") || strings.Contains(text, "\r") {
			return
		}
		raised := rewrite.Raise(file, text)
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, "/m/y.go", raised, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%v\n%s", err, raised)
		}
		was := token.NewFileSet()
		before, err := parser.ParseFile(was, "/m/x.go", text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if len(before.Decls) != len(tree.Decls) {
			t.Fatalf("%d declarations become %d:\n%s", len(before.Decls), len(tree.Decls), raised)
		}
		for i, d := range before.Decls {
			if a, b := was.Position(d.Pos()), fset.Position(tree.Decls[i].Pos()); a.Filename != b.Filename || a.Line != b.Line {
				t.Errorf("%v becomes %v", a, b)
			}
		}
		sameBuilds(t, before, text, raised)
	})
}

// sameBuilds: a file belongs to the builds that it belonged to.
func sameBuilds(t *testing.T, before *ast.File, text, raised string) {
	t.Helper()
	own := func(string) bool { return true }
	all, ok := constraints(t, text[:before.Name.End()-before.FileStart])
	if !ok || len(all) > 1 {
		return
	}
	if len(all) == 1 {
		old := all[0]
		own = func(tag string) bool { return old.Eval(func(s string) bool { return s == tag || s == "go1.18" }) }
	}
	all, ok = constraints(t, raised)
	if !ok || len(all) == 0 || all[0].Eval(func(s string) bool { return s == "" }) {
		t.Fatalf("no constraint first:\n%s", raised)
	}
	for _, tag := range []string{"linux", "race", "a", "ignore", "none"} {
		if got := all[0].Eval(func(s string) bool { return s == tag || s == "go1.18" }); got != own(tag) {
			t.Errorf("with %s: %v, want %v\n%s", tag, got, own(tag), raised)
		}
	}
}

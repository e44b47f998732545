package tree

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/dave/dst"

	"mendel/analysis"
)

// parsed is a file that need not type-check, to be edited.
func parsed(t *testing.T, src string) *Edited {
	t.Helper()
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, "in.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	made, err := newFile(fset, &analysis.File{Rel: "in.go", Name: "in.go", Source: []byte(src), AST: syntax}).tree()
	if err != nil {
		t.Fatal(err)
	}
	return edit(made)
}

// statement finds the call of a function without arguments.
func (f *Edited) statement(t *testing.T, name string) dst.Stmt {
	t.Helper()
	for id := range f.Original.Nodes() {
		if s, ok := f.node(id).(*dst.ExprStmt); ok {
			if call, ok := s.X.(*dst.CallExpr); ok {
				if id, ok := call.Fun.(*dst.Ident); ok && id.Name == name {
					return s
				}
			}
		}
	}
	t.Fatalf("%s() is not called", name)
	return nil
}

// Comments and blank lines around the places of insertion and removal. Each
// case edits at the call x().
func TestInsertRemove(t *testing.T) {
	for _, tt := range []struct{ name, before, edit, after string }{
		{"before", "a()\nx()\nb()", "before", "a()\nnew()\nx()\nb()"},
		{"after", "a()\nx()\nb()", "after", "a()\nx()\nnew()\nb()"},
		{"blank lines stay outside", "a()\n\nx()\n\nb()", "before", "a()\n\nnew()\nx()\n\nb()"},
		{"blank lines stay outside behind", "a()\n\nx()\n\nb()", "after", "a()\n\nx()\nnew()\n\nb()"},
		{"its comments stay with it", "// above\nx() // behind\nb()", "before", "new()\n// above\nx() // behind\nb()"},
		{"comment behind", "// above\nx() // behind\nb()", "after", "// above\nx() // behind\nnew()\nb()"},
		{"a floating comment stays above", "a()\n\n// floats\n\n// above\nx()", "before", "a()\n\n// floats\n\nnew()\n// above\nx()"},
		{"comments at the end stay there", "x() // behind\n// last", "after", "x() // behind\nnew()\n// last"},
		{"comments at the end, parted", "x()\n\n// last", "after", "x()\nnew()\n\n// last"},
		{"several on a line", "a(); x(); b()", "before", "a()\nnew()\nx()\nb()"},
		{"several on a line, behind", "a(); x(); b()", "after", "a()\nx()\nnew()\nb()"},
		{"a literal on one line", "f := func() { x() }\nf()", "before", "f := func() {\n\tnew()\n\tx()\n}\nf()"},
		{"in a case", "switch {\ncase true: // why\n\tx() // behind\n\t// last\ndefault:\n}", "after",
			"switch {\ncase true: // why\n\tx() // behind\n\tnew()\n\t// last\ndefault:\n}"},
		{"in a select", "select {\ncase <-c:\n\tx() /* behind */\ndefault:\n}", "after",
			"select {\ncase <-c:\n\tx() /* behind */\n\tnew()\ndefault:\n}"},

		{"removed", "a()\nx()\nb()", "remove", "a()\nb()"},
		{"removed between blank lines", "a()\n\nx()\n\nb()", "remove", "a()\n\nb()"},
		{"removed, its comments stay", "a()\n// above\nx() // behind\nb()", "remove", "a()\n// above\n// behind\nb()"},
		{"removed, the last", "a() // a's\n// above\nx() // behind", "remove", "a() // a's\n// above\n// behind"},
		{"removed, the first", "x()\n\nb()", "remove", "b()"},
		{"removed, the only one", "if true {\n\t// above\n\tx()\n}", "remove", "if true {\n\t// above\n}"},
		{"removed in a case", "switch {\ncase true:\n\ta()\n\tx() // behind\n}", "remove", "switch {\ncase true:\n\ta()\n\t// behind\n}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := parsed(t, body(tt.before))
			x := f.statement(t, "x")
			made := &dst.ExprStmt{X: &dst.CallExpr{Fun: dst.NewIdent("new")}}
			var err error
			switch tt.edit {
			case "remove":
				err = f.Remove(x)
			default:
				err = f.Insert(x, tt.edit == "after", made)
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := printTree(f.root)
			if err != nil {
				t.Fatal(err)
			}
			if want := body(tt.after); string(got) != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// body is a file with one function of that body.
func body(stmts string) string {
	stmts = "\t" + strings.ReplaceAll(stmts, "\n", "\n\t")
	stmts = strings.ReplaceAll(stmts, "\n\t\n", "\n\n")
	return "package p\n\nfunc f() {\n" + stmts + "\n}\n"
}

// A statement that an edit has removed is not found again, nor is one inside it.
func TestNodeAfterRemoval(t *testing.T) {
	f := parsed(t, body("a()\nif true {\n\tx()\n}"))
	x := f.statement(t, "x")
	id, _ := f.ID(x)
	if f.Node(id) != dst.Node(x) {
		t.Fatal("x() is not found")
	}
	a := f.statement(t, "a")
	list, i := f.ListOf(a)
	if list == nil || i != 0 {
		t.Fatalf("a() is at %d of %v", i, list)
	}
	if err := f.Remove((*list)[1]); err != nil {
		t.Fatal(err)
	}
	if f.Node(id) != nil {
		t.Error("x() is found although its statement was removed")
	}
	if err := f.Insert(x, false, &dst.EmptyStmt{}); err == nil {
		t.Error("inserted at a statement that is no longer there")
	}
	if err := f.Remove(x); err == nil {
		t.Error("removed twice")
	}
	for _, id := range []int{-1, 1 << 20} {
		if f.Node(id) != nil {
			t.Errorf("found a node %d", id)
		}
	}
}

// NodeIDs are the same in a clone, whatever the file looks like.
func TestNumbering(t *testing.T) {
	f := parsed(t, body("a := []struct{ n int }{{1}, {2}}\nfor i := range a {\n\tgo func(v int) { x() }(a[i].n)\n}"))
	for i := range f.Original.decls {
		f.own(i)
	}
	if now, was := len(list(f.root, 0)), len(f.tree.nodes); now != was {
		t.Fatalf("%d nodes in the original, %d in the clone", was, now)
	}
	for id, n := range f.Original.Nodes() {
		if n == nil {
			t.Errorf("node %d, a %T, has no syntax", id, f.Was(id))
			continue
		}
		if f.Original.known(n) != id {
			t.Errorf("the syntax of node %d is that of node %d", id, f.Original.known(n))
		}
	}
}

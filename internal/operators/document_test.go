package operators

import (
	"bytes"
	"flag"
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/mutate"
)

var update = flag.Bool("update", false, "write docs/operators.md anew")

// TestDocument: docs/operators.md lists each operator with the first sentence of
// its documentation, and nothing else.
func TestDocument(t *testing.T) {
	name := filepath.Join("..", "..", "docs", "operators.md")
	want := document(t)
	if *update {
		if err := os.WriteFile(name, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("docs/operators.md is stale; run go test ./internal/operators -run Document -update")
	}
}

func document(t *testing.T) []byte {
	var b bytes.Buffer
	b.WriteString(`# Operators

<!-- Made from the documentation of the operators by the test that checks this page. -->

An operator is a way to edit the synchronisation of a program. Each is a directory of ` + "`mutate`" + `. Its ` + "`doc.go`" + ` shows an edit before and after, and says which bugs it repairs and what it leaves out. Its ` + "`testdata`" + ` has each form of the edit as a golden test. Operators that come from CORE (Kelk 2015, section 4.2.3) have their CORE name in the last column.

| operator | what it does | CORE |
|---|---|---|
`)
	for _, op := range All() {
		what := synopsis(t, op)
		fmt.Fprintf(&b, "| [%s](../mutate/%s/doc.go) | %s | %s |\n", op.Name, op.Name, what, op.CORE)
	}
	return b.Bytes()
}

// synopsis is the first sentence of an operator's documentation, without the
// name that it begins with.
func synopsis(t *testing.T, op *mutate.Operator) string {
	f, err := parser.ParseFile(token.NewFileSet(), op.Name+"/doc.go", op.Doc, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	text := new(doc.Package).Synopsis(f.Doc.Text())
	what, ok := strings.CutPrefix(text, "Package "+op.Name+" ")
	if !ok || what == "" {
		t.Errorf("%s: its documentation begins with %q", op.Name, text)
	}
	return strings.ReplaceAll(strings.TrimRight(what, ".:"), "|", "\\|")
}

package regress

import (
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"mendel/analysis"
)

// What a test says when it waits no longer is known, up to where it depends on values.
func TestPatience(t *testing.T) {
	const source = `package p

func TestX(t *testing.T) {
	select {
	case <-done:
	default:
		t.Fatal("not done")
	}
	select {
	case got := <-done:
		t.Errorf("got %d", got)
	case <-time.After(time.Second):
		t.Fatalf("stuck after %d rounds", n)
	}
	select {
	case <-ctx.Done():
		t.Fatal("no answer")
	case x <- 1:
	}
}
`
	f, err := parser.ParseFile(token.NewFileSet(), "x_test.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := patience(&analysis.Package{Files: []*analysis.File{{AST: f, Test: true}}})
	if want := []string{"stuck after ", "no answer"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

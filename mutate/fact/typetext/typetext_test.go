package typetext_test

import (
	"go/ast"
	"testing"

	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/mutatetest"
)

const types = `package types

import clock "time"

type pair struct{ n int }

func f[T any](a int, b *pair, c pair, d clock.Duration, e map[string][]pair, g T, h struct{ n int }) {
	type pair int
	a++
}
`

// TestTypeText is written as it would be there: not where its name is hidden or it has none.
func TestTypeText(t *testing.T) {
	fn := mutatetest.Functions(t, map[string]string{"in.go": types})["f"]
	if fn == nil {
		t.Fatal("there is no f")
	}
	outside, inside := fn.Body.Lbrace, fn.Body.List[1].Pos()
	for i, want := range []struct{ text, zero, hidden string }{
		{"int", "0", "int"},
		{"*pair", "nil", ""},
		{"pair", "pair{}", ""},
		{"clock.Duration", "0", "clock.Duration"},
		{"map[string][]pair", "nil", ""},
		{"T", "*new(T)", "T"},
		{"", "", ""},
	} {
		typ := fn.File.Package.Info.TypeOf(fieldOf(fn.Type, i))
		if got, _ := typetext.Of(fn, typ, outside); got != want.text {
			t.Errorf("%v is written %q, want %q", typ, got, want.text)
		}
		if got, ok := typetext.Zero(fn, typ, outside); ok != (want.zero != "") || ok && got != want.zero {
			t.Errorf("the zero value of %v is %q, %t, want %q", typ, got, ok, want.zero)
		}
		if got, _ := typetext.Of(fn, typ, inside); got != want.hidden {
			t.Errorf("where pair is hidden %v is written %q, want %q", typ, got, want.hidden)
		}
	}
}

func fieldOf(f *ast.FuncType, i int) ast.Expr { return f.Params.List[i].Type }

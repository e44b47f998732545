package syntax

import (
	"go/parser"
	"testing"
)

func TestOpposite(t *testing.T) {
	for cond, want := range map[string]string{
		"ok":          "!ok",
		"!ok":         "ok",
		"!(a && b)":   "(a && b)",
		"a == nil":    "a != nil",
		"a != nil":    "a == nil",
		"n < 2":       "n >= 2",
		"n >= 2":      "n < 2",
		"n > m":       "n <= m",
		"n <= m":      "n > m",
		"(n == 0)":    "n != 0",
		"a || b":      "!(a || b)",
		"c.closed":    "!c.closed",
		"done[i]":     "!done[i]",
		"f(x)":        "!f(x)",
		"(a || b)":    "!(a || b)",
		"x.y() && ok": "!(x.y() && ok)",
	} {
		e, err := parser.ParseExpr(cond)
		if err != nil {
			t.Fatal(err)
		}
		if got := Opposite(e); got != want {
			t.Errorf("opposite of %s: %s, want %s", cond, got, want)
		}
	}
}

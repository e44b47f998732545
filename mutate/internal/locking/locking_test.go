package locking

import (
	"go/ast"
	"go/parser"
	"testing"

	"mendel/mutate"
)

func TestReassigned(t *testing.T) {
	for _, tt := range []struct {
		lock, stmts string
		want        bool
	}{
		{"p.mu", "p.n++", false},
		{"p.mu", "p = q", true},
		{"p.mu", "p, err := open()", true},
		{"p.next.mu", "p.next = nil", true},
		{"p.next.mu", "p.nextOne = nil", false},
		{"a[i].mu", "i++", true},
		{"a[i].mu", "a[j].n = 1", false},
		{"a[i].mu", "for i = range a { }", true},
		{"p.mu", "*p = t{}", true},
		{"p.mu", "var p t", true},
		{"p.mu", "if true { var p t; use(p) }", false},
		{"p.mu", "go func() { p = q }()", false},
		{"mu", "n = 1", false},
		{"p.(", "n = 1", true},
	} {
		e, err := parser.ParseExpr("func() {" + tt.stmts + "}")
		if err != nil {
			t.Fatal(err)
		}
		if got := Reassigned(tt.lock, e.(*ast.FuncLit).Body.List); got != tt.want {
			t.Errorf("%s; %s: %v, want %v", tt.lock, tt.stmts, got, tt.want)
		}
	}
}

func TestList(t *testing.T) {
	fn := &mutate.Function{Name: "(*Account).Transfer.func1"}
	method := &mutate.Function{Name: "(*Account).Transfer"}
	for _, tt := range []struct {
		fn    *mutate.Function
		names []string
		want  string
	}{
		{method, []string{"(*Account).Deposit"}, "Deposit"},
		{method, []string{"(*Account).Deposit", "run"}, "Deposit and run"},
		{method, []string{"(*Account).Deposit", "run", "a", "b"}, "Deposit, run and 2 more"},
		{method, []string{"(*Savings).Transfer"}, "Savings.Transfer"},
		{method, []string{"run.func1"}, "a function literal of run"},
		{fn, []string{"(*Account).Transfer.func2"}, "another function literal of Transfer"},
		{method, []string{"glob..func1"}, "a function of a package variable"},
	} {
		if got := list(tt.fn, tt.names); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.names, got, tt.want)
		}
	}
}

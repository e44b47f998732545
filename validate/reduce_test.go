package validate

import (
	"testing"

	"mendel/mutate"
)

// Edits that put in something else, or in another way, are not the same.
func TestSame(t *testing.T) {
	e := mutate.Edit{Operator: "selectdone", File: "a.go", Node: 3, Expr: "ctx.Done()", Form: "send"}
	if !same(e, e) {
		t.Error("an edit is not the same as itself")
	}
	for _, change := range []func(*mutate.Edit){
		func(e *mutate.Edit) { e.Expr = "p.stop" },
		func(e *mutate.Edit) { e.Form = "receive" },
		func(e *mutate.Edit) { e.Count = 2 },
		func(e *mutate.Edit) { e.Other = 4 },
	} {
		other := e
		change(&other)
		if same(e, other) {
			t.Errorf("%+v is the same as %+v", other, e)
		}
	}
}

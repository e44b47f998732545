package mutate

import (
	"testing"

	"mendel/analysis"
)

// What depends on the evidence is no part of a key; everything that changes
// what an edit does is.
func TestEditKey(t *testing.T) {
	edit := func(change func(*Edit)) Edit {
		e := Edit{
			Operator: "once", File: "a.go", Line: 3, Func: "f", Node: 7, Other: 2, Count: 1,
			Lock: &analysis.Lock{Expr: "c.once", Key: "C.once", New: &analysis.NewLock{Kind: analysis.FieldLock, Name: "once", File: "a.go", Offset: 12}},
			Heat: 0.1, Vars: []string{"C.n"}, Note: "n", Parts: []Edit{{Operator: "guard", File: "a.go", Node: 8}},
		}
		l, n := *e.Lock, *e.Lock.New
		e.Lock, l.New = &l, &n
		change(&e)
		return e
	}
	plain := edit(func(*Edit) {})
	same := map[string]Edit{
		"heat": edit(func(e *Edit) { e.Heat = 1 }), "belief": edit(func(e *Edit) { e.Belief = 0.5 }), "flags": edit(func(e *Edit) { e.Flags = []Flag{Blocks} }),
		"vars": edit(func(e *Edit) { e.Vars = nil }), "note": edit(func(e *Edit) { e.Note = "" }),
		"heat of a part": edit(func(e *Edit) { e.Parts[0].Heat = 1 }),
		"a part twice":   edit(func(e *Edit) { e.Parts = append(e.Parts, e.Parts[0]) }),
	}
	for name, e := range same {
		if e.Key() != plain.Key() || e.Key().String() != plain.Key().String() || compareEdits(e, plain) != 0 || !Has([]Edit{plain}, e) {
			t.Errorf("%s makes it another edit: %v", name, e.Key())
		}
	}
	other := map[string]Edit{
		"operator": edit(func(e *Edit) { e.Operator = "guard" }), "file": edit(func(e *Edit) { e.File = "b.go" }),
		"node": edit(func(e *Edit) { e.Node++ }), "other": edit(func(e *Edit) { e.Other++ }), "count": edit(func(e *Edit) { e.Count++ }),
		"lock": edit(func(e *Edit) { e.Lock.Expr = "d.once" }), "lock's key": edit(func(e *Edit) { e.Lock.Key = "D.once" }), "no lock": edit(func(e *Edit) { e.Lock = nil }),
		"new lock's kind": edit(func(e *Edit) { e.Lock.New.Kind = analysis.LocalLock }), "new lock's name": edit(func(e *Edit) { e.Lock.New.Name = "mu" }),
		"new lock's file": edit(func(e *Edit) { e.Lock.New.File = "b.go" }), "new lock's place": edit(func(e *Edit) { e.Lock.New.Offset++ }),
		"new lock's type": edit(func(e *Edit) { e.Lock.New.Type = "sync.Once" }),
		"read":            edit(func(e *Edit) { e.Read = true }), "expr": edit(func(e *Edit) { e.Expr = "1" }), "form": edit(func(e *Edit) { e.Form = "defer" }),
		"parts": edit(func(e *Edit) { e.Parts[0].Node++ }),
	}
	for name, e := range other {
		k, o := e.Key(), plain.Key()
		if k == o || k.String() == o.String() || k.Compare(o) == 0 || k.Compare(o) != -o.Compare(k) || Has([]Edit{plain}, e) {
			t.Errorf("%s makes no other edit: %v", name, k)
		}
	}
	if two := []Edit{plain, other["read"]}; !HasAll(two, two[1:]) || HasAll(two[:1], two) {
		t.Error("HasAll does not tell a set from a part of it")
	}
}

func TestWorth(t *testing.T) {
	e := Edit{Heat: 0.5}
	if e.Worth() != 0.5 {
		t.Errorf("worth %v where nothing is said of belief, want the heat", e.Worth())
	}
	e.Doubt(0.5)
	e.Doubt(0.5)
	if e.Heat != 0.5 || e.Belief != 0.25 || e.Worth() != 0.125 {
		t.Errorf("doubted twice: heat %v, belief %v, worth %v", e.Heat, e.Belief, e.Worth())
	}
}

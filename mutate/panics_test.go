package mutate_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/internal/mutatetest"
)

// An operator that panics is reported with its name and place, once for each, and
// the edits of the others are what they are without it.
func TestPanickingOperator(t *testing.T) {
	p, n := mutatetest.Load(t, writeModule(t, map[string][]byte{"bank": []byte(bank)}), []string{"*"}, []string{"*"})
	alone, err := mutate.NewSpace(p, n, []*mutate.Operator{addlock.Operator})
	if err != nil {
		t.Fatal(err)
	}
	broken := &mutate.Operator{
		Name: "broken",
		Edits: func(fn *mutate.Function) []mutate.Edit {
			if fn.Name == "(*Account).Deposit" {
				panic("no such thing")
			}
			return []mutate.Edit{fn.NewEdit("broken", fn.Node)}
		},
		Apply:    func(*mutate.Mutation, mutate.Edit) error { panic("cannot") },
		Together: func(*mutate.Whole) []mutate.Edit { var none []mutate.Edit; return none[1:] },
		Close:    func(*mutate.Whole) func(mutate.Closing) [][]mutate.Edit { panic("never") },
	}
	var mu sync.Mutex
	var faults []string
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{broken, addlock.Operator}, mutate.OnPanic(func(f mutate.Panic) {
		mu.Lock()
		defer mu.Unlock()
		if !strings.Contains(f.Stack, "TestPanickingOperator") {
			t.Errorf("the stack of %q does not lead to the operator:\n%s", f, f.Stack)
		}
		faults = append(faults, f.String())
	}))
	if err != nil {
		t.Fatal(err)
	}
	space.Extend() // panics again, and is not reported again
	var others []mutate.Edit
	for _, e := range space.Edits() {
		if e.Operator == "broken" {
			_, err := space.Mutant(context.Background(), []mutate.Edit{e})
			var refusal *mutate.Refusal
			if !errors.As(err, &refusal) {
				t.Errorf("an edit whose operator panics gives %v, want a refusal", err)
			}
		} else {
			others = append(others, e)
		}
	}
	if len(others) == 0 || !mutate.HasAll(others, alone.Edits()) || !mutate.HasAll(alone.Edits(), others) {
		t.Errorf("%d edits of the other operator, %d without the one that panics", len(others), len(alone.Edits()))
	}
	slices.Sort(faults)
	want := []string{
		"operator broken panicked in Apply at (*Account).Transfer (bank/in.go): cannot",
		"operator broken panicked in Edits at (*Account).Deposit (bank/in.go): no such thing",
		"operator broken panicked in Together: runtime error: slice bounds out of range [1:0]",
	}
	if !slices.Equal(faults, want) {
		t.Errorf("faults:\n%s\nwant\n%s", strings.Join(faults, "\n"), strings.Join(want, "\n"))
	}
}

// A statement that an operator puts into the tree twice cannot be printed: the edit is
// refused.
func TestTwiceInTree(t *testing.T) {
	p, n := mutatetest.Load(t, writeModule(t, map[string][]byte{"bank": []byte(bank)}), []string{"*"}, []string{"*"})
	broken := &mutate.Operator{
		Name: "broken", Adds: true,
		Edits: func(fn *mutate.Function) []mutate.Edit {
			e := fn.NewEdit("broken", fn.Body.List[0])
			e.Lock = &analysis.Lock{Expr: "a.mu", Key: "example.com/all/bank.Account.mu"}
			return []mutate.Edit{e}
		},
		Apply: func(m *mutate.Mutation, e mutate.Edit) error {
			call := m.Call(*e.Lock, "Lock", "")
			if err := m.Insert(e.File, m.Stmt(e.File, e.Node), false, call); err != nil {
				return err
			}
			return m.Insert(e.File, m.Stmt(e.File, e.Node), false, call)
		},
	}
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{broken})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range space.Edits() {
		var refusal *mutate.Refusal
		if _, err := space.Mutant(context.Background(), []mutate.Edit{e}); !errors.As(err, &refusal) {
			t.Errorf("%s: %v, want a refusal", e.Func, err)
		}
	}
	if len(space.Edits()) == 0 {
		t.Error("no edits")
	}
}

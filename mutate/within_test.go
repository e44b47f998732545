package mutate_test

import (
	"context"
	"errors"
	"testing"

	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// Listing edits ends with its context, at the next function: it is not the caller who has
// to wait for operators that take long.
func TestWithin(t *testing.T) {
	p, n := mutatetest.Load(t, writeModule(t, map[string][]byte{"bank": []byte(bank)}), []string{"*"}, []string{"*"})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := 0
	op := &mutate.Operator{
		Name: "counts", Adds: true,
		Edits: func(fn *mutate.Function) []mutate.Edit {
			asked++
			return []mutate.Edit{fn.NewEdit("counts", fn.Body.List[0])}
		},
		Together: func(*mutate.Whole) []mutate.Edit {
			asked++
			return nil
		},
	}
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{op}, mutate.Within(ctx))
	if err != nil || asked < 3 {
		t.Fatalf("asked %d times: %v", asked, err)
	}
	listed := len(space.Edits())
	all := asked
	cancel()
	if added := space.Extend(); len(added) > 0 || space.Widen() || len(space.Edits()) != listed || asked != all {
		t.Errorf("after the end: %d more edits, %d questions", len(added), asked-all)
	}

	ctx, cancel = context.WithCancel(t.Context())
	asked = 0
	slow := *op
	slow.Edits = func(fn *mutate.Function) []mutate.Edit {
		cancel()
		return op.Edits(fn)
	}
	if _, err := mutate.NewSpace(p, n, []*mutate.Operator{&slow}, mutate.Within(ctx)); !errors.Is(err, context.Canceled) || asked != 1 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

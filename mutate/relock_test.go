package mutate_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/operators"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// Where a lock is held in a way that the function's own text does not show, no
// edit locks it again, and the method that forgets it is offered it.
func TestNoRelock(t *testing.T) {
	p, n := mutatetest.Load(t, filepath.Join("testdata", "relock"), []string{"*"}, []string{"*"})
	space, err := mutate.NewSpace(p, n, operators.All())
	if err != nil {
		t.Fatal(err)
	}
	mended := make(map[string]bool)
	for _, e := range space.Edits() {
		if len(e.Parts) > 0 || e.Lock == nil || e.Lock.New != nil || !space.Operator(e.Operator).Adds {
			continue
		}
		typ, method, _ := strings.Cut(strings.TrimPrefix(e.Func, "(*"), ").")
		typ, _, _ = strings.Cut(typ, "[")
		_, err := space.Mutant(context.Background(), []mutate.Edit{e})
		var refusal *mutate.Refusal
		switch {
		case errors.As(err, &refusal):
			continue
		case err != nil:
			t.Fatal(err)
		}
		switch {
		case strings.HasPrefix(method, "Peek"):
			mended[typ] = true
		case strings.HasPrefix(method, "Held") || strings.HasPrefix(method, "All"):
			t.Errorf("%s:%d: %s locks %s in %s, which holds it", e.File, e.Line, e.Operator, e.Lock.Expr, e.Func)
		}
	}
	for _, typ := range []string{"Helpers", "Hold", "Queue", "Set", "Maybe", "Table", "Cond"} {
		if !mended[typ] {
			t.Errorf("no edit locks Peek of %s", typ)
		}
	}
}

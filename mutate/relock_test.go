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
	for _, typ := range []string{"Helpers", "Hold", "Queue", "Set", "Maybe", "Table", "Cond", "Flag"} {
		if !mended[typ] {
			t.Errorf("no edit locks Peek of %s", typ)
		}
	}
}

// The lock that Peek gets guards the variable everywhere: that the others hold it, in
// whatever clothes, is seen. What holds it if its caller says so, and has callers
// that nobody knows, may not.
func TestHiddenLocksGuard(t *testing.T) {
	p, n := mutatetest.Load(t, filepath.Join("testdata", "relock"), []string{"*"}, []string{"*"})
	space, err := mutate.NewSpace(p, n, operators.All())
	if err != nil {
		t.Fatal(err)
	}
	whole := make(map[string]bool) // types whose Peek gets a lock that leaves no gap
	for _, e := range space.Edits() {
		typ, method, _ := strings.Cut(strings.TrimPrefix(e.Func, "(*"), ").")
		if method != "Peek" || e.Operator != "addlock" || len(e.Parts) > 0 || !strings.HasSuffix(e.Lock.Expr, ".mu") || e.Lock.New != nil {
			continue
		}
		g, err := space.Guarding([]mutate.Edit{e})
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Locks()) == 0 {
			t.Errorf("%s: the edit with %+v guards nothing", typ, *e.Lock)
		}
		var gaps []mutate.Gap
		for _, key := range g.Locks() {
			gaps = append(gaps, g.Gaps(key, g.Vars(key)...)...)
		}
		whole[typ] = len(gaps) == 0
		if want := typ != "Maybe"; whole[typ] != want {
			t.Errorf("%s: gaps %v", typ, gaps)
		}
	}
	for _, typ := range []string{"Helpers", "Hold", "Queue", "Set", "Cond", "Flag"} {
		if !whole[typ] {
			t.Errorf("no edit of Peek of %s leaves no gap", typ)
		}
	}
}

package mutate_test

import (
	"path/filepath"
	"slices"
	"testing"

	"mendel/internal/operators"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// A lock need not guard what packages use that know nothing of it, unless who knows it
// has them use it.
func TestGapsOfOthers(t *testing.T) {
	p, n := mutatetest.Load(t, filepath.Join("testdata", "foreign"), []string{"*"}, []string{"*"})
	space, err := mutate.NewSpace(p, n, operators.All())
	if err != nil {
		t.Fatal(err)
	}
	edits := space.Edits()
	i := slices.IndexFunc(edits, func(e mutate.Edit) bool {
		return e.Func == "(*Cache).Set" && e.Operator == "addlock" && e.Lock != nil && e.Lock.Key == "example.com/foreign.Cache.mu"
	})
	if i < 0 {
		t.Fatal("no edit locks Set")
	}
	g, err := space.Guarding(edits[i : i+1])
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, gap := range g.Gaps(edits[i].Lock.Key, g.Vars(edits[i].Lock.Key)...) {
		found = append(found, gap.Var+" in "+gap.Func)
	}
	want := []string{"Cache.entries in (*Cache).Peek", "Entry.Value in Double"}
	if !slices.Equal(found, want) {
		t.Errorf("the gaps are %q, want %q", found, want)
	}
}

package mutate_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/internal/operators"
	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/guard"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/lockcaller"
)

// A space that lists few edits at first has, once it has been widened to its end, what
// another one has listed at once, heats, groups and order and all; also if the narrowing
// grew meanwhile.
func TestWidenedIsWhole(t *testing.T) {
	packages := corpus(t, slices.Concat(sectionOperators, []*mutate.Operator{lockcaller.Operator, guard.Operator}))
	maps.DeleteFunc(packages, func(_ string, src []byte) bool { return bytes.Contains(src, []byte("example.com/golden")) }) // of several
	p, n := mutatetest.Load(t, writeModule(t, packages), []string{"*"}, []string{"*"})
	few, err := mutate.NewSpace(p, n, operators.All(), mutate.FirstEdits(50))
	if err != nil {
		t.Fatal(err)
	}
	first, left := few.Edits(), few.Left()
	if len(first) < 50 || left == 0 {
		t.Fatalf("%d edits at first, %d functions left", len(first), left)
	}
	random := rand.New(rand.NewPCG(2, 1))
	for rounds := 0; few.Widen(); rounds++ {
		if few.Left() >= left {
			t.Fatalf("%d functions are left, %d were", few.Left(), left)
		}
		left = few.Left()
		if rounds == 1 {
			n.Merge(analysis.Dynamic, madeUp(p, random))
			few.Extend()
		}
	}
	if left != 0 || len(few.Edits()) <= len(first) {
		t.Fatalf("%d functions are left, %d edits", left, len(few.Edits()))
	}
	whole, err := mutate.NewSpace(p, n, operators.All())
	if err != nil {
		t.Fatal(err)
	}
	if whole.Left() != 0 {
		t.Fatalf("%d functions are left of all", whole.Left())
	}
	if !reflect.DeepEqual(few.Edits(), whole.Edits()) {
		t.Errorf("%d edits are not the %d that are listed at once", len(few.Edits()), len(whole.Edits()))
	}
}

// farm is a program in which one function is near the evidence, and others use what
// its lock guards.
const farm = `package farm

import "sync"

type Barn struct {
	mu   sync.Mutex
	cows int
	eggs int
}

func (b *Barn) Empty() { b.cows = 0 }

func (b *Barn) Lay() { b.eggs++ }

func (b *Barn) Milk() int { return b.cows }
`

// What is near the evidence is listed at first, however many edits that are, and also
// when the evidence comes later; what is not, completion finds all the same.
func TestNearIsListed(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), []byte("module example.com/farm\n\ngo 1.25\n"))
	writeFile(t, filepath.Join(dir, "farm.go"), []byte(farm))
	p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
	at := func(line int) evidence.Failure {
		return evidence.Failure{Kind: evidence.Race, Message: "made up", Stacks: []evidence.Stack{
			{Role: "write", Frames: []evidence.Frame{{File: filepath.Join(dir, "farm.go"), Line: line}}},
		}}
	}
	n.Merge(analysis.Dynamic, at(11))
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{addlock.Operator, guard.Operator}, mutate.FirstEdits(1))
	if err != nil {
		t.Fatal(err)
	}
	listed := func() []string {
		found := make(map[string]bool)
		for _, e := range space.Edits() {
			if e.Operator == "addlock" {
				found[e.Func] = true
			}
		}
		return slices.Sorted(maps.Keys(found))
	}
	near := []string{"(*Barn).Empty", "(*Barn).Milk"} // which has the same variable
	if got := listed(); !slices.Equal(got, near) || space.Left() != 1 {
		t.Fatalf("listed are edits in %v, want %v; %d functions left", got, near, space.Left())
	}
	of := func(name string) mutate.Edit {
		i := slices.IndexFunc(space.Edits(), func(e mutate.Edit) bool { return e.Operator == "addlock" && e.Func == name })
		return space.Edits()[i]
	}
	edit := of("(*Barn).Empty")
	all, gaps, err := space.Complete(t.Context(), []mutate.Edit{edit}, edit.Lock.Key, variables(n, "Barn.cows Barn.eggs")...)
	if err != nil || len(gaps) > 0 || !slices.ContainsFunc(all, func(e mutate.Edit) bool { return e.Func == "(*Barn).Lay" }) {
		t.Errorf("completed to %v with gaps %v, %v", all, gaps, err)
	}
	n.Merge(analysis.Dynamic, at(13))
	if added := space.Extend(); len(added) == 0 || of("(*Barn).Lay").Heat == 0 || space.Left() != 0 {
		t.Errorf("added %d edits; %d functions left", len(added), space.Left())
	}
}

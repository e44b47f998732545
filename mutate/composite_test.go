package mutate_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/internal/mutatetest"
)

// pairs is an operator that puts each two edits of whole methods together, named in either order.
var pairs = &mutate.Operator{
	Name: "pairs",
	Doc:  "pairs",
	Together: func(w *mutate.Whole) []mutate.Edit {
		var out []mutate.Edit
		methods := slices.DeleteFunc(slices.Clone(w.EditsOf("addlock")), func(e mutate.Edit) bool { return e.Form != "method" })
		for i, a := range methods {
			for _, b := range methods[i+1:] {
				out = append(out, mutate.Composite("pairs", a, b), mutate.Composite("pairs", b, a))
			}
		}
		return out
	},
}

func compositeSpace(t *testing.T) *mutate.Space {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "bank.go"), []byte(bank))
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/bank\n\ngo 1.25\n"))
	p, n := mutatetest.Load(t, dir, []string{"Account.amount"}, nil)
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{addlock.Operator, pairs})
	if err != nil {
		t.Fatal(err)
	}
	return space
}

// byOperator finds the first edit of an operator, or form, in a function.
func byOperator(t *testing.T, space *mutate.Space, operator, function string) mutate.Edit {
	t.Helper()
	for _, e := range space.Edits() {
		if (e.Operator == operator || e.Form == operator) && (function == "" || e.Func == function) {
			return e
		}
	}
	t.Fatalf("there is no edit of %s in %s", operator, function)
	return mutate.Edit{}
}

// A composite edit is listed once, whatever the order of its parts, and its
// mutant is that of the parts, which alone are named in it.
func TestComposite(t *testing.T) {
	space := compositeSpace(t)
	n := 0
	for _, e := range space.Edits() {
		if e.Operator == "pairs" {
			n++
		}
	}
	if n != 1 {
		t.Fatalf("there are %d pairs of two edits, want 1", n)
	}
	pair := byOperator(t, space, "pairs", "")
	if len(pair.Parts) != 2 || pair.Lock == nil || !slices.Equal(pair.Vars, []string{"Account.amount"}) {
		t.Errorf("the pair is %+v", pair)
	}
	whole := mustBuild(t, space, pair)
	if parts := mustBuild(t, space, pair.Parts[1], pair.Parts[0]); parts.Hash != whole.Hash {
		t.Error("the composite's mutant is another than that of its parts")
	}
	if len(whole.Edits) != 2 || slices.ContainsFunc(whole.Edits, func(e mutate.Edit) bool { return len(e.Parts) > 0 }) {
		t.Errorf("the mutant's edits are %+v", whole.Edits)
	}
	if again := mustBuild(t, space, whole.Edits...); again.Hash != whole.Hash || !reflect.DeepEqual(again.Edits, whole.Edits) {
		t.Error("the edits of a composite's mutant give another one")
	}
}

// What a set names twice counts once, as long as one of the two is a part; a
// plain edit that is named twice stays a mistake.
func TestCompositeRepeats(t *testing.T) {
	space := compositeSpace(t)
	pair := byOperator(t, space, "pairs", "")
	want := mustBuild(t, space, pair).Hash
	for name, set := range map[string][]mutate.Edit{
		"with a part":  {pair.Parts[0], pair},
		"a part after": {pair, pair.Parts[1]},
		"twice":        {pair, pair},
		"nested":       {mutate.Composite("pairs", pair, pair.Parts[0])},
	} {
		if m := mustBuild(t, space, set...); m.Hash != want || len(m.Edits) != 2 {
			t.Errorf("%s: %d edits, or another mutant", name, len(m.Edits))
		}
	}
	_, err := space.Mutant(context.Background(), []mutate.Edit{pair.Parts[0], pair, pair.Parts[0]})
	var refusal *mutate.Refusal
	if !errors.As(err, &refusal) || !strings.Contains(refusal.Reason, "twice") {
		t.Errorf("a plain edit named twice: %v", err)
	}
}

// Parts that are the same but for what they say of it collapse to the one that
// says most, in whatever order they are named.
func TestCompositeOrder(t *testing.T) {
	space := compositeSpace(t)
	pair := byOperator(t, space, "pairs", "")
	more := pair.Parts[0]
	more.Vars, more.Note = []string{"Account.amount", "Account.name"}, "says more"
	other := mutate.Composite("pairs", more)
	a, b := mustBuild(t, space, pair, other), mustBuild(t, space, other, pair)
	if a.Hash != b.Hash || !reflect.DeepEqual(a.Edits, b.Edits) {
		t.Error("the order of composite edits matters")
	}
	if len(a.Edits) != 2 || !slices.ContainsFunc(a.Edits, func(e mutate.Edit) bool { return e.Note == "says more" }) {
		t.Errorf("the edits are %+v", a.Edits)
	}
}

// The refusal of parts that do not go together is the composite's.
func TestCompositeRefused(t *testing.T) {
	space := compositeSpace(t)
	method := byOperator(t, space, "method", "(*Account).Deposit")
	statement := byOperator(t, space, "statement", "(*Account).Deposit")
	_, err := space.Mutant(context.Background(), []mutate.Edit{mutate.Composite("pairs", method, statement)})
	var refusal *mutate.Refusal
	if !errors.As(err, &refusal) {
		t.Errorf("a lock inside of itself: %v, want a refusal", err)
	}
}

func TestCompositeJSON(t *testing.T) {
	space := compositeSpace(t)
	pair := byOperator(t, space, "pairs", "")
	data, err := json.Marshal(pair)
	if err != nil {
		t.Fatal(err)
	}
	var back mutate.Edit
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if mustBuild(t, space, back).Hash != mustBuild(t, space, pair).Hash {
		t.Errorf("read back from %s it gives another mutant", data)
	}
}

// Composite edits are new in Extend only once, and are placed where their
// hottest part is.
func TestCompositeExtend(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "bank.go"), []byte(bank))
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/bank\n\ngo 1.25\n"))
	p, n := mutatetest.Load(t, dir, []string{"Account.amount"}, nil)
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{addlock.Operator, pairs})
	if err != nil {
		t.Fatal(err)
	}
	if added := space.Extend(); len(added) != 0 {
		t.Errorf("%d edits are new though nothing is", len(added))
	}
	n.Merge(analysis.Given, evidence.Failure{
		Kind:   evidence.Race,
		Stacks: []evidence.Stack{{Frames: []evidence.Frame{{Func: "example.com/bank.(*Account).Transfer", File: filepath.Join(dir, "bank.go"), Line: 20}}}},
	})
	space.Extend()
	pair := byOperator(t, space, "pairs", "")
	if pair.Heat == 0 || pair.Func != "(*Account).Transfer" {
		t.Errorf("the pair is in %s with heat %v", pair.Func, pair.Heat)
	}
}

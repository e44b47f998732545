package diagnosis_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/internal/diagnosis"
	"mendel/internal/gotool"
	"mendel/internal/operators"
	"mendel/mutate"
)

// Each operator that is a strategy for a fault says why it makes no edit at a place that was
// diagnosed, if it makes none.
func TestDeclined(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "a.go": `package m

import "sync"

type Box struct {
	mu sync.Mutex
	n  int
}

func (b *Box) Put(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n = n
}

func (b *Box) Get() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tool, err := gotool.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := analysistest.Load(context.Background(), tool, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	space, err := mutate.NewSpace(p, analysis.NarrowTo(p, func(analysis.FindingKind, string) bool { return true }), operators.All())
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range evidence.Faults() {
		found := []diagnosis.Finding{{Fault: fault, Places: []diagnosis.Place{{File: "a.go", Line: 11, Func: "(*Box).Put"}}}}
		diagnosis.Declined(space, found)
		for _, s := range diagnosis.Strategies(fault) {
			edits := slices.ContainsFunc(space.Edits(), func(e mutate.Edit) bool { return touches(&e, s.Operator) })
			i := slices.IndexFunc(found[0].Declined, func(d mutate.Decline) bool { return d.Operator == s.Operator })
			if i < 0 && !edits {
				t.Errorf("%s: %s makes no edit, and does not say why", fault, s.Operator)
			}
			if i >= 0 && (found[0].Declined[i].Reason == "" || found[0].Declined[i].Reason == "there is no ") {
				t.Errorf("%s: %+v", fault, found[0].Declined[i])
			}
		}
	}
}

// touches reports whether an edit, or a part of it, is an operator's in the method Put.
func touches(e *mutate.Edit, operator string) bool {
	return e.Operator == operator && (e.Func == "(*Box).Put" || slices.ContainsFunc(e.Parts, func(p mutate.Edit) bool { return p.Func == "(*Box).Put" }))
}

package mutate_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/addunlock"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/rlock"
	"mendel/mutate/uselock"
)

// TestEditsKeepLocksBalanced applies every edit of a section or of a lock's
// calls to the package of sections and to the archives of the operators that
// change calls; to the latter also every two edits of one lock in one function.
// No function that comes out may hold its locks wrongly in more places than the
// original does.
func TestEditsKeepLocksBalanced(t *testing.T) {
	calls := []*mutate.Operator{addunlock.Operator, rlock.Operator, uselock.Operator}
	packages := corpus(t, calls)
	p, n := mutatetest.Load(t, writeModule(t, packages), []string{"*"}, []string{"*"})
	original := unbalanced(t, p, n)
	mutants := mutantsOf(t, p, n, slices.Concat(sectionOperators, calls))
	if len(mutants) < 100 {
		t.Fatalf("only %d mutants: the test does not test much", len(mutants))
	}
	for _, m := range mutants {
		packages[m.pkg] = append(packages[m.pkg], m.renamed...)
	}
	p, n = mutatetest.Load(t, writeModule(t, packages), []string{"*"}, []string{"*"})
	left := unbalanced(t, p, n)
	for _, m := range mutants {
		was := original[declared{m.pkg, m.name}]
		now, ok := left[declared{m.pkg, m.name + m.suffix}]
		switch {
		case !ok:
			t.Fatalf("%s%s is lost", m.name, m.suffix)
		case now > was:
			t.Errorf("%s: a lock is held wrongly in %d places, %d in the original, after\n%s%s", m.name, now, was, m.edits, m.text)
		}
	}
}

// unbalanced counts, by declared function with the literals in it, the places
// at which a lock is held otherwise than it should be. Literals that only release
// a lock are left out: the function around them defers them.
func unbalanced(t *testing.T, p *analysis.Program, n *analysis.Narrowing) map[declared]int {
	t.Helper()
	counts := map[declared]int{}
	look := &mutate.Operator{Name: "look", Edits: func(fn *mutate.Function) []mutate.Edit {
		name, _, _ := strings.Cut(fn.Name, ".func")
		in := declared{path.Base(fn.File.Package.Path), name}
		counts[in] += 0
		for _, b := range addunlock.Balances(fn) {
			if slices.ContainsFunc(b.Calls, addunlock.LockCall.Acquires) {
				faults, _ := b.Try() // a copy is called by nobody to whom it could hand a lock on
				counts[in] += len(faults)
			}
		}
		return nil
	}}
	if _, err := mutate.NewSpace(p, n, []*mutate.Operator{look}); err != nil {
		t.Fatal(err)
	}
	return counts
}

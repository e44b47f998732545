package checker

import (
	"errors"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"mendel/analysis"
	"mendel/internal/operators"
	"mendel/internal/sample"
	"mendel/mutate"
)

// drawMutants draws mutants of a program: random sets of one to three edits of all
// operators, everything taken to be used concurrently.
func drawMutants(t *testing.T, p *analysis.Program, n, seed int) (sets []map[string][]byte) {
	t.Helper()
	everything := analysis.NarrowTo(p, func(analysis.FindingKind, string) bool { return true })
	space, err := mutate.NewSpace(p, everything, operators.All())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, edits := range rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom(space.Edits()), 1, 3), 10*n, 10*n).Example(seed) {
		m, err := space.Mutant(t.Context(), edits)
		if refused := (*mutate.Refusal)(nil); errors.As(err, &refused) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !seen[m.Hash] && len(sets) < n {
			seen[m.Hash] = true
			sets = append(sets, m.Files)
		}
	}
	return sets
}

// golden writes the input of a golden archive to a directory, with a test.
func golden(t *testing.T, archive, test string) (dir string) {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("..", "mutate", filepath.FromSlash(archive)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if f.Name == "in.go" {
			return module(t, map[string]string{"in.go": string(f.Data), "in_test.go": test})
		}
	}
	t.Fatalf("%s has no input", archive)
	return ""
}

const transferTest = `package bank

import (
	"sync"
	"testing"
)

func TestTransfer(t *testing.T) {
	a, b := &Account{amount: 10}, &Account{}
	var wg sync.WaitGroup
	for _, f := range []func(){func() { a.Transfer(b, 3) }, func() { b.Transfer(a, 1) }, func() { a.Deposit(2) }} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
	wg.Wait()
	if sum := a.Balance() + b.Balance(); sum != 12 {
		t.Error(sum)
	}
}
`

// What operators make of a program, in random sets, says the same from one executable as
// from one each: verdicts, failures, schedules, traces and messages. mendel-bench variants
// does so with all subjects, kernels and archives.
func TestDrawnEditsAreTheSame(t *testing.T) {
	sample.Whole(t, "TestVariantsAreTheSame has edits of all kinds")
	// What is inlined shows in the names of closures, and variants are inlined less.
	dir := golden(t, "addlock/testdata/transfer.txtar", transferTest)
	c := load(t, dir, analysis.Target{Flags: []string{"-gcflags=-l"}}, Config{Workers: 1})
	sets := drawMutants(t, c.c.Program, 4, 0)
	sameAfter(t, c, sets, 20)
	if made := c.Builds().Variants; 2*made <= len(sets) {
		t.Errorf("%d of %d programs were variants: too few to tell anything", made, len(sets))
	}
}

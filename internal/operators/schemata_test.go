package operators

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mendel/analysis"
	"mendel/checker"
	"mendel/internal/gotool"
	"mendel/internal/sample"
	"mendel/mutate"
)

// TestSchemata: what the checker says of a mutant that is variants of functions in an executable
// with others is what it says of the mutant alone: verdicts, schedules, traces, messages.
// Mutants are of one edit and of two. mendel-bench variants compares those of all subjects.
func TestSchemata(t *testing.T) {
	for _, name := range sample.Of(1, []string{"account", "cache4j"}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareSchemata(t, filepath.Join("..", "..", "subjects", name))
		})
	}
}

// compared is how many mutants of each kind are compared in a program.
const compared = 2

func compareSchemata(t *testing.T, dir string) {
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := analysis.Load(t.Context(), tool, analysis.Target{Dir: tool.Dir})
	if err != nil {
		t.Fatal(err)
	}
	n, err := analysis.Narrow(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	space, err := mutate.NewSpace(p, n, All())
	if err != nil {
		t.Fatal(err)
	}
	together, single := newChecker(t, p, tool, n), newChecker(t, p, tool, n)
	mutants := someMutants(t, space)
	var sets []map[string][]byte
	for _, m := range mutants {
		sets = append(sets, m.Files)
	}
	built, err := together.BuildAll(t.Context(), sets)
	if err != nil {
		t.Fatal(err)
	}
	if b := together.Builds(); b.Variants < len(sets)*9/10 || b.Executables > 2 {
		t.Errorf("of %d mutants %d are in schemata, with %d executables", len(sets), b.Variants, b.Executables)
	}
	for i, b := range built {
		if b.Err != nil {
			t.Errorf("%v: %v", mutants[i].Edits, b.Err)
			continue
		}
		alone, err := single.Build(t.Context(), sets[i])
		if err != nil {
			t.Fatalf("%v: %v", mutants[i].Edits, err)
		}
		want, got := report(t, alone), report(t, b.Binary)
		// A time-out may have come before a deferred call, see instrument.Schema.
		lines := cmp.FilterPath(func(p cmp.Path) bool {
			return len(p) > 2 && p.Last().String() == ".Line" && p.Index(-2).String() == ".Before"
		}, cmp.Ignore())
		if d := cmp.Diff(want, got, lines, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(checker.Schedule{}, "Start")); d != "" {
			t.Errorf("%v: -alone +variant:\n%s", mutants[i].Edits, d)
		}
	}
}

func newChecker(t *testing.T, p *analysis.Program, tool *gotool.Toolchain, n *analysis.Narrowing) *checker.Checker {
	t.Helper()
	c, err := checker.New(t.Context(), checker.Config{Program: p, Tool: tool, Narrowing: n, Incremental: true, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// someMutants are mutants of one edit, spread over the list, and of two.
func someMutants(t *testing.T, space *mutate.Space) (mutants []*mutate.Mutant) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	edits := space.Edits()
	add := func(most int, some ...mutate.Edit) {
		m, err := space.Mutant(t.Context(), some)
		if err == nil && len(mutants) < most && !slices.ContainsFunc(mutants, func(o *mutate.Mutant) bool { return o.Hash == m.Hash }) {
			mutants = append(mutants, m)
		}
	}
	for i := 0; i < len(edits); i += max(1, len(edits)/(2*compared)) {
		add(compared, edits[i])
	}
	for range 20 * compared {
		add(2*compared, edits[r.IntN(len(edits))], edits[r.IntN(len(edits))])
	}
	if len(mutants) < compared {
		t.Fatalf("only %d mutants", len(mutants))
	}
	return mutants
}

// report is what the checker says of a program, without times.
func report(t *testing.T, b *checker.Binary) *checker.Report {
	t.Helper()
	r, err := b.Check(t.Context(), checker.Search{Schedules: 60, Seed: 1, Strategy: "random", All: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	r.Seconds = 0
	return r
}

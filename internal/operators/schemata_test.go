package operators

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/analysis"
	"mendel/checker"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// TestSchemata: what the checker says of a mutant that is built as variants of functions is
// what it says of the mutant alone: verdicts, schedules, traces, messages.
func TestSchemata(t *testing.T) {
	names := []string{"account", "deadlock", "dispatcher"}
	if dir := os.Getenv("DUMP"); dir != "" {
		names = []string{dir}
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			dir := name
			if !filepath.IsAbs(dir) {
				dir = filepath.Join("..", "..", "subjects", name)
			}
			compareSchemata(t, dir)
		})
	}
}

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
	newChecker := func() *checker.Checker {
		c, err := checker.New(checker.Config{Program: p, Tool: tool, Narrowing: n, Incremental: true, Workers: 2})
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
	c, single := newChecker(), newChecker()
	var sets []map[string][]byte
	var which []string
	for _, e := range space.Edits() {
		m, err := space.Mutant(t.Context(), []mutate.Edit{e})
		if err != nil {
			continue
		}
		sets = append(sets, m.Files)
		which = append(which, e.Operator+" "+e.Form)
		if len(sets) == 40 {
			break
		}
	}
	before := c.Builds()
	built, err := c.BuildAll(t.Context(), sets)
	if err != nil {
		t.Fatal(err)
	}
	after := c.Builds()
	fmt.Printf("%s: %d mutants, %d in schemata, %d executables, %v\n", filepath.Base(dir), after.Programs-before.Programs, after.Schemata-before.Schemata, after.Executables-before.Executables, after.Time-before.Time)
	search := checker.Search{Schedules: 30, Seed: 1, Sample: 10}
	for i, b := range built {
		if b.Err != nil {
			t.Errorf("%s: %v", which[i], b.Err)
			continue
		}
		alone, err := single.Build(t.Context(), sets[i])
		if err != nil {
			t.Fatalf("%s: %v", which[i], err)
		}
		got, err := b.Binary.Check(t.Context(), search)
		if err != nil {
			t.Fatal(err)
		}
		want, err := alone.Check(t.Context(), search)
		if err != nil {
			t.Fatal(err)
		}
		got.Seconds, want.Seconds = 0, 0
		got.Carried, want.Carried = 0, 0
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: -alone +variant:\n%s", which[i], d)
		}
		if err := alone.Close(); err != nil {
			t.Error(err)
		}
	}
}

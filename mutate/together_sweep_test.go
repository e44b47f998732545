package mutate_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/internal/sample"
	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/expandafter"
	"mendel/mutate/expandbefore"
	"mendel/mutate/hoist"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/mergesections"
	"mendel/mutate/removelock"
	"mendel/mutate/shrinkend"
	"mendel/mutate/shrinkstart"
	"mendel/mutate/waitloop"
)

// maxTogether bounds the mutants that TestSectionsOfTwoEdits looks at; evenly
// spread ones are taken.
const maxTogether = 120

// TestSectionsOfTwoEdits applies two edits to the programs of the golden
// archives, one of which splits methods, merges sections or moves a check into
// one, the other any edit of a section or new lock in the same file. In what
// comes out, new functions included, no path may leave a lock held or release
// it twice that did not in the original.
func TestSectionsOfTwoEdits(t *testing.T) {
	originals := make(map[string][]byte)
	for _, dir := range []string{"hoist", "mergesections", "expandbefore"} {
		names, err := filepath.Glob(filepath.Join(dir, "testdata", "*.txtar"))
		if err != nil || len(names) == 0 {
			t.Fatalf("no archives of %s: %v", dir, err)
		}
		for _, name := range names {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			originals[fmt.Sprintf("%s_%s", dir, strings.TrimSuffix(filepath.Base(name), ".txtar"))] = ar.Files[0].Data
		}
	}
	p, n := mutatetest.Load(t, writeModule(t, originals), []string{"*"}, []string{"*"})
	was := unrecognised(t, p, n)
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{
		hoist.Operator, mergesections.Operator, expandbefore.Operator, expandafter.Operator, shrinkstart.Operator,
		shrinkend.Operator, removelock.Operator,
		addlock.Operator, waitloop.Operator,
	})
	if err != nil {
		t.Fatal(err)
	}
	mutants := pairsOf(t, space)
	if len(mutants) < maxTogether {
		t.Fatalf("only %d mutants: the test does not test much", len(mutants))
	}
	packages := make(map[string][]byte)
	of := make(map[string]int) // mutant by package
	looked := sample.Count(40, maxTogether)
	for i := range looked {
		m := i * len(mutants) / looked
		pkg := fmt.Sprintf("%s_m%d", mutants[m].pkg, m)
		packages[pkg], of[pkg] = mutants[m].text, m
	}
	p, n = mutatetest.Load(t, writeModule(t, packages), []string{"*"}, []string{"*"})
	for in, now := range unrecognised(t, p, n) {
		m, ok := of[in.pkg]
		if ok && now > was[declared{mutants[m].pkg, in.name}] {
			t.Errorf("%s: %d acquisitions or releases belong to no section, %d in the original, after\n%s\n%s",
				in.name, now, was[declared{mutants[m].pkg, in.name}], mutants[m].edits, mutants[m].text)
		}
	}
}

// pairsOf makes the mutants of an edit of hoist, mergesections or expandbefore
// and any other one in the same file, or some of them.
func pairsOf(t *testing.T, space *mutate.Space) []edited {
	t.Helper()
	var out []edited
	var pairs [][]mutate.Edit
	for _, a := range space.Edits() {
		if !slices.Contains([]string{"hoist", "mergesections", "expandbefore"}, a.Operator) {
			continue
		}
		for _, b := range space.Edits() {
			if a.File == b.File {
				pairs = append(pairs, []mutate.Edit{a, b})
			}
		}
	}
	seen := make(map[string]bool)
	for _, pair := range sample.Of(4*maxTogether, pairs) {
		a, b := pair[0], pair[1]
		m, err := space.Mutant(context.Background(), pair)
		var refusal *mutate.Refusal
		if errors.As(err, &refusal) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if seen[m.Hash] {
			continue
		}
		seen[m.Hash] = true
		for _, src := range m.Files {
			out = append(out, edited{
				declared: declared{pkg: filepath.Dir(filepath.FromSlash(a.File))}, text: src,
				edits: fmt.Sprintf("%s at line %d and %s at line %d", a.Operator, a.Line, b.Operator, b.Line),
			})
		}
	}
	return out
}

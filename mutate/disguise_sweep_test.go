package mutate_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"mendel/internal/bench/cases"
	"mendel/internal/bench/disguise"
	"mendel/internal/operators"
	"mendel/internal/sample"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// minDisguised is the share of the archives in which an operator still has something to offer when
// they are written in another way.
const minDisguised = 0.9

// An operator that has learned its archives finds less in a program that somebody else has written:
// of those in which it offers something, most offer something as well when they are written in
// another way.
func TestDisguised(t *testing.T) {
	sample.Whole(t, "TestOperators has the archives as they are")
	for _, way := range disguise.Ways() {
		if way == disguise.Plain {
			continue
		}
		t.Run(string(way), func(t *testing.T) {
			var asked, kept atomic.Int32
			t.Run("operators", func(t *testing.T) {
				for _, op := range operators.All() {
					t.Run(op.Name, func(t *testing.T) {
						t.Parallel()
						all, still := disguised(t, op, way)
						asked.Add(int32(all))
						kept.Add(int32(still))
					})
				}
			})
			if n := asked.Load(); n > 0 {
				share := float64(kept.Load()) / float64(n)
				t.Logf("%s: %d of %d archives keep an edit, %.1f %%", way, kept.Load(), n, 100*share)
				if share < minDisguised {
					t.Errorf("%.1f %% of the archives keep an edit, want %.0f", 100*share, 100*minDisguised)
				}
			}
		})
	}
}

// disguised counts the archives of an operator that can be written in a way and in which it offers
// an edit as they are, and those in which it does so when they are.
func disguised(t *testing.T, op *mutate.Operator, way disguise.Way) (asked, kept int) {
	names, err := filepath.Glob(filepath.Join(op.Name, "testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		p := cases.Program{Name: name, Files: mutatetest.Input(t, name)}
		written, applies, err := disguise.Apply(context.Background(), p, way)
		if err != nil || !applies {
			continue
		}
		plain := offers(t, op, p.Files)
		if len(plain) == 0 {
			continue
		}
		asked++
		other := offers(t, op, written.Files)
		if len(other) > 0 {
			kept++
		}
		if len(other) < len(plain) {
			t.Logf("%s: %d edits of %d", name, len(other), len(plain))
			t.Logf("as it is: %s", strings.Join(plain, "; "))
			t.Logf("%s: %s", way, strings.Join(other, "; "))
		}
	}
	return asked, kept
}

// offers are the functions, with the form, in which an operator has an edit that can be made.
func offers(t *testing.T, op *mutate.Operator, files map[string]string) (list []string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, file, []byte(text))
	}
	p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
	space, err := mutate.NewSpace(p, n, append([]*mutate.Operator{op}, madeOf[op.Name]...))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range space.Edits() {
		if e.Operator != op.Name {
			continue
		}
		if _, err := space.Mutant(context.Background(), []mutate.Edit{e}); err == nil {
			list = append(list, strings.TrimSpace(e.Func+" "+e.Form))
		}
	}
	slices.Sort(list)
	return list
}

//go:build go1.27

package mutate_test

import (
	"context"
	"path/filepath"
	"testing"

	"mendel/analysis"
	"mendel/mutate/internal/mutatetest"
)

// TestSweepLanguage builds the mutant of each edit, alone, of a program that has what came
// to the language with Go 1.26 and 1.27.
func TestSweepLanguage(t *testing.T) {
	dir, err := filepath.Abs("../testdata/go1.27")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("everything is shared", func(t *testing.T) {
		p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
		sweep(t, p, n, everyEdit)
	})
	t.Run("narrowed", func(t *testing.T) {
		p, err := analysis.Load(context.Background(), nil, analysis.Target{Dir: dir, Package: "."})
		if err != nil {
			t.Fatal(err)
		}
		n, err := analysis.Narrow(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		sweep(t, p, n, everyEdit)
	})
}

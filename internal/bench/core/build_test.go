package core

import (
	"testing"

	"mendel/internal/bench/benchtest"
)

// Mutants of a subject are built one by one and together.
func TestTimeBuilds(t *testing.T) {
	b, err := timeBuilds(t.Context(), benchtest.WriteSubject(t))
	if err != nil {
		t.Fatal(err)
	}
	if !(b.Single > 0 && b.Generation > 0) || b.Mutants < 2 {
		t.Errorf("builds %+v", b)
	}
}

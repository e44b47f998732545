package main

import "testing"

// Mutants of a subject are built one by one and together.
func TestTimeBuilds(t *testing.T) {
	b, err := timeBuilds(t.Context(), writeSubject(t))
	if err != nil {
		t.Fatal(err)
	}
	if !(b.Single > 0 && b.Generation > 0) || b.Mutants < 2 {
		t.Errorf("builds %+v", b)
	}
}

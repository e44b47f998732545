package checker

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/internal/rewrite/schema"
)

// A mutant that was built is there for who asks for it again: as it was built alone, or as
// variants of functions. What is kept is not for ever.
func TestObtain(t *testing.T) {
	dir := module(t, map[string]string{
		"zoo.go":      counter,
		"zoo_test.go": "package zoo\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) { Add(1) }\n",
	})
	c := load(t, dir, analysis.Target{}, Config{})
	name := c.c.Program.File("zoo.go").Name
	files := func(by string) map[string][]byte {
		return map[string][]byte{name: []byte(strings.Replace(counter, "total += n", "total += "+by, 1))}
	}
	obtain := func(by string) *Binary {
		t.Helper()
		b, err := c.Obtain(t.Context(), files(by))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(b.Close(), b.Close()); err != nil {
			t.Error(err)
		}
		return b
	}
	first := obtain("n+0")
	if again := obtain("n+0"); again.path != first.path || c.Builds().Executables != 1 {
		t.Errorf("built again: %v", c.Builds())
	}
	built, err := c.BuildTogether(t.Context(), []map[string][]byte{files("n+0"), files("n+1"), files("n+2")})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range built {
		if err := errors.Join(b.Err, b.Binary.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if built[0].Binary.path != first.path || built[1].Binary.path == first.path {
		t.Error("what was built alone is built together, or the reverse")
	}
	if b := obtain("n+2"); b.path != built[2].Binary.path || b.member == nil || c.Builds().Executables != 2 {
		t.Errorf("variants are built again: %v", c.Builds())
	}
	for c.alone.Len() < schema.MostKept { // as if others were built
		c.alone.Add(&Binary{})
	}
	last := obtain("n+3")
	left, err := filepath.Glob(filepath.Join(c.dir, "b*"))
	if want := []string{built[2].Binary.path, last.path}; err != nil || !slices.Equal(left, want) {
		t.Errorf("%v are left, want %v (%v)", left, want, err)
	}
}

package mutatetest

import (
	"os"
	"path/filepath"
	"testing"

	"mendel/mutate"
)

// Functions returns the functions of a package with the given files, by name. All of them may
// be edited, and all variables are shared.
func Functions(t *testing.T, files map[string]string) map[string]*mutate.Function {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/functions\n\ngo 1.25\n")
	for name, src := range files {
		write(name, src)
	}
	p, n := Load(t, dir, []string{"*"}, []string{"*"})
	found := make(map[string]*mutate.Function)
	look := &mutate.Operator{Name: "look", Together: func(w *mutate.Whole) []mutate.Edit {
		for _, fn := range w.Functions {
			found[fn.Name] = fn
		}
		return nil
	}}
	if _, err := mutate.NewSpace(p, n, []*mutate.Operator{look}); err != nil {
		t.Fatal(err)
	}
	return found
}

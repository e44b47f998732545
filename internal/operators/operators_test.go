package operators

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mendel/internal/operators/list"
)

var mutateDir = filepath.Join("..", "..", "mutate")

func TestListIsFresh(t *testing.T) {
	names, err := list.Find(mutateDir)
	if err != nil {
		t.Fatal(err)
	}
	want, err := list.Source(names)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("all.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("all.go is stale; run go generate ./internal/operators")
	}
}

// An operator is known by one name: its directory's.
func TestNames(t *testing.T) {
	names, err := list.Find(mutateDir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, op := range All() {
		got = append(got, op.Name)
		if op.Doc == "" {
			t.Errorf("%s has no documentation", op.Name)
		}
		if (op.Edits == nil || op.Apply == nil) && op.Together == nil {
			t.Errorf("%s cannot be applied", op.Name)
		}
	}
	if !reflect.DeepEqual(got, names) {
		t.Errorf("operators are called %v, their directories %v", got, names)
	}
}

// Each operator of CORE has exactly one counterpart.
func TestCORE(t *testing.T) {
	counterparts := make(map[string][]string)
	for _, op := range All() {
		for _, core := range strings.Fields(op.CORE) {
			counterparts[core] = append(counterparts[core], op.Name)
		}
	}
	for _, core := range []string{
		"ASAT", "ASIM", "ASM", "CSO", "EXSA", "EXSB", "RSAS", "RAV", "RSIM", "RSM", "SHSA", "SHSB",
	} {
		if len(counterparts[core]) != 1 {
			t.Errorf("the counterparts of %s are %v", core, counterparts[core])
		}
		delete(counterparts, core)
	}
	for core, names := range counterparts {
		t.Errorf("%v claim to be the counterpart of %s, which CORE does not have", names, core)
	}
}

// Each directory directly below mutate is an operator, but for the facts that operators ask; what
// operators share lies below mutate/internal.
func TestOperatorsOnly(t *testing.T) {
	names, err := list.Find(mutateDir)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(mutateDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); e.IsDir() && !slices.Contains([]string{"fact", "internal", "testdata"}, name) && !slices.Contains(names, name) {
			t.Errorf("mutate/%s holds no operator: move it below mutate/internal", name)
		}
	}
}

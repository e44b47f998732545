package effects

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/internal/gotool"
	"mendel/internal/sample"
)

var update = flag.Bool("update", false, "write the tables anew, of the versions of Go that have one")

// toolchain is that of a version of Go; "": the one that runs the test.
func toolchain(t *testing.T, version string) *gotool.Toolchain {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.25\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if version != "" {
		t.Setenv("GOTOOLCHAIN", version)
	}
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// The tables are what the analysis finds. With -update they are written anew: run that with
// the newest Go among them, which reads the libraries of all.
func TestTable(t *testing.T) {
	if testing.Short() {
		t.Skip("it analyses the standard library")
	}
	if !*update {
		tool := toolchain(t, "")
		paths, least := somePackages, 100
		if sample.All() {
			paths, least = []string{"std"}, 1000
		}
		compare(t, Nearest(tool.Version), analysed(t, tool, paths...), tool, least)
		return
	}
	for _, v := range Embedded() {
		t.Run(v, func(t *testing.T) {
			made := analysed(t, toolchain(t, v), "std")
			f, err := os.Create(filepath.Join("tables", v+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := made.write(f); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// somePackages are those whose lines are compared where not all are asked for.
var somePackages = []string{"bytes", "container/ring", "net/url", "os", "strings"}

func analysed(t *testing.T, tool *gotool.Toolchain, packages ...string) *Table {
	t.Helper()
	made, err := Analyse(t.Context(), tool, packages...)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// compare compares a table with what the analysis finds: all lines of a toolchain that has a
// table of its own, nearly all of another patch release. There must be so many at least.
func compare(t *testing.T, have, made *Table, tool *gotool.Toolchain, least int) {
	t.Helper()
	var differ []string
	lines := 0
	for _, pkg := range slices.Sorted(maps.Keys(made.packages)) {
		for _, name := range slices.Sorted(maps.Keys(made.packages[pkg])) {
			lines++
			if was, is := have.Of(pkg, name), made.Of(pkg, name); was != is {
				differ = append(differ, fmt.Sprintf("%s.%s: %q in the table, by analysis %q", pkg, name, was, is))
			}
		}
	}
	may := 0
	if have.of != tool.Version+" "+tool.Port {
		may = lines / 100
	}
	if lines < least || len(differ) > may {
		t.Errorf("%d of %d lines differ (write the table with -update):\n%s", len(differ), lines, strings.Join(differ, "\n"))
	}
}

package instrument

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"mendel/internal/sample"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The text of rewritten files, and of those that are added. That it builds and means the same is shown by
// the other tests; here every line stays in its place, too.
func TestGolden(t *testing.T) {
	golden, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	built := sample.Of(2, golden)
	eachArchive(t, len(golden), "golden/*.txtar", func(t *testing.T, file string, archive *txtar.Archive) {
		in := archive.Files[0].Data
		version := "1.26"
		if _, constraint, ok := strings.Cut(string(in), "//go:build go"); ok {
			version, _, _ = strings.Cut(constraint, "\n")
		}
		needs(t, version)
		dir := extract(t, &txtar.Archive{Files: []txtar.File{
			{Name: "go.mod", Data: []byte("module example.com/p\n\ngo " + version + "\n")}, {Name: "p.go", Data: in},
		}})
		s := load(t, dir, ".")
		o, _ := s.overlay(t, nil)
		out := o[filepath.Join(dir, "p.go")]
		if out == nil {
			t.Fatal("not rewritten")
		}
		want := []txtar.File{archive.Files[0], {Name: "out.go", Data: out}}
		for _, name := range slices.Sorted(maps.Keys(o)) {
			if filepath.Dir(name) == dir && filepath.Base(name) != "p.go" {
				want = append(want, txtar.File{Name: filepath.Base(name), Data: o[name]})
			}
		}
		o[filepath.Join(dir, "p_test.go")] = []byte("package p\n")
		if slices.Contains(built, file) || *update {
			s.output(t, o) // it builds
		}
		wanted := string(txtar.Format(&txtar.Archive{Files: want}))
		if *update {
			if err := os.WriteFile(file, []byte(wanted), 0o666); err != nil {
				t.Fatal(err)
			}
			return
		}
		if diff := cmp.Diff(string(txtar.Format(archive)), wanted); diff != "" {
			t.Errorf("-want +got (write it with -update):\n%s", diff)
		}
	})
}

package changes_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"mendel/analysis/analysistest"
	"mendel/analysis/locks/changes"
)

var update = flag.Bool("update", false, "write what is found to testdata/changes")

// Each change of each program of testdata/changes has the findings that stand beside it.
func TestChanges(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "changes", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { compareAll(t, name) })
	}
}

func compareAll(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for file, text := range map[string][]byte{"go.mod": []byte("module example.com/p\n\ngo 1.25\n"), "p.go": archive.Files[0].Data} {
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p := analysistest.Directory(t, dir)
	original := p.Packages[0].Files[0].Name
	fset, pkgs, err := p.Recheck(map[string][]byte{original: slices.Concat(archive.Files[0].Data, []byte("\n// The same program.\n"))})
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range changes.Find(p, fset, pkgs) {
		t.Errorf("the program itself has changed: %s", finding)
	}
	for i, f := range archive.Files {
		change, ok := strings.CutSuffix(f.Name, "/p.go")
		if !ok {
			continue
		}
		fset, pkgs, err := p.Recheck(map[string][]byte{original: f.Data})
		if err != nil {
			t.Fatalf("%s: %v", change, err)
		}
		var got strings.Builder
		for _, finding := range changes.Find(p, fset, pkgs) {
			got.WriteString(finding.String() + "\n")
		}
		want := &archive.Files[i+1]
		if diff := cmp.Diff(string(want.Data), got.String()); diff != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", change, diff)
		}
		want.Data = []byte(got.String())
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

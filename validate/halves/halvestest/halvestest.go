package halvestest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/validate/halves/pair"
)

var update = flag.Bool("update", false, "write what is found to the archives")

// Run compares what finders find in each archive of a directory with what stands there.
func Run(t *testing.T, dir string, finders ...pair.Finder) {
	names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives in %s: %v", dir, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { run(t, name, finders) })
	}
}

func run(t *testing.T, name string, finders []pair.Finder) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p, original := load(t, archive.Files[0].Data)
	found := func(text []byte) string {
		fset, pkgs, err := p.Recheck(map[string][]byte{original: text})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, f := range pair.New(p, fset, pkgs).Find(finders...) {
			if f.Flag == "" {
				t.Errorf("no flag: %s", f.What)
			}
			fmt.Fprintf(&b, "%s:%d %s: %s\n", f.File, f.Line, f.Func, f.What)
		}
		return b.String()
	}
	if got := found(slices.Concat(archive.Files[0].Data, []byte("\n// The same program.\n"))); got != "" {
		t.Errorf("the program itself is left by no patch:\n%s", got)
	}
	for i, f := range archive.Files {
		if !strings.HasSuffix(f.Name, "/p.go") {
			continue
		}
		want, got := &archive.Files[i+1], found(f.Data)
		if diff := cmp.Diff(string(want.Data), got); diff != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", f.Name, diff)
		}
		want.Data = []byte(got)
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// load makes a module of one file, and loads it; original is the file.
func load(t *testing.T, source []byte) (p *analysis.Program, original string) {
	dir := t.TempDir()
	for file, text := range map[string][]byte{"go.mod": []byte("module example.com/p\n\ngo 1.25\n"), "p.go": source} {
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := analysistest.Load(t.Context(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	return p, p.Packages[0].Files[0].Name
}

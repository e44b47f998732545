package seed

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/internal/report"
)

var update = flag.Bool("update", false, "rewrite the golden archives with the faults that the operators make now")

// Each operator has an archive, testdata/NAME.txtar: a file in.go, and of each
// fault that the operator makes of it a sentence and a patch.
func TestGolden(t *testing.T) {
	for _, op := range Operators() {
		t.Run(op.Name, func(t *testing.T) {
			t.Parallel()
			golden(t, op)
		})
	}
}

func golden(t *testing.T, op Operator) {
	name := filepath.Join("testdata", op.Name+".txtar")
	ar, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p := load(t, ar.Files[0].Data)
	faults, err := find(p, []Operator{op})
	if err != nil {
		t.Fatal(err)
	}
	if len(faults) == 0 {
		t.Error("the operator finds nothing to do")
	}
	out := &txtar.Archive{Comment: ar.Comment, Files: ar.Files[:1:1]}
	for i, f := range faults {
		if f.Operator != op.Name || f.file.Rel != f.File {
			t.Errorf("fault %d is one of %s in %s", i+1, f.Operator, f.File)
		}
		patch := report.Patch([]report.Change{{Path: f.File, Before: f.file.Source, After: f.source}}, "")
		out.Files = append(out.Files, txtar.File{
			Name: fmt.Sprintf("fault %d", i+1),
			Data: fmt.Appendf(nil, "%s:%d: %s.\n%s", f.File, f.Line, f.Words, bytes.TrimLeft(patch, "\n")),
		})
	}
	got := txtar.Format(out)
	if *update {
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(string(txtar.Format(ar)), string(got)); d != "" && !*update {
		t.Errorf("-want +got (go test -update rewrites the archive):\n%s", d)
	}
}

// load loads a package of one file.
func load(t *testing.T, source []byte) *analysis.Program {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string][]byte{"go.mod": []byte("module example.com/golden\n\ngo 1.25\n"), "in.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := analysistest.Load(t.Context(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

package disguise

import (
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/internal/bench/cases"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestWays: each way of writing changes a program as its golden file says, and its tests pass.
func TestWays(t *testing.T) {
	input, err := txtar.ParseFile("testdata/input.txtar")
	if err != nil {
		t.Fatal(err)
	}
	p := cases.Program{Name: "pool", Files: map[string]string{}, Judge: "package pool\n\nvar judged = New(\"j\").free\n"}
	for _, f := range input.Files {
		p.Files[f.Name] = string(f.Data)
	}
	for _, way := range Ways()[1:] {
		t.Run(string(way), func(t *testing.T) {
			t.Parallel()
			q, changed, err := Apply(t.Context(), p, way)
			if err != nil || !changed {
				t.Fatalf("changed %v, error %v", changed, err)
			}
			got := &txtar.Archive{}
			for _, name := range slices.Sorted(maps.Keys(q.Files)) {
				got.Files = append(got.Files, txtar.File{Name: name, Data: []byte(q.Files[name])})
			}
			got.Files = append(got.Files, txtar.File{Name: "judge", Data: []byte(q.Judge)})
			golden := filepath.Join("testdata", string(way)+".txtar")
			if *update {
				if err := os.WriteFile(golden, txtar.Format(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if string(want) != string(txtar.Format(got)) {
				t.Errorf("the program is not as %s has it:\n%s", golden, txtar.Format(got))
			}
			dir := t.TempDir()
			if err := q.Write(filepath.Join(dir, "m")); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "go", "test", "./...")
			cmd.Dir = filepath.Join(dir, "m")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestNothingToChange: a way that changes nothing does not apply.
func TestNothingToChange(t *testing.T) {
	p := cases.Program{Name: "plain", Files: map[string]string{
		"go.mod": "module example.com/plain\n\ngo 1.25\n",
		"a.go":   "package plain\n\nfunc One() int { return 1 }\n",
	}}
	for _, way := range Ways()[1:] {
		if _, changed, err := Apply(t.Context(), p, way); err != nil || changed {
			t.Errorf("%s: changed %v, error %v", way, changed, err)
		}
	}
	if _, _, err := Apply(t.Context(), p, "backwards"); err == nil {
		t.Error("no error for a way that does not exist")
	}
}

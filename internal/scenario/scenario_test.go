package scenario

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/internal/gotool"
	"mendel/internal/sample"
)

// telling are the archives that are taken where not all are asked for: a race, a deadlock, a
// result that no order gives, a value that is closed, and calls that are not made.
var telling = []string{"testdata/halfguarded.txtar", "testdata/closed.txtar", "testdata/twovalues.txtar", "testdata/split.txtar", "testdata/harm.txtar"}

// TestScenarios makes the scenarios of small modules and tries a patch with them. Each archive has
// a module, what a patch makes of its files below patched/, the scenarios that are wanted (each
// line is one of them; "none" for none), what no scenario is to call, and what is said against the patch.
func TestScenarios(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	if !sample.All() {
		archives = telling
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			m := unpack(t, name)
			suite := Make(m.program, Touched(m.program, m.patched))
			var made []string
			for _, x := range suite.Scenarios {
				made = append(made, x.String())
			}
			for _, want := range lines(m.want["scenarios"]) {
				if !slices.Contains(made, want) && !(want == "none" && len(made) == 0) {
					t.Errorf("no scenario %q among:\n%s", want, strings.Join(made, "\n"))
				}
			}
			for _, not := range lines(m.want["not"]) {
				if i := slices.IndexFunc(made, func(s string) bool { return strings.Contains(s, not) }); i >= 0 {
					t.Errorf("there is a scenario %q", made[i])
				}
			}
			trier := &Trier{Tool: m.tool, Program: m.program, Budget: time.Duration(sample.Count(8, 20)) * time.Second}
			defer trier.Close()
			r, err := trier.Try(t.Context(), m.patched)
			if err != nil {
				t.Fatal(err)
			}
			if want := lines(m.want["scenarios"]); r.Tried == 0 && want[0] != "none" {
				t.Errorf("none of %d scenarios could be tried", r.Made)
			}
			var against []string
			for _, o := range r.Objections {
				against = append(against, o.String())
			}
			for _, want := range lines(m.want["against"]) {
				if !slices.ContainsFunc(against, func(a string) bool { return strings.Contains(a, want) }) {
					t.Errorf("nothing says %q among:\n%s", want, strings.Join(against, "\n"))
				}
			}
			if len(m.want["against"]) == 0 && len(against) > 0 {
				t.Errorf("said against a right patch:\n%s", strings.Join(against, "\n"))
			}
		})
	}
}

// A module is one of the archives.
type module struct {
	tool    *gotool.Toolchain
	program *analysis.Program
	patched map[string][]byte
	want    map[string]string
}

func unpack(t *testing.T, name string) *module {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &module{patched: map[string][]byte{}, want: map[string]string{}}
	for _, f := range a.Files {
		switch base, patched := strings.CutPrefix(f.Name, "patched/"); {
		case patched:
			m.patched[filepath.Join(dir, base)] = f.Data
		case f.Name == "scenarios" || f.Name == "not" || f.Name == "against":
			m.want[f.Name] = string(f.Data)
		default:
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if m.tool, err = gotool.Open(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if m.program, err = analysistest.Load(t.Context(), m.tool, analysis.Target{Dir: dir, Package: "."}); err != nil {
		t.Fatal(err)
	}
	return m
}

func lines(text string) []string {
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(text), "\n"), func(l string) bool { return l == "" })
}

package htmlreport

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mendel/internal/dossier"
)

// repaired are the dossiers of testdata.
var repaired = []string{"account", "deadlock", "stream"}

func load(t testing.TB, name string) *dossier.Dossier {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := dossier.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func html(t testing.TB, d *dossier.Dossier) string {
	t.Helper()
	var b strings.Builder
	if err := HTML(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// two is a dossier with two fixes: the second one is flagged and was not led
// along the schedules, and a candidate was rejected.
func two(t testing.TB) *dossier.Dossier {
	d := load(t, "account")
	second := d.Fixes[0]
	second.Title, second.Patch, second.Replays = "Guard the whole bank", "fix-2.patch", nil
	second.Flags = []dossier.Flag{{Name: "serialises", Words: "one lock is held around a whole goroutine body"}}
	second.Files = slices.Clone(second.Files)
	second.Files[0].After = strings.ReplaceAll(second.Files[0].After, "to.mu", "bankMu") + "// \u202e\r\n"
	d.Fixes = append(d.Fixes, second)
	d.Rejected = []dossier.Rejected{{What: "lockbody at bank.go:62", Stage: "rules", Rule: "no-sleep", Reason: "it waits for a time", At: 3.2}}
	return d
}

// suspects are two places of a fault, the second with nobody else in it.
func suspects() []dossier.Suspect {
	return []dossier.Suspect{
		{
			Fault: "lock-order inversion", Variable: "File.mu", Suspiciousness: 0.94, Says: "waits for dst.mu while it holds src.mu",
			Place:   dossier.Place{What: "lock", Func: "Copy", File: "file.go", Line: 54, Text: "dst.mu.Lock()"},
			Partner: &dossier.Place{What: "unlock", Func: "Exchange", File: "file.go", Line: 71, Text: "a.mu.Unlock()"},
		},
		{Fault: "deadlock", Suspiciousness: 0.5, Says: "locks first", Place: dossier.Place{File: "file.go", Line: 53, Text: "src.mu.Lock()"}},
	}
}

// unfixed is a dossier of a search of several generations without a fix.
func unfixed(t testing.TB) *dossier.Dossier {
	d := load(t, "deadlock")
	fix := d.Fixes[0]
	d.Status, d.Reason, d.Fixes = "not-fixed", "the budget is used up", nil
	d.Suspects = suspects()
	d.Partial = []dossier.Partial{
		{What: fix.Edits[0].Words, Score: 870, Passes: 13, Runs: 15, Diff: fix.Diff, Remains: []string{"deadlock in Copy file.go:54"}, Trace: d.Failures[0].Trace},
		{What: "swaplocks", Score: 412, Remains: []string{"deadlock in Exchange"}},
		{What: "moveout", Score: 300},
	}
	d.Search.History, d.Search.Evaluations, d.Search.Generations, d.Search.Ended = nil, 0, 12, "generations-exhausted"
	for g := range 12 {
		n := dossier.Generation{Number: g + 1, Best: float64(300 + 50*g), Mean: float64(200 + 20*g), At: float64(g) * 30}
		for i := range 5 + 7*g%11 {
			n.Scores = append(n.Scores, float64((i*137+g*59)%(300+50*g)))
		}
		d.Search.Evaluations += len(n.Scores)
		n.Evaluations = d.Search.Evaluations
		d.Search.History = append(d.Search.History, n)
	}
	d.Search.Operators = []dossier.OperatorCount{
		{Operator: "swaplocks", Tried: 41, Better: 12, Worse: 9, Refused: 3},
		{Operator: "orderlocks", Tried: 20, Better: 2, Full: 1, Worse: 17},
		{Operator: "moveout", Tried: 4, Refused: 4},
	}
	return d
}

// partly is a dossier without a fix of all failures, but with one of the first.
func partly(t testing.TB) *dossier.Dossier {
	d := unfixed(t)
	part := load(t, "deadlock").Fixes[0]
	part.Patch, part.Mends, part.Replays = "fault-1/fix-1.patch", []int{0}, nil
	d.PartialFixes = []dossier.Fix{part}
	return d
}

// markup is what a hostile source would like a page to take for its own.
const markup = `"'><b id="planted">x</b></script></style></code><script>document.title="planted"</script><!-- <img src=x onerror="document.title='planted'"> {{.}} ` + "` ${1} \x00\x1b[31m\u202e\u2066\u200b&lt;"

// hostile is a dossier in which every text is markup with a number of its own.
// It returns how many there are.
func hostile(t testing.TB) (*dossier.Dossier, int) {
	d := two(t)
	d.Partial, d.PartialFixes = unfixed(t).Partial, partly(t).PartialFixes
	d.Notes, d.Suspects = []string{""}, suspects()
	n := 0
	plant(reflect.ValueOf(d).Elem(), func(string) string {
		n++
		return fmt.Sprintf("text%dtext %s", n, markup)
	})
	// A source is a longer text, coloured and compared.
	long := strings.Repeat("very long ", 2000)
	source := "package p\n\n// " + markup + "\nvar s = \"<b id=planted>\" // " + long + "\n\nfunc f() { `" + markup + "\n`}\n"
	d.Fixes[0].Files = []dossier.File{{Path: `<b id="planted">.go`, Before: source, After: strings.ReplaceAll(source, "var s", "var t")}}
	d.Fixes[0].Edits[0].File = d.Fixes[0].Files[0].Path
	return d, n
}

// plant replaces every string in a value.
func plant(v reflect.Value, by func(string) string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(by(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			plant(v.Elem(), by)
		}
	case reflect.Slice:
		for i := range v.Len() {
			plant(v.Index(i), by)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				plant(v.Field(i), by)
			}
		}
	}
}

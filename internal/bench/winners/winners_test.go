package winners

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mendel"
	"mendel/internal/bench/commands"
	"mendel/internal/bench/trial"
	"mendel/internal/operators"
	"mendel/mutate"
)

// Every operator that should win exists, and every package of the archive is listed.
func TestArchive(t *testing.T) {
	all, err := list(archive)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := unpack(dir, archive); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
		for _, wanted := range p.Wanted {
			if !slices.ContainsFunc(operators.All(), func(o *mutate.Operator) bool { return o.Name == wanted }) {
				t.Errorf("%s: there is no operator %q", p.Name, wanted)
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(names, e.Name()) {
			t.Errorf("%s is not listed", e.Name())
		}
	}
}

// What go vet says of the programs is about their bugs.
func TestVet(t *testing.T) {
	dir := t.TempDir()
	if err := unpack(dir, archive); err != nil {
		t.Fatal(err)
	}
	bugs := []string{"passes lock by value", "called from inside new goroutine"}
	output, problem, err := commands.GoSays(t.Context(), dir, "vet", "./...")
	if err != nil || problem == "" {
		t.Fatalf("go vet finds nothing at all; %v", err)
	}
	for line := range strings.Lines(string(output)) {
		if strings.Contains(line, ".go:") && !slices.ContainsFunc(bugs, func(bug string) bool { return strings.Contains(line, bug) }) {
			t.Errorf("go vet: %s", line)
		}
	}
}

func TestListRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"nothing\n-- a/a.go --\npackage a\n":    "lists no programs",
		"a:\n-- a/a.go --\npackage a\n":         "no operator",
		"b: addlock\n-- a/a.go --\npackage a\n": "no files",
		"b ~ x\n-- a/a.go --\npackage a\n":      "not the one before",
		"a ~ (\n-- a/a.go --\npackage a\n":      "is to write",
	} {
		if _, err := list([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// Results of several shapes and versions are read: each bug counts once for an operator, other
// arms do not, and what was refused is marked.
func TestReadSaved(t *testing.T) {
	s, err := readSaved(filepath.Join("testdata", "saved.json"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(s.Wins["addlock"])
	want := map[string][]string{
		"guard": {"account"}, "shrinkend": {"account"}, "addlock": {"account", "cron"},
		"removelock": {"etcd1 (refused)"}, "buffer": {"etcd3"},
	}
	if !reflect.DeepEqual(s.Wins, want) {
		t.Errorf("%v\nwant %v", s.Wins, want)
	}
	if s.won("removelock") || !s.won("buffer") {
		t.Error("what was refused is no win")
	}
	empty := filepath.Join(t.TempDir(), "empty.json")
	if err := os.WriteFile(empty, []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readSaved(empty); err == nil || !strings.Contains(err.Error(), "no repairs") {
		t.Errorf("error %v", err)
	}
}

// What a fix writes is looked for in the lines that are there afterwards.
func TestUnwritten(t *testing.T) {
	o := &outcome{attempt: attempt{Patch: " func f() {\n-\tg()\n+\tmu.Lock()\n+\th()\n }\n"}}
	for _, o.Writes = range [][]string{nil, {`^	mu.Lock\(\)\n	h`, "^func f"}} {
		if got := o.unwritten(); got != "" {
			t.Errorf("%q is not found", got)
		}
	}
	o.Writes = []string{"h", "g"}
	if got := o.unwritten(); got != "g" {
		t.Errorf("%q is not found, want what was removed", got)
	}
}

func TestReport(t *testing.T) {
	fixed := func(drawn string, operators ...string) *trial.Trial {
		return &trial.Trial{Status: mendel.Fixed, Seconds: 4, Drawn: drawn, Operators: operators, ChangedLines: 3}
	}
	notFixed := &trial.Trial{Status: mendel.NotFixed}
	r := &report{
		Programs: []*outcome{
			{program: program{Name: "flight", Wanted: []string{"guard"}}, attempt: attempt{Trial: fixed("guard", "addlock", "addlock")}, Without: attempt{Trial: notFixed}},
			{program: program{Name: "queue", Wanted: []string{"waitloop"}}, attempt: attempt{Trial: fixed("buffer", "buffer")}},
			{program: program{Name: "memo", Wanted: []string{"rlock"}}, attempt: attempt{Trial: fixed("rlock", "rlock")}, Without: attempt{Trial: fixed("addlock", "addlock")}},
			{program: program{Name: "last", Wanted: []string{"uselock"}}, attempt: attempt{}},
		},
		Saved: []*saved{{"real.json", map[string][]string{"uselock": {"cron"}, "removelock": {"etcd" + refused}}}},
	}
	var b bytes.Buffer
	if err := r.Write(&b, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| flight | guard | yes | 2 addlock, a composite of guard | 3 | 0 | 4 | not-fixed |",
		"| queue | waitloop | no | buffer | 3 | 0 | 4 | - |",
		"| memo | rlock | yes | rlock | 3 | 0 | 4 | addlock, 3 lines |",
		"won 2 of 4 programs. 1 of 2 have no fix without it.",
		"| addlock | 1: flight | - |",
		"| uselock | - | 1: cron |",
		"| removelock | - | 1: etcd (refused) |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &b)
		}
	}
	never := r.neverLine()
	for name, want := range map[string]bool{"uselock": false, "guard": false, "removelock": true, "waitloop": true} {
		if regexp.MustCompile(`\b`+name+`\b`).MatchString(never) != want {
			t.Errorf("%s, %t: %s", name, want, never)
		}
	}
	failures := strings.Join(r.Failures(), "\n")
	if want := "queue: buffer won, want waitloop\nlast is not repaired yet"; failures != want {
		t.Errorf("failures %q, want %q", failures, want)
	}
}

// With --only what was found before of the others stays, and is not repaired again.
func TestTake(t *testing.T) {
	r, old := &report{}, &report{}
	if err := r.choose([]string{"memo"}); err != nil {
		t.Fatal(err)
	}
	if err := old.choose(nil); err != nil {
		t.Fatal(err)
	}
	for _, p := range old.Programs {
		if p.Name == "gate" {
			p.Trial = &trial.Trial{Status: mendel.Fixed}
		}
	}
	r.take(old)
	var got []string
	for _, p := range r.Programs {
		got = append(got, fmt.Sprintf("%s left %t tried %t", p.Name, p.left, p.Trial != nil))
	}
	if want := "memo left false tried false, gate left true tried true"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if err := r.choose([]string{"nosuch"}); err == nil {
		t.Error("a program that there is not was chosen")
	}
}

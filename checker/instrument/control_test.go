package instrument

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

const controlDriver = `package control

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"mendelrt/sched"
)

func TestControl(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(Bodies)) {
		r, err := sched.Explore(nil, sched.Search{Strategy: "dfs", Executions: 5000}, Bodies[name])
		if err != nil {
			t.Fatal(err)
		}
		verdict := string(r.Verdict) + " " + r.Reason
		if r.Verdict == sched.Exhausted {
			verdict = "exhausted"
		}
		if len(r.Failures) > 0 {
			verdict = r.Failures[0].Execution.Failure.Kind
			t.Log(r.Failures[0].Execution.Failure.Message)
		}
		fmt.Printf("%s: %s\n", name, verdict)
	}
}
`

// Under control the engine sees what a rewritten program does, no more and no less.
func TestUnderControl(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/control/verdicts.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := extract(t, archive)
	s := load(t, dir, ".")
	o, problems := s.overlay(t, nil)
	for _, u := range problems {
		t.Error(u)
	}
	o[filepath.Join(dir, "driver_test.go")] = []byte(controlDriver)
	out, _ := s.output(t, o, "-test.run=^TestControl$")
	got, _, _ := strings.Cut(out, "PASS\n")
	if diff := cmp.Diff(strings.Split(string(archive.Files[0].Data), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, out)
	}
}

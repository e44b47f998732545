package instrument

import (
	"fmt"
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
	"mendelrt/sched/explore"
)

func TestControl(t *testing.T) {
	defer sched.OneProcessor()()
	for _, name := range slices.Sorted(maps.Keys(Bodies)) {
		r, err := explore.Explore(nil, explore.Search{Strategy: "dfs", Executions: 5000}, Bodies[name])
		if err != nil {
			t.Fatal(err)
		}
		verdict := string(r.Verdict) + " " + r.Reason
		if r.Verdict == explore.Exhausted {
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

// Under control the engine sees what a rewritten program does, no more and no less. What
// is wanted is what is not under control, and then each body with its verdict.
func TestUnderControl(t *testing.T) {
	eachArchive(t, 2, "control/*.txtar", func(t *testing.T, _ string, archive *txtar.Archive) {
		dir := extract(t, archive)
		s := load(t, dir, ".")
		o, problems := s.overlay(t, nil)
		var got strings.Builder
		for _, u := range problems {
			fmt.Fprintf(&got, "%s:%d: %s\n", filepath.Base(u.Pos.Filename), u.Pos.Line, u.Reason)
		}
		o[filepath.Join(dir, "driver_test.go")] = []byte(controlDriver)
		out, _ := s.output(t, o, "-test.run=^TestControl$")
		verdicts, _, _ := strings.Cut(out, "PASS\n")
		got.WriteString(verdicts)
		if diff := cmp.Diff(strings.Split(string(archive.Files[0].Data), "\n"), strings.Split(got.String(), "\n")); diff != "" {
			t.Errorf("-want +got:\n%s\n%s", diff, out)
		}
	})
}

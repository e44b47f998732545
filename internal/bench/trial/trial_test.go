package trial

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel"
	"mendel/internal/bench/benchtest"
	"mendel/internal/bench/programs"
)

// A repair by another version is started in the copy, and its result.json is
// what counts; one that writes none says what it said.
func TestRunRepair(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	fake := filepath.Join(t.TempDir(), "mendel-old")
	script := "#!" + sh + "\n" + `
case "$*" in
*"--seed 7"*"--workers 3"*.) ;;
*) echo "bad usage: $*"; exit 2;;
esac
while [ "$1" != --out ]; do shift; done
mkdir -p "$2"
echo '{"status": "fixed", "seconds": 2.5, "search": {"evaluations": 4}, "fixes": [{"diff": "d", "generation": 1, "changedLines": 3, "edits": [{"operator": "guard"}]}]}' >"$2/result.json"
`
	benchtest.WriteExecutable(t, fake, script)
	arm, err := parseArm("mendel=" + fake)
	if err != nil || arm.Name != "mendel=mendel-old" {
		t.Fatalf("arm %+v, %v", arm, err)
	}
	source := benchtest.WriteSubject(t)
	trial, err := Run(t.Context(), source, 7, arm, programs.Effort{Limit: time.Minute, Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	if trial.Status != mendel.Fixed || trial.Seconds != 2.5 || trial.ChangedLines != 3 || !slices.Equal(trial.Patches, []string{"d"}) {
		t.Errorf("trial %+v", trial)
	}
	if _, err := Run(t.Context(), source, 8, arm, programs.Effort{Limit: time.Minute, Workers: 3}); err == nil || !strings.Contains(err.Error(), "bad usage") {
		t.Errorf("a repair that went wrong: %v", err)
	}
	if _, err := Run(t.Context(), source, 7, arm, programs.Effort{Limit: time.Minute, Until: UntilCandidate}); err == nil {
		t.Error("another version stops at a candidate")
	}
	if _, err := parseArm("mendel=" + fake + "x"); err == nil {
		t.Error("an executable that is not there is an arm")
	}
}

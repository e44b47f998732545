package patches

import (
	"os/exec"
	"testing"

	"mendel/internal/bench/benchtest"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
)

// Every subject has at least two wrong patches, and they apply.
func TestPatchesApply(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	subjects, err := subject.Read(benchtest.SubjectsDir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range subjects {
		copied := t.TempDir()
		if err := programs.Copy(copied, s.Dir); err != nil {
			t.Fatal(err)
		}
		all, err := ofSubject(t.Context(), s, copied)
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		if len(all) < 3 || !all[0].right || len(all[0].change.Files) == 0 {
			t.Errorf("%s has %d patches, want the right one and two wrong ones", s.Name, len(all))
		}
		for _, p := range all[1:] {
			if p.change.Applied || len(p.change.Files) == 0 {
				t.Errorf("%s: %s changes nothing", s.Name, p.change.Name)
			}
		}
	}
}

package identity

import (
	"os/exec"
	"regexp"
	"testing"
)

func TestRevision(t *testing.T) {
	if _, err := exec.LookPath("git"); err == nil {
		here := regexp.MustCompile(`^(revision [0-9a-f]+ of \d{4}-\d\d-\d\d( with changes)?|an unknown revision)$`)
		if got := Revision(); !here.MatchString(got) {
			t.Errorf("here %q", got)
		}
	}
	t.Chdir(t.TempDir())
	if got := Revision(); got != "an unknown revision" {
		t.Errorf("outside of the source: %q", got)
	}
}

package instrument

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"mendel/internal/gotool"
)

// Outside control a rewritten program does what the original does: the modules
// of testdata/run print what they do, in which order.
func TestSameBehaviour(t *testing.T) {
	eachArchive(t, 2, "run/*.txtar", func(t *testing.T, _ string, archive *txtar.Archive) {
		s := load(t, extract(t, archive), ".")
		o, problems := s.overlay(t, nil)
		for _, u := range problems {
			t.Error(u)
		}
		want, code := s.output(t, gotool.Overlay{})
		if code != 0 || strings.Count(want, "\n") < 8 {
			t.Fatalf("the original exits with %d:\n%s", code, want)
		}
		got, _ := s.output(t, o)
		if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("-original +rewritten:\n%s", diff)
		}
	})
}

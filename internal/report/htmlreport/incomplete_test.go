package htmlreport

import (
	"strings"
	"testing"
)

// A fix whose validation is incomplete is not counted among the validated ones,
// and has the reason beside it wherever it is listed.
func TestIncompleteIsNotValidated(t *testing.T) {
	d := two(t)
	d.Fixes[1].Incomplete = []string{"go vet was not run"}
	page := html(t, d)
	for _, want := range []string{"has one validated fix.", "<strong>validation incomplete</strong> Go vet was not run."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(page, "⚠</span> validation incomplete</span>") + strings.Count(page, "⚠ validation incomplete,"); n != 2 {
		t.Errorf("it is marked in %d lists, want in the ranking and among the alternatives of fix 1", n)
	}
	d.Fixes = d.Fixes[1:]
	d.Status = "fixed-incomplete"
	page = html(t, d)
	for _, want := range []string{`class="state bad"`, "Fixed, validation incomplete</strong>", "has a fix whose validation is incomplete."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

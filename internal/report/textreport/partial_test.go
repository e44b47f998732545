package textreport

import (
	"io"
	"slices"
	"strings"
	"testing"

	"mendel/internal/dossier"
	"mendel/internal/report/sarif"
)

// partly is a dossier without a fix of both failures, but with one of the second.
func partly() *dossier.Dossier {
	d := bank()
	d.Failures[1].Test = "TestOther"
	part := d.Fixes[1]
	part.Patch, part.Mends = "fault-2/fix-1.patch", []int{1}
	d.Status, d.Reason, d.Fixes, d.PartialFixes = "not-fixed", "1 of 2 causes of failure fixed", nil, []dossier.Fix{part}
	return d
}

// A fix of some failures is offered for these, and for no other.
func TestPartialFixes(t *testing.T) {
	d := partly()
	results := logOf(t, "", d).Runs[0].Results
	if len(results) != 2 || len(results[0].Fixes) != 0 || len(results[1].Fixes) != 1 {
		t.Fatalf("results %+v, want a fix of the second alone", results)
	}
	says := func(r sarif.Result) string { return r.Message.Text }
	if !strings.Contains(says(results[0]), "Mendel has no fix: 1 of 2") || !strings.Contains(says(results[1]), "a fix for this failure, but none for all failures: Fix data race") {
		t.Errorf("the log says %q and %q", says(results[0]), says(results[1]))
	}
	lines := strings.Split(strings.TrimSpace(written(t, func(w io.Writer) error { return GitHub(w, "", d) })), "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "::notice ") })
	if len(lines) != 4 || at != 2 || !strings.Contains(lines[at], "title=Mendel%3A fix of the test failure in TestOther alone::") || !strings.HasSuffix(lines[at], "Patch: fault-2/fix-1.patch") {
		t.Errorf("annotations:\n%s", strings.Join(lines, "\n"))
	}
	text := written(t, func(w io.Writer) error { return Markdown(w, d) })
	for _, want := range []string{"\n## A fix of the test failure in TestOther alone: Fix data race", "`git apply fault-2/fix-1.patch`"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
}

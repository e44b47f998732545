package textreport

import (
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mendel/internal/dossier"
	"mendel/internal/report/sarif"
	"mendel/internal/report/sarif/sariftest"
)

// valid reads a log and holds it to the schema of SARIF 2.1.0. Nothing in it is
// what SARIF takes for granted, nor an empty list but that of the results.
func valid(t *testing.T, data []byte) *sarif.Log {
	t.Helper()
	sariftest.Valid(t, data)
	if odd := regexp.MustCompile(`: (-1|\[\]|null|"")`).FindString(regexp.MustCompile(`"results": \[\]`).ReplaceAllString(string(data), "")); odd != "" {
		t.Errorf("the log has %q in\n%s", odd, data)
	}
	log := &sarif.Log{}
	if err := json.Unmarshal(data, log); err != nil {
		t.Fatal(err)
	}
	return log
}

func logOf(t *testing.T, root string, dossiers ...*dossier.Dossier) *sarif.Log {
	t.Helper()
	return valid(t, []byte(written(t, func(w io.Writer) error { return SARIF(w, root, dossiers...) })))
}

func TestSARIFHostile(t *testing.T) {
	d := hostile(bank(), nasty)
	for i := range d.Fixes {
		d.Fixes[i].Files[0].After += d.Fixes[i].Patch[i:] // no fix is like another
	}
	logOf(t, "", d, hostile(unfixed(), nasty))
}

// The fixes of a log, applied as the standard says, give what the patches give.
func TestSARIFFixes(t *testing.T) {
	d := bank()
	log := logOf(t, "/src/repo", d)
	fixes := log.Runs[0].Results[0].Fixes
	if len(fixes) != len(d.Fixes) {
		t.Fatalf("%d fixes, want %d", len(fixes), len(d.Fixes))
	}
	for i, fix := range fixes {
		for k, change := range fix.ArtifactChanges {
			want := d.Fixes[i].Files[k]
			if got := "m/" + want.Path; change.ArtifactLocation.URI != got || change.ArtifactLocation.URIBaseID != rootID {
				t.Errorf("fix %d changes %s of %s, want %s", i, change.ArtifactLocation.URI, change.ArtifactLocation.URIBaseID, got)
			}
			if diff := cmp.Diff(want.After, applied(t, want.Before, change.Replacements)); diff != "" {
				t.Errorf("fix %d, -want +got:\n%s", i, diff)
			}
		}
	}
}

// applied makes replacements in a text, the last first.
func applied(t interface{ Fatalf(string, ...any) }, text string, rs []sarif.Replacement) string {
	for _, r := range slices.Backward(rs) {
		from := offset(t, text, r.DeletedRegion.StartLine, r.DeletedRegion.StartColumn)
		to := offset(t, text, r.DeletedRegion.EndLine, r.DeletedRegion.EndColumn)
		inserted := ""
		if r.InsertedContent != nil {
			inserted = r.InsertedContent.Text
		}
		text = text[:from] + inserted + text[to:]
	}
	return text
}

// offset is that of a position, by a way of its own: character for character.
func offset(t interface{ Fatalf(string, ...any) }, text string, line, column int) int {
	l, c := 1, 1
	for i, r := range text {
		if l == line && c == column {
			return i
		}
		c += utf16.RuneLen(r)
		if r == '\n' {
			l, c = l+1, 1
		}
	}
	if l != line || c != column {
		t.Fatalf("%d:%d is not in %q", line, column, text)
	}
	return len(text)
}

// So do those of any two texts: without newlines at the end, with line ends of
// Windows, with characters that take two code units.
func TestReplacements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "𝄞é\n", "\n", "c\r\n", "no newline", "𝄞"}), 0, 12).Draw(t, "lines"), "")
		})
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		if got := applied(t, before, replacements(before, after)); got != after {
			t.Fatalf("%q becomes %q, want %q", before, got, after)
		}
	})
}

// What a reader of a log relies on.
func TestSARIFResult(t *testing.T) {
	log := logOf(t, "/src/repo", bank(), unfixed())
	run := log.Runs[0]
	if base := run.OriginalURIBaseIDs[rootID]; base.URI != "file:///src/repo/" {
		t.Errorf("the root is %v", base.URI)
	}
	if n := len(run.Results); n != 3 {
		t.Fatalf("%d results, want one of each failure", n)
	}
	r := run.Results[0]
	at := r.Locations[0].PhysicalLocation
	if at.ArtifactLocation.URI != "m/bank/bank.go" || at.Region.StartLine != 10 {
		t.Errorf("it is at %s:%d", at.ArtifactLocation.URI, at.Region.StartLine)
	}
	if len(r.RelatedLocations) != 2 || r.RuleID != "mendel/race" || run.Tool.Driver.Rules[*r.RuleIndex].ID != r.RuleID {
		t.Errorf("%d related locations, rule %s, index %d", len(r.RelatedLocations), r.RuleID, r.RuleIndex)
	}
	var order []int
	for _, thread := range r.CodeFlows[0].ThreadFlows {
		for _, l := range thread.Locations {
			order = append(order, l.ExecutionOrder)
		}
	}
	if diff := cmp.Diff([]int{0, 1, 2, 3}, order); diff != "" {
		t.Errorf("order of execution: %s", diff)
	}
	prints := map[string]bool{}
	for _, r := range run.Results {
		prints[r.PartialFingerprints[fingerprint]] = true
	}
	if len(prints) != 3 {
		t.Errorf("fingerprints %v, want three", prints)
	}
	if other := logOf(t, "/src/repo", bank()); other.Runs[0].Results[0].PartialFingerprints[fingerprint] != r.PartialFingerprints[fingerprint] {
		t.Error("the fingerprint is not stable")
	}
}

// Names of files become URIs, relative to the repository if the module is in it.
func TestSARIFNames(t *testing.T) {
	for _, tt := range []struct{ root, dir, file, want string }{
		{"/src/repo", "/src/repo/m", "a b/c.go", "m/a%20b/c.go"},
		{"/src/repo", "/src/repo", "c.go", "c.go"},
		{"/src/repo", "/src/repository", "c.go", "c.go"},
		{"", "/src/repo", "c:d.go", "./c:d.go"},
		{"", "/src/repo", "/go/src/sync/mutex.go", "file:///go/src/sync/mutex.go"},
	} {
		d := &dossier.Dossier{Dir: tt.dir, Failures: []dossier.FailureRecord{{Kind: "panic", Places: []dossier.Place{{File: tt.file, Line: 1}}}}}
		r := logOf(t, tt.root, d).Runs[0].Results[0]
		at := append(r.Locations, r.RelatedLocations...)
		if got := at[0].PhysicalLocation.ArtifactLocation.URI; got != tt.want {
			t.Errorf("%s in %s below %s is %s, want %s", tt.file, tt.dir, tt.root, got, tt.want)
		}
	}
}

// A log is JSON that does not hide what it says behind escapes.
func TestSARIFReadable(t *testing.T) {
	text := written(t, func(w io.Writer) error { return SARIF(w, "", bank()) })
	if !json.Valid([]byte(text)) || strings.Contains(text, `\u003c`) {
		t.Error("escaped, or no JSON")
	}
}

package htmlreport

import (
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/internal/dossier"
	"mendel/internal/report"
)

// outline is the headings of a page, indented by their level. It fails the test
// if elements are not closed in order, identifiers come twice, links within the
// page lead nowhere, or a level of headings is left out.
func outline(t *testing.T, page string) string {
	t.Helper()
	for _, element := range []string{"script", "style"} { // are no markup within
		from, to := strings.Index(page, "<"+element+">"), strings.Index(page, "</"+element+">")
		page = page[:from] + page[to+len(element)+3:]
	}
	x := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(page, "<!DOCTYPE html>")))
	x.Strict, x.AutoClose, x.Entity = false, []string{"meta", "link", "br"}, xml.HTMLEntity
	var b strings.Builder
	var ids, links, open []string
	level, heading := 0, ""
	for {
		token, err := x.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			open = append(open, e.Name.Local)
			id, to := references(t, e)
			if id != "" && slices.Contains(ids, id) {
				t.Errorf("two elements have the identifier %s", id)
			}
			ids, links = append(ids, id), append(links, to...)
			if n := len(e.Name.Local); n == 2 && e.Name.Local[0] == 'h' && e.Name.Local != "hr" {
				next := int(e.Name.Local[1] - '0')
				if next > level+1 {
					t.Errorf("<%s> comes below <h%d>", e.Name.Local, level)
				}
				level, heading = next, e.Name.Local
				b.WriteString(strings.Repeat("  ", level-1))
			}
		case xml.EndElement:
			open = open[:len(open)-1]
			if e.Name.Local == heading {
				heading = ""
				b.WriteByte('\n')
			}
		case xml.CharData:
			if heading != "" {
				b.Write(e)
			}
		}
	}
	if len(open) > 0 {
		t.Errorf("not closed: %v", open)
	}
	for _, l := range links {
		if !slices.Contains(ids, l) {
			t.Errorf("nothing has the identifier %s, which is referred to", l)
		}
	}
	return b.String()
}

// references are the identifier of an element and those that it refers to. It
// fails the test if the element has an attribute that the policy forbids.
func references(t *testing.T, e xml.StartElement) (id string, links []string) {
	t.Helper()
	for _, a := range e.Attr {
		switch name := a.Name.Local; {
		case name == "id":
			id = a.Value
		case name == "href" && strings.HasPrefix(a.Value, "#"):
			links = append(links, a.Value[1:])
		case strings.HasPrefix(name, "aria-") && strings.HasSuffix(name, "by"):
			links = append(links, a.Value)
		case name == "style", strings.HasPrefix(name, "on"):
			t.Errorf("<%s> has the attribute %s, which the policy forbids", e.Name.Local, name)
		}
	}
	return id, links
}

func TestOutline(t *testing.T) {
	for name, c := range map[string]struct {
		d    *dossier.Dossier
		want string
	}{
		"two fixes": {two(t), `
account
  What failed
    data race in TestRing
    data race in TestRing
    data race in TestRing
  The fixes, best first
  Fix data race in (*Account).Transfer
    The change
    The interleaving, before and after
    Evidence
    What this does not show
    Cost
    Alternatives
  Guard the whole bank
    The change
    The interleaving, before and after
    Evidence
    What this does not show
    Cost
    Alternatives
  Rejected
  The search
  Keys
`},
		"no fix": {unfixed(t), `
deadlock
  What failed
    deadlock in TestExchange
  Where the fault may be
  Closest to a fix
    1 orderlocks dst.mu
      What still fails
    2 swaplocks
      What still fails
    3 moveout
  The search
  Keys
`},
		"nothing": {&dossier.Dossier{Package: "example.com/p/v2", Status: "not-reproduced"}, `
p/v2
  The search
  Keys
`},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), outline(t, html(t, c.d))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestShows finds what a dossier says in its page.
func TestShows(t *testing.T) {
	d := load(t, "account")
	d.Fixes[0].Evidence.Switches, d.Fixes[0].Evidence.SwitchesInterval = 1.5, dossier.Interval{Low: 1.2, High: 2}
	f := d.Fixes[0]
	page := html(t, d)
	want := []string{
		"A data race in TestRing has one validated fix.", "example.com/account", "21 November 2026",
		f.Title, f.Patch, "10 of 10 failed", "All 150 passed", "Every schedule with at most 1 preemption passed",
		"2 schedules followed under the fix", "Finds nothing.", "× 1.50", "50 % more (20 % to 100 %)", "Seen in 10 of 10 runs under noise",
		"Data race: nothing orders the two accesses.", "Every goroutine is done.", "bank.go:49#1",
		`<span class="letter h0">A</span> <code>a.mu #1</code>`, `class="join `,
		"Score by generation", "Outcomes by operator", "Time by phase",
		base64.StdEncoding.EncodeToString(report.PatchFile(&f)),
	}
	for _, e := range f.Edits {
		want = append(want, e.Operator, sentence(e.Note), e.Lock)
	}
	want = append(want, f.Evidence.Limits...)
	for _, p := range f.Edits[0].Conflicts {
		want = append(want, fmt.Sprintf("%s:%d", p.File, p.Line), p.Text)
	}
	for _, p := range d.Phases {
		want = append(want, p.Name)
	}
	page = strings.ReplaceAll(page, "&#43;", "+")
	for _, w := range want {
		if !strings.Contains(page, w) {
			t.Errorf("the page lacks %q", w)
		}
	}
}

// TestSuspects are shown in their order, with the other goroutine's operation.
func TestSuspects(t *testing.T) {
	page := html(t, unfixed(t))
	last := 0
	for _, want := range []string{
		`<a href="#suspects">Places</a>`, "Where the fault may be", "file.go:54", "in <code>Copy</code>", "dst.mu.Lock()", "lock-order inversion", "File.mu",
		"Waits for dst.mu while it holds src.mu.", "unlock at <code>file.go:71</code> in <code>Exchange</code>", "0.94", "file.go:53", "Locks first.", "0.50",
	} {
		at := strings.Index(page[last:], want)
		if at < 0 {
			t.Fatalf("the page lacks %q after byte %d", want, last)
		}
		last += at
	}
	if strings.Contains(html(t, load(t, "account")), `id="suspects"`) {
		t.Error("a section without places")
	}
}

// TestDiagnoses come first, with what would mend the fault and does not go there.
func TestDiagnoses(t *testing.T) {
	d := load(t, "account")
	d.Diagnoses = []dossier.Diagnosis{{
		Fault: "wrong lock", Certainty: "likely", Says: "account.go:12 uses amount under <from.mu>",
		Declined: []dossier.Declined{{Operator: "uselock", File: "account.go", Line: 10, Reason: "there is no other lock"}},
	}}
	page := html(t, d)
	last := 0
	for _, want := range []string{
		`<a href="#diagnoses">Diagnosis</a>`, "What is wrong", "wrong lock", "(likely)", "under &lt;from.mu&gt;",
		"uselock at <code>account.go:10</code>", "There is no other lock.", "What failed",
	} {
		at := strings.Index(page[last:], want)
		if at < 0 {
			t.Fatalf("the page lacks %q after byte %d", want, last)
		}
		last += at
	}
	if strings.Contains(html(t, load(t, "account")), `id="diagnoses"`) {
		t.Error("a section without diagnoses")
	}
}

// TestPartialFixes are shown as such, with a patch to copy.
func TestPartialFixes(t *testing.T) {
	d := partly(t)
	page := html(t, d)
	outline(t, page)
	for _, want := range []string{
		`<a href="#part-1" data-stop="part-1">Part 1</a>`, "Fix of the deadlock in " + d.Failures[0].Test + " alone",
		`id="part-1"`, `data-clip="`, `data-do="copy"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestPolicy allows the page's own style and script, by what they are, and
// nothing else.
func TestPolicy(t *testing.T) {
	for _, d := range []*dossier.Dossier{load(t, "account"), {}} {
		page := html(t, d)
		policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1]
		policy = strings.NewReplacer("&#39;", "'", "&#43;", "+", "&#34;", `"`).Replace(policy)
		for element, directive := range map[string]string{"style": "style-src", "script": "script-src"} {
			_, rest, _ := strings.Cut(page, "<"+element+">")
			text, _, _ := strings.Cut(rest, "</"+element+">")
			if want := fmt.Sprintf("%s '%s';", directive, hash(text)); !strings.Contains(policy, want) {
				t.Errorf("the policy %s lacks %s", policy, want)
			}
		}
		if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
			t.Errorf("the policy allows too much: %s", policy)
		}
		for _, m := range regexp.MustCompile(`(?i)(?:src|href|url)\s*[=(]\s*["']?([^"'\s>]*)`).FindAllStringSubmatch(page, -1) {
			if target := m[1]; !strings.HasPrefix(target, "#") && !strings.HasPrefix(target, "data:") {
				t.Errorf("the page refers to %s", target)
			}
		}
	}
}

// TestHostile plants markup in every text of a dossier: all of it is text in
// the page, and what would not be seen is.
func TestHostile(t *testing.T) {
	d, n := hostile(t)
	page := html(t, d)
	for _, raw := range []string{`<b id=`, `<b id="planted">`, `<img`, `onerror="`, "\x00", "\x1b", "\u202e", "\u2066", "\u200b", "\r"} {
		if strings.Contains(page, raw) {
			t.Errorf("the page has %q as it is", raw)
		}
	}
	for _, element := range []string{"script", "style", "title", "body"} {
		if got := strings.Count(strings.ToLower(page), "</"+element); got != 1 && element != "title" || got == 0 {
			t.Errorf("the page ends <%s> %d times", element, got)
		}
	}
	for _, seen := range []string{"⟨U+202E⟩", "␛", "⟨U+200B⟩", " more</span>"} {
		if !strings.Contains(page, seen) {
			t.Errorf("the page does not show %q", seen)
		}
	}
	outline(t, page)
	shown := 0
	for i := range n {
		if strings.Contains(page, fmt.Sprintf("text%dtext", i+1)) {
			shown++
		}
	}
	// What it leaves out: signatures, notes that stand behind others, the texts
	// of files that became one source, and parts of it that came twice.
	if shown < n*3/4 {
		t.Errorf("of %d texts the page shows %d", n, shown)
	}
}

// TestClip has the script copy what the patch file holds, whatever is in it.
func TestClip(t *testing.T) {
	d := two(t)
	if !strings.HasSuffix(string(report.PatchFile(&d.Fixes[0])), "\n\n"+d.Fixes[0].Diff) {
		t.Error("the patch file does not end with the diff")
	}
	for i, m := range regexp.MustCompile(`data-clip="([^"]*)"`).FindAllStringSubmatch(html(t, d), -1) {
		got, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(m[1], "&#43;", "+"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(report.PatchFile(&d.Fixes[i])), string(got)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestVisible(t *testing.T) {
	for give, want := range map[string]string{
		"plain\n\ttext ·": "plain\n\ttext ·",
		"\x00\a\x1f\x7f":  "␀␇␟␡",
		"a\u202eb":        "a⟨U+202E⟩b",
		"\u00a0\ufeff":    "⟨U+00A0⟩⟨U+FEFF⟩",
		"\xff":            "\ufffd",
	} {
		if got := visible(give); got != want {
			t.Errorf("%q becomes %q, want %q", give, got, want)
		}
	}
}

func TestTellsOfAFailedWriter(t *testing.T) {
	full := errors.New("no space left")
	if err := HTML(failing{full}, load(t, "stream")); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

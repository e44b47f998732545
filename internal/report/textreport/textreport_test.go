package textreport

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"mendel/internal/dossier"
)

// written is what a writer writes.
func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for _, tt := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"bank.md", func(w io.Writer) error { return Markdown(w, bank()) }},
		{"bank.txt", func(w io.Writer) error { return Text(w, bank(), TextOptions{}) }},
		{"bank-color.txt", func(w io.Writer) error { return Text(w, bank(), TextOptions{Color: true, Width: 120}) }},
		{"unfixed.md", func(w io.Writer) error { return Markdown(w, unfixed()) }},
		{"unfixed.txt", func(w io.Writer) error { return Text(w, unfixed(), TextOptions{Width: 60}) }},
		{"bank.patch", func(w io.Writer) error { return Patch(w, bank(), 0) }},
		{"bank.github", func(w io.Writer) error { return GitHub(w, "/src/repo", bank(), unfixed()) }},
		{"bank.sarif", func(w io.Writer) error { return SARIF(w, "/src/repo", bank(), unfixed()) }},
	} {
		t.Run(tt.name, func(t *testing.T) { golden(t, tt.name, written(t, tt.write)) })
	}
}

// There is something to say of a repair that found nothing, or has just begun.
func TestEmpty(t *testing.T) {
	for _, d := range []*dossier.Dossier{
		{}, {Status: "not-reproduced", Reason: "no run failed"}, {Status: "fixed", Fixes: []dossier.Fix{{}}, Failures: []dossier.FailureRecord{{}}},
	} {
		for name, write := range map[string]func(io.Writer) error{
			"markdown": func(w io.Writer) error { return Markdown(w, d) },
			"text":     func(w io.Writer) error { return Text(w, d, TextOptions{}) },
			"github":   func(w io.Writer) error { return GitHub(w, "", d) },
		} {
			if text := written(t, write); !strings.Contains(strings.ToLower(text), d.Reason) || text == "" {
				t.Errorf("%s of a %q dossier: %q", name, d.Status, text)
			}
		}
		valid(t, []byte(written(t, func(w io.Writer) error { return SARIF(w, "", d) })))
	}
}

// nasty has what could leave its place in any of the formats.
const nasty = "`x` ``` \r\n````\n~~~\n</summary></details><script>alert(1)</script> <b> &amp; [a](http://x) ![i](x) *e* _u_ | cell @user #12 \x1b[31m\x02\x03\x00 \u202e \xff %0A ::error::x\n::warning file=a::y\n1. one\n# head\n- item\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/x b/x\n"

// What Markdown has of others ends no code block, is no markup and addresses nobody.
func TestMarkdownHostile(t *testing.T) {
	for _, d := range []*dossier.Dossier{hostile(bank(), nasty), hostile(unfixed(), nasty)} {
		text := written(t, func(w io.Writer) error { return Markdown(w, d) })
		controls(t, text, "\n\t")
		outside := outsideFences(t, text)
		for _, markup := range regexp.MustCompile(`</?[a-z!-]+[^>]*>`).FindAllString(withoutCode(outside), -1) {
			switch markup {
			case "<details>", "</details>", "<summary>", "</summary>", "<!-- -->", "<code>", "</code>":
			default:
				t.Errorf("markup of others: %s", markup)
			}
		}
		if at := regexp.MustCompile(`.{0,40}[@#][a-z0-9].*`).FindString(strings.ReplaceAll(withoutCode(outside), "&#124;", "")); at != "" {
			t.Errorf("somebody is addressed: %s", at)
		}
		for line := range strings.Lines(outside) {
			if cells := strings.Count(line, "|") - 1; strings.HasPrefix(line, "|") && cells != 3 && cells != 5 {
				t.Errorf("a row of %d cells: %s", cells, line)
			}
		}
	}
}

// outsideFences is a page without its code blocks, each of which has to end.
func outsideFences(t *testing.T, text string) string {
	t.Helper()
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch rest := strings.TrimSpace(line[len(ticks):]); {
		case fence == "" && len(ticks) >= 3 && !strings.Contains(rest, "`"):
			fence = ticks
		case fence != "" && len(ticks) >= len(fence) && rest == "":
			fence = ""
		case fence == "":
			out.WriteString(line)
		}
	}
	if fence != "" {
		t.Error("a code block does not end")
	}
	return out.String()
}

// withoutCode removes code spans and escaped characters.
func withoutCode(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		for line != "" {
			if line[0] == '\\' {
				line = line[min(2, len(line)):]
				continue
			}
			ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
			if ticks == "" {
				out.WriteByte(line[0])
				line = line[1:]
				continue
			}
			line = line[len(ticks):]
			if end := regexp.MustCompile("(^|[^`])" + ticks + "([^`]|$)").FindStringIndex(line); end != nil {
				line = strings.TrimLeft(line[end[0]+1:], "`")
			}
		}
	}
	return out.String()
}

// controls fails when text has a character that acts on a terminal, but for those allowed.
func controls(t *testing.T, text, allowed string) {
	t.Helper()
	for i, r := range text {
		if r == utf8.RuneError || !unicode.IsPrint(r) && !strings.ContainsRune(allowed, r) {
			t.Fatalf("%U is in the text: %q", r, text[max(0, i-30):min(len(text), i+30)])
		}
	}
}

// Nothing of others acts on the terminal.
func TestTextHostile(t *testing.T) {
	for _, d := range []*dossier.Dossier{hostile(bank(), nasty), hostile(unfixed(), nasty)} {
		controls(t, written(t, func(w io.Writer) error { return Text(w, d, TextOptions{}) }), "\n\t")
		colored := written(t, func(w io.Writer) error { return Text(w, d, TextOptions{Color: true}) })
		controls(t, regexp.MustCompile("\x1b\\[(0|1|2|3[1-6])m").ReplaceAllString(colored, ""), "\n\t")
	}
}

// A text is no wider than the terminal, source apart.
func TestTextWidth(t *testing.T) {
	for _, width := range []int{60, 80, 120} {
		text := written(t, func(w io.Writer) error { return Text(w, bank(), TextOptions{Width: width}) })
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width && !strings.HasPrefix(line, "#") {
				t.Errorf("%d columns of %d: %s", n, width, line)
			}
		}
	}
}

func TestClock(t *testing.T) {
	for seconds, want := range map[float64]string{0.04: "0.0 s", 5.26: "5.3 s", 600: "10 min", 3600: "1 h", 12345: "3 h 26 min"} {
		if got := clock(seconds); got != want {
			t.Errorf("clock(%v) = %q, want %q", seconds, got, want)
		}
	}
}

func TestCodeSpan(t *testing.T) {
	for text, want := range map[string]string{"a": "`a`", "a`b": "``a`b``", "`a``": "``` `a`` ```", "a|b": "`a|b`"} {
		if got := codeSpan(text); got != want {
			t.Errorf("codeSpan(%q) = %q, want %q", text, got, want)
		}
	}
}

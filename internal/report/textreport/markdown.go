package textreport

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"mendel/internal/dossier"
	"mendel/internal/report"
)

// Markdown writes a dossier as a page for a code host, in GitHub's dialect.
func Markdown(w io.Writer, d *dossier.Dossier) error {
	m := &markdown{}
	render(m, d)
	return m.end(w)
}

// A markdown is a page being written.
type markdown struct {
	b   strings.Builder
	err error // the first of drawing
}

func (m *markdown) end(w io.Writer) error {
	if m.err != nil {
		return m.err
	}
	_, err := io.WriteString(w, m.b.String())
	return err
}

// block writes a block, an empty line before it.
func (m *markdown) block(text string) {
	if m.b.Len() > 0 {
		m.b.WriteByte('\n')
	}
	m.b.WriteString(strings.TrimRight(text, "\n") + "\n")
}

func (m *markdown) heading(level int, text prose) {
	m.block(strings.Repeat("#", level) + " " + inline(text))
}

func (m *markdown) paragraph(text prose) { m.block(inline(text)) }

func (m *markdown) list(items []prose) {
	if len(items) == 0 {
		return
	}
	var b strings.Builder
	for _, item := range items {
		b.WriteString("- " + inline(item) + "\n")
	}
	m.block(b.String())
}

func (m *markdown) table(head []string, rows [][]prose) {
	var b strings.Builder
	b.WriteString("| " + strings.Join(head, " | ") + " |\n")
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, row := range rows {
		b.WriteByte('|')
		for _, cell := range row {
			b.WriteString(" " + inCell(cell) + " |")
		}
		b.WriteByte('\n')
	}
	m.block(b.String())
}

func (m *markdown) patch(f *dossier.Fix) {
	m.diff(string(report.Patch(report.ChangesOf(f), "")))
}

func (m *markdown) diff(text string) { m.fenced("diff", text) }

func (m *markdown) lanes(t *dossier.Trace) {
	var b strings.Builder
	if err := report.Table(&b, t, 0, false); err != nil && m.err == nil {
		m.err = err
	}
	m.fenced("text", b.String())
}

// fenced writes a code block that no line in it ends.
func (m *markdown) fenced(language, text string) {
	text = report.VisibleText(text)
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	m.block(fence + language + "\n" + text + fence)
}

func (m *markdown) aside(title prose, f func()) {
	m.block("<details><summary>" + markup(title) + "</summary>")
	f()
	m.block("</details>")
}

// inline is prose as Markdown.
func inline(text prose) string {
	var b strings.Builder
	spans(text, func(s string, isCode bool) {
		if isCode {
			b.WriteString(codeSpan(s))
		} else {
			b.WriteString(escape(s))
		}
	})
	return b.String()
}

// inCell is inline for a cell of a table, which a bar ends, even in code.
func inCell(text prose) string {
	var b strings.Builder
	spans(text, func(s string, isCode bool) {
		switch {
		case isCode && strings.Contains(s, "|"):
			b.WriteString("<code>" + escape(s) + "</code>")
		case isCode:
			b.WriteString(codeSpan(s))
		default:
			b.WriteString(escape(s))
		}
	})
	return strings.ReplaceAll(b.String(), "|", "&#124;")
}

// markup is prose as HTML, which stands inside a tag of it.
func markup(text prose) string {
	var b strings.Builder
	spans(text, func(s string, isCode bool) {
		s = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "@<!-- -->", "#", "#<!-- -->").Replace(s)
		if isCode {
			s = "<code>" + s + "</code>"
		}
		b.WriteString(s)
	})
	return b.String()
}

// spans cuts prose into what is code and what is not.
func spans(text prose, f func(s string, isCode bool)) {
	rest := string(text)
	for rest != "" {
		before, after, found := strings.Cut(rest, string(codeBegins))
		if before != "" {
			f(before, false)
		}
		if !found {
			return
		}
		before, rest, _ = strings.Cut(after, string(codeEnds))
		f(before, true)
	}
}

// codeSpan puts text into backquotes, more of them than any run in it has.
func codeSpan(s string) string {
	quotes := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " " // one on each side is taken off again
	}
	return quotes + s + quotes
}

// longestRun is how often a byte follows itself at most.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		run++
		if s[i] != c {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// special are the characters that mean something in Markdown anywhere in a line.
const special = "\\`*_[]<>&~"

// numbered matches what begins an item of a numbered list.
var numbered = regexp.MustCompile(`^([0-9]+)([.)])`)

// escape writes text so that it is read as it is. Neither is somebody addressed
// nor an issue referred to.
func escape(s string) string {
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		return `\` + s[:1] + escape(s[1:])
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case strings.ContainsRune(special, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '@' || r == '#':
			fmt.Fprintf(&b, "%c<!-- -->", r)
		default:
			b.WriteRune(r)
		}
	}
	return numbered.ReplaceAllString(b.String(), `$1\$2`)
}

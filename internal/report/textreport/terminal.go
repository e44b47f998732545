package textreport

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"mendel/internal/dossier"
	"mendel/internal/report"
)

// TextOptions say how to write for a terminal.
type TextOptions struct {
	Color bool // with ANSI escapes
	Width int  // of the terminal in columns; 0: it is none
}

// Text writes a dossier for a terminal. Of source and messages no control
// character gets there.
func Text(w io.Writer, d *dossier.Dossier, o TextOptions) error {
	t := &terminal{TextOptions: o}
	render(t, d)
	return t.end(w)
}

// ANSI escapes.
const (
	reset = "\x1b[0m"
	bold  = "\x1b[1m"
	cyan  = "\x1b[36m"
)

// widest is the most columns in which prose is easily read.
const widest = 100

// A terminal is a text being written.
type terminal struct {
	TextOptions
	b     strings.Builder
	drawn bool  // last was a diff or an execution, from which prose keeps off
	err   error // the first of drawing
}

func (t *terminal) end(w io.Writer) error {
	if t.err != nil {
		return t.err
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

// prose is where prose is wrapped.
func (t *terminal) prose() int {
	if t.Width <= 0 {
		return report.ProseWidth
	}
	return min(max(t.Width, 40), widest)
}

// gap leaves a line empty, unless nothing is there yet.
func (t *terminal) gap() {
	if t.b.Len() > 0 {
		t.b.WriteByte('\n')
	}
	t.drawn = false
}

// styled puts text into a style if colours are wanted.
func (t *terminal) styled(style, text string) string {
	if !t.Color {
		return text
	}
	return style + text + reset
}

// wrapped breaks prose into lines.
func (t *terminal) wrapped(text prose, first, indent string) string {
	lines := report.Wrap(bare(text), t.prose(), first, indent)
	if !t.Color {
		return lines
	}
	// Colours take no columns: they are put in after wrapping, code by code.
	var b strings.Builder
	rest := lines
	spans(text, func(s string, isCode bool) {
		if !isCode || strings.ContainsAny(s, " ") {
			return // what may be broken stays as it is
		}
		if before, after, found := strings.Cut(rest, s); found {
			b.WriteString(before + cyan + s + reset)
			rest = after
		}
	})
	return b.String() + rest
}

// bare is prose without its marks.
func bare(text prose) string {
	return strings.NewReplacer(string(codeBegins), "", string(codeEnds), "").Replace(string(text))
}

func (t *terminal) heading(level int, text prose) {
	t.gap()
	longest := 4
	for line := range strings.Lines(report.Wrap(bare(text), t.prose(), "", "")) {
		line = strings.TrimSuffix(line, "\n")
		longest = max(longest, utf8.RuneCountInString(line))
		t.b.WriteString(t.styled(bold, line) + "\n")
	}
	if level == 2 {
		t.b.WriteString(strings.Repeat("─", min(longest, t.prose())) + "\n")
	}
}

func (t *terminal) paragraph(text prose) {
	if t.drawn {
		t.gap()
	}
	t.b.WriteString(t.wrapped(text, "", ""))
}

func (t *terminal) list(items []prose) {
	for _, item := range items {
		t.b.WriteString(t.wrapped(item, "  • ", "    "))
	}
}

// table writes each row as a list of its cells: they hold sentences, for which
// columns would be too narrow.
func (t *terminal) table(head []string, rows [][]prose) {
	widths := make([]int, len(head))
	for c, name := range head {
		widths[c] = utf8.RuneCountInString(name)
		for _, row := range rows {
			widths[c] = max(widths[c], utf8.RuneCountInString(bare(row[c])))
		}
	}
	total := 2 * len(head)
	for _, n := range widths {
		total += n
	}
	if total > max(t.Width, report.ProseWidth) {
		for _, row := range rows {
			t.b.WriteString(t.wrapped(row[0], "  • ", "    "))
			for c := 1; c < len(row); c++ {
				t.b.WriteString(t.wrapped(prose(head[c])+": "+row[c], "    ", "      "))
			}
		}
		return
	}
	line := func(cell func(c int) string) {
		var b strings.Builder
		for c := range head {
			fmt.Fprintf(&b, "  %-*s", widths[c], cell(c))
		}
		t.b.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	}
	line(func(c int) string { return head[c] })
	for _, row := range rows {
		line(func(c int) string { return bare(row[c]) })
	}
}

func (t *terminal) patch(f *dossier.Fix) {
	t.gap()
	var notes []report.Note
	for _, e := range f.Edits {
		n := report.Note{File: e.File, Line: e.Line, Text: []string{bare(say("# line %d: %s", e.Line, orElse(e.Words, e.Operator)))}}
		if e.Note != "" {
			n.Text = append(n.Text, bare(say("#   %s", e.Note)))
		}
		notes = append(notes, n)
	}
	t.keep(report.Annotate(&t.b, report.ChangesOf(f), notes, t.Color))
	t.drawn = true
}

func (t *terminal) diff(text string) {
	t.gap()
	for line := range strings.Lines(report.VisibleText(text)) {
		line = strings.TrimSuffix(line, "\n")
		style := ""
		switch {
		case strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "--- "):
			style = bold
		case strings.HasPrefix(line, "@@"):
			style = cyan
		case strings.HasPrefix(line, "+"):
			style = "\x1b[32m"
		case strings.HasPrefix(line, "-"):
			style = "\x1b[31m"
		}
		if style != "" {
			line = t.styled(style, line)
		}
		t.b.WriteString(line + "\n")
	}
	t.drawn = true
}

func (t *terminal) lanes(trace *dossier.Trace) {
	t.gap()
	t.keep(report.Table(&t.b, trace, t.Width, t.Color))
	t.drawn = true
}

func (t *terminal) aside(title prose, f func()) {
	t.heading(3, title)
	f()
}

// keep keeps the first error.
func (t *terminal) keep(err error) {
	if t.err == nil {
		t.err = err
	}
}

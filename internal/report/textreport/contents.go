package paper

import (
	"io"

	"mendel/internal/report"
)

// MarkdownContents writes what became of several packages as a page that stands
// before the reports of each.
func MarkdownContents(w io.Writer, members []report.Member) error {
	m := &markdown{}
	tellContents(m, members)
	return m.end(w)
}

// TextContents writes the same for a terminal.
func TextContents(w io.Writer, members []report.Member, o TextOptions) error {
	t := &terminal{TextOptions: o}
	tellContents(t, members)
	return t.end(w)
}

func tellContents(m medium, members []report.Member) {
	failed, fixed := 0, 0
	for _, p := range members {
		if len(p.Failures) > 0 {
			failed++
		}
		if p.Fixed {
			fixed++
		}
	}
	m.heading(1, say("Mendel: %s, %d failed, %d fixed", report.Count(len(members), "package"), failed, fixed))
	rows := make([][]prose, len(members))
	for i, p := range members {
		rows[i] = []prose{say("%s", code(p.Name)), say("%s", p.Status), say("%s", p.Failure()), file(p.Patch), file(p.Report), say("%s", clock(p.Seconds))}
	}
	m.table([]string{"Package", "Status", "Failure", "Patch", "Report", "Time"}, rows)
}

// file is the name of a file, or a dash for none.
func file(name string) prose {
	if name == "" {
		return "–"
	}
	return say("%s", code(name))
}

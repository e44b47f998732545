package textreport

import (
	"io"

	"mendel/internal/report"
)

// MarkdownContents writes what became of several packages as a page that stands
// before the reports of each.
func MarkdownContents(w io.Writer, packages []report.PackageOutcome, combined []report.CombinedPatch) error {
	m := &markdown{}
	renderContents(m, packages, combined)
	return m.end(w)
}

// TextContents writes the same for a terminal.
func TextContents(w io.Writer, packages []report.PackageOutcome, combined []report.CombinedPatch, o TextOptions) error {
	t := &terminal{TextOptions: o}
	renderContents(t, packages, combined)
	return t.end(w)
}

func renderContents(r renderer, packages []report.PackageOutcome, combined []report.CombinedPatch) {
	failed, fixed := 0, 0
	for _, p := range packages {
		if len(p.Failures) > 0 {
			failed++
		}
		if p.Fixed {
			fixed++
		}
	}
	r.heading(1, say("Mendel: %s, %d failed, %d fixed", report.Count(len(packages), "package"), failed, fixed))
	rows := make([][]prose, len(packages))
	for i, p := range packages {
		rows[i] = []prose{say("%s", code(p.Name)), say("%s", p.State()), say("%s", p.Headline()), file(p.Patch), file(p.Report), say("%s", clock(p.Seconds))}
	}
	r.table([]string{"Package", "Status", "Failure", "Patch", "Report", "Time"}, rows)
	for _, c := range combined {
		if c.Patch != "" {
			r.paragraph(say("%s in this directory has the fixes of all packages; apply it with %s at the module's root. ",
				code(c.Patch), code("git apply")) + plain(report.Applies))
		}
		if c.Problem != "" {
			r.paragraph(sentence(c.Problem))
		}
	}
}

// file is the name of a file, or a dash for none.
func file(name string) prose {
	if name == "" {
		return "–"
	}
	return say("%s", code(name))
}

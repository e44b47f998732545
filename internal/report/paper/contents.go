package paper

import (
	"fmt"
	"io"

	"mendel/internal/report"
)

// A Member is a package of a repair of several.
type Member struct {
	Name     string   // directory in the module, or the like
	Fixed    bool     // it failed, and there is a fix
	Status   string   // in words
	Reason   string   // in words, when there is no fix
	Failures []string // messages, most telling first
	Patch    string   // file, "" if there is none
	Report   string   // file, "" if there is none
	Seconds  float64  // that its repair has taken
}

// MarkdownContents writes what became of several packages as a page that stands
// before the reports of each.
func MarkdownContents(w io.Writer, members []Member) error {
	m := &markdown{}
	tellContents(m, members)
	return m.end(w)
}

// TextContents writes the same for a terminal.
func TextContents(w io.Writer, members []Member, o TextOptions) error {
	t := &terminal{TextOptions: o}
	tellContents(t, members)
	return t.end(w)
}

func tellContents(m medium, members []Member) {
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
		rows[i] = []prose{say("%s", code(p.Name)), say("%s", p.Status), say("%s", p.failure()), file(p.Patch), file(p.Report), say("%s", clock(p.Seconds))}
	}
	m.table([]string{"Package", "Status", "Failure", "Patch", "Report", "Time"}, rows)
}

// failure is the most telling failure of a package, or why there is none, or no fix.
func (p Member) failure() string {
	switch n := len(p.Failures); n {
	case 0:
		return p.Reason
	case 1:
		return p.Failures[0]
	default:
		return fmt.Sprintf("%s, and %d more", p.Failures[0], n-1)
	}
}

// file is the name of a file, or a dash for none.
func file(name string) prose {
	if name == "" {
		return "–"
	}
	return say("%s", code(name))
}

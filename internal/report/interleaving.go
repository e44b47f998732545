package report

import (
	"fmt"
	"io"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker/sched"
)

// InterleavingOptions say which execution to show and how. The zero value of
// what only concerns the look is a default.
type InterleavingOptions struct {
	Kind       evidence.Kind // of the failure
	Goroutines []string      // names by ID, as package sched gives them: "main", "file.go:12#1"
	Trace      []sched.Event // the steps in order; empty: only the places are shown
	Places     []sched.Place // of the failure
	// Source returns the text of a source file, nil if it cannot be had; a nil
	// function has none.
	Source func(file string) []byte
	Width  int // of the output, in columns of a terminal; 0: 100
	Color  bool
}

const (
	defaultWidth = 100
	minWidth     = 40
	minCell      = 17 // columns of a cell below which source is not readable: guessed
	easyCell     = 24 // columns of a cell that is read with ease: guessed
	maxGutter    = 26
	gap          = 1 // columns between cells
)

// Interleaving writes an execution as a table: one column for each goroutine,
// one row for each step, in order of time.
//
// Rows hold the line of source that made the step, and the operation where the
// line does not show it. A long stretch of one goroutine is folded, except for
// its first and last steps, those that start a goroutine of the table, those
// that took the locks held in the failure, and the last ones on what goroutines
// are blocked at. Where not all goroutines fit, those of the failure and their
// creators are shown and the others listed in one line.
//
//	▶  first step after a switch to this goroutine
//	✗  one of the accesses of a race, the panic, the failed assertion
//	■  blocked for ever, on what, and with which locks held
//	│  the goroutine exists and stands still
//	⇒  starts that goroutine
func Interleaving(w io.Writer, o InterleavingOptions) error {
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	o.Width = max(o.Width, minWidth)
	var b strings.Builder
	s := &sources{read: o.Source}
	if len(o.Trace) == 0 {
		placesOnly(&b, o, s)
	} else {
		drawTable(&b, o, newTimeline(o), s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// placesOnly lists the places of a failure without a trace.
func placesOnly(b *strings.Builder, o InterleavingOptions, s *sources) {
	for _, p := range o.Places {
		text := oneLine(p.String())
		if p.Goroutine == "" {
			text = oneLine(fmt.Sprintf("%s:%d (%s)", p.File, p.Line, p.What))
		}
		b.WriteString(text + "\n")
		if line := s.line(p.File, p.Line); line != "" {
			b.WriteString("    " + clipRight(line, o.Width-4) + "\n")
		}
	}
}

// drawTable writes the table and what belongs below it.
func drawTable(b *strings.Builder, o InterleavingOptions, t *timeline, s *sources) {
	t.show(o.Width - t.gutter())
	rows := compose(t, s)
	rows = collapse(rows)
	rows = shorten(rows)
	l := newLayout(o, t, rows)
	l.header(b)
	for i := range rows {
		l.row(b, t, &rows[i])
	}
	b.WriteString("\n")
	for _, line := range footnotes(t, rows) {
		b.WriteString(l.paint(dim, strings.TrimSuffix(wrap(line, o.Width, "", "  "), "\n")) + "\n")
	}
}

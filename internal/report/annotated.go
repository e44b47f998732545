package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/mutate"
)

// The ANSI escapes of the annotated diff.
const (
	plain  = "\x1b[0m"
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
)

// A painter colours text, or does not.
type painter bool

func (p painter) paint(color, text string) string {
	if !p || text == "" {
		return text
	}
	return color + text + plain
}

// Annotated writes a diff for the terminal: each hunk under notes of the edits
// that made it. With color it uses ANSI escapes.
func Annotated(w io.Writer, changes []Change, edits []mutate.Edit, color bool) error {
	return annotate(w, changes, color, func(hs []hunk, c Change) [][]note { return notes(hs, c, edits) })
}

// A Note stands above a hunk: the one that holds its line or, when the change
// that it explains lies elsewhere, the nearest.
type Note struct {
	File string   // module-relative, slash-separated
	Line int      // of the original
	Text []string // its lines
}

// Annotate is Annotated with notes that are there already.
func Annotate(w io.Writer, changes []Change, given []Note, color bool) error {
	return annotate(w, changes, color, func(hs []hunk, c Change) [][]note {
		above := make([][]note, len(hs))
		for _, g := range given {
			if g.File == c.Path {
				at := nearest(hs, g.Line)
				above[at] = append(above[at], note{g.Line, g.Text})
			}
		}
		return above
	})
}

func annotate(w io.Writer, changes []Change, color bool, notes func([]hunk, Change) [][]note) error {
	var b bytes.Buffer
	p := painter(color)
	for _, c := range changes {
		hs := hunks(c)
		if len(hs) == 0 {
			continue
		}
		before, after := header(c)
		fmt.Fprintln(&b, p.paint(bold, "--- "+before))
		fmt.Fprintln(&b, p.paint(bold, "+++ "+after))
		above := notes(hs, c)
		for i, h := range hs {
			fmt.Fprintln(&b, p.paint(cyan, h.header()))
			for _, n := range above[i] {
				for _, l := range n.lines {
					fmt.Fprintln(&b, p.paint(yellow, l))
				}
			}
			for _, l := range h.lines {
				b.WriteString(diffLine(p, l))
			}
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// A note stands above a hunk.
type note struct {
	line  int // of the original
	lines []string
}

// noteOf says what an edit does and why. The reasons against a fix are those of
// the whole, in the summary: one edit may make up for another.
func noteOf(e mutate.Edit) note {
	n := note{e.Line, []string{fmt.Sprintf("# line %d: %s", e.Line, oneLine(editWords(e)))}}
	if e.Note != "" {
		n.lines = append(n.lines, "#   "+oneLine(e.Note))
	}
	return n
}

func diffLine(p painter, l line) string {
	color := ""
	switch l.sign {
	case '+':
		color = green
	case '-':
		color = red
	}
	text := string(l.sign) + Visible(strings.TrimSuffix(l.text, "\r"))
	if color != "" {
		text = p.paint(color, text)
	}
	text += "\n"
	if !l.newline {
		text += "\\ No newline at end of file\n"
	}
	return text
}

// notes gives each hunk the notes that concern it. An edit belongs to the hunk
// that holds its line or, when its change lies elsewhere in the function, to
// the nearest one; a new lock is also noted where it is declared.
func notes(hunks []hunk, c Change, edits []mutate.Edit) [][]note {
	out := make([][]note, len(hunks))
	declared := map[analysis.NewLock]bool{}
	for _, e := range edits {
		at := -1
		if e.File == c.Path {
			at = nearest(hunks, e.Line)
			out[at] = append(out[at], noteOf(e))
		}
		if e.Lock == nil || e.Lock.New == nil || e.Lock.New.File != c.Path || declared[*e.Lock.New] {
			continue
		}
		lock := *e.Lock.New
		declared[lock] = true
		line := 1 + bytes.Count(c.Before[:min(max(lock.Offset, 0), len(c.Before))], []byte("\n"))
		if h := nearest(hunks, line); h != at {
			out[h] = append(out[h], note{line, []string{fmt.Sprintf("# line %d: declares %s", line, lock.Name)}})
		}
	}
	for _, n := range out {
		slices.SortStableFunc(n, func(a, b note) int { return a.line - b.line })
	}
	return out
}

// nearest is the index of the hunk nearest to a line of the original.
func nearest(hunks []hunk, line int) int {
	at := 0
	for i := range hunks {
		if hunks[i].distance(line) < hunks[at].distance(line) {
			at = i
		}
	}
	return at
}

// distance is how many lines of the original lie between a line and the hunk; 0 inside.
func (h hunk) distance(line int) int {
	return max(h.oldLine-line, line-(h.oldLine+h.oldCount-1), 0)
}

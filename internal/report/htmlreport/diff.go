package htmlreport

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"mendel/internal/dossier"
)

const (
	contextLines = 3  // unchanged ones that a hunk shows on each side
	foldedLines  = 60 // that a fold holds at each of its ends; it counts the others: guessed
)

// A comparison is a file before and after, side by side.
type comparison struct {
	Path           string
	Added, Removed int // lines
	Parts          []part
}

// A part is a hunk or a stretch of unchanged lines between hunks, which is
// folded.
type part struct {
	Fold   int // unchanged lines; 0: a hunk
	Hidden int // of these, that are not even in the fold, between its two blocks
	Blocks []block
	Notes  []note
	from   int // first line of the original
	to     int // and the one after the last
}

// A block is a run of lines that are all unchanged or all changed.
type block struct {
	Changed  bool
	Old, New []line
}

// A line of one side.
type line struct {
	Number int
	Spans  []span
	// NoNewline: the file ends here, without a line end.
	NoNewline bool
}

// A side is a file's text, by line.
type side struct {
	lines     [][]span
	noNewline bool // behind the last
}

func newSide(name, text string) side {
	return side{lines(name, text), text != "" && !strings.HasSuffix(text, "\n")}
}

// line is one of the side's lines, by its number from 1.
func (s side) line(n int) line {
	return line{n, s.lines[n-1], s.noNewline && n == len(s.lines)}
}

// compare sets the two sides of a file beside each other.
func compare(f dossier.File) comparison {
	before, after := unixEnds(f.Before, f.After)
	old, new := newSide(f.Path, before), newSide(f.Path, after)
	c := comparison{Path: f.Path}
	u, err := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), contextLines)
	if err != nil {
		// Lines returns consistent edits for any two texts.
		panic("htmlreport: inconsistent diff: " + err.Error())
	}
	next, more := 1, 0 // first line of the original not shown, and how many more lines the new side has above
	for _, h := range u.Hunks {
		c.fold(old, new, next, h.FromLine, more)
		p := part{from: h.FromLine}
		next, more = p.hunk(h.Lines, old, new, h.FromLine, more)
		p.to = next
		c.Parts = append(c.Parts, p)
		for _, b := range p.Blocks {
			if b.Changed {
				c.Added, c.Removed = c.Added+len(b.New), c.Removed+len(b.Old)
			}
		}
	}
	c.fold(old, new, next, len(old.lines)+1, more)
	return c
}

// hunk fills the blocks of a hunk. It returns the line of the original behind
// it, and how many more lines the new side has up to there.
func (p *part) hunk(lines []udiff.Line, old, new side, from, more int) (next, moreThen int) {
	o, n := from, from+more
	for _, l := range lines {
		changed := l.Kind != udiff.Equal
		if len(p.Blocks) == 0 || p.Blocks[len(p.Blocks)-1].Changed != changed {
			p.Blocks = append(p.Blocks, block{Changed: changed})
		}
		b := &p.Blocks[len(p.Blocks)-1]
		if l.Kind != udiff.Insert {
			b.Old = append(b.Old, old.line(o))
			o++
		}
		if l.Kind != udiff.Delete {
			b.New = append(b.New, new.line(n))
			n++
		}
	}
	for i := range p.Blocks {
		p.Blocks[i].finish()
	}
	return o, n - o
}

// finish marks what changed within the lines of a block, and clips long ones.
func (b *block) finish() {
	if b.Changed {
		for i := range min(len(b.Old), len(b.New)) {
			b.Old[i].Spans, b.New[i].Spans = emphasise(b.Old[i].Spans, b.New[i].Spans)
		}
	}
	for _, side := range [][]line{b.Old, b.New} {
		for i := range side {
			side[i].Spans = clipped(side[i].Spans)
		}
	}
}

// fold adds the unchanged lines of the original from one line up to another,
// which the new side has as well, that many lines further down.
func (c *comparison) fold(old, new side, from, to, more int) {
	if from >= to {
		return
	}
	p := part{Fold: to - from, from: from, to: to}
	add := func(from, to int) {
		var b block
		for n := from; n < to; n++ {
			b.Old, b.New = append(b.Old, old.line(n)), append(b.New, new.line(n+more))
		}
		b.finish()
		p.Blocks = append(p.Blocks, b)
	}
	if p.Fold <= 2*foldedLines {
		add(from, to)
	} else {
		p.Hidden = p.Fold - 2*foldedLines
		add(from, from+foldedLines)
		add(to-foldedLines, to)
	}
	c.Parts = append(c.Parts, p)
}

// unixEnds leaves the carriage returns of line ends out if every line of both
// sides has one. Otherwise they are part of what is compared and shown.
func unixEnds(before, after string) (string, string) {
	all := func(s string) bool { return strings.Count(s, "\r\n") == strings.Count(s, "\n") }
	if !all(before) || !all(after) {
		return before, after
	}
	return strings.ReplaceAll(before, "\r\n", "\n"), strings.ReplaceAll(after, "\r\n", "\n")
}

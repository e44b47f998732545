package mutate

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
)

// print returns the source of an edited file.
//
// Where the original is not gofmt-ed, or where decorating and restoring it
// moves a comment, printing would touch lines that no edit is about. Then the
// lines that differ between the unedited and the edited tree, both printed,
// are carried over to the original text.
func (f *editedFile) print() ([]byte, error) {
	printed, err := printTree(f.root)
	if err != nil {
		return nil, err
	}
	original, err := f.tree.print()
	if err != nil {
		return nil, err
	}
	if bytes.Equal(original, f.tree.file.Source) {
		return printed, nil
	}
	if bytes.Equal(printed, original) {
		return f.tree.file.Source, nil
	}
	out, err := rebase(f.tree.file.Source, original, printed)
	if err != nil {
		return nil, err
	}
	if err := sameCode(out, printed); err != nil {
		return nil, err
	}
	return out, nil
}

// rebase applies the line changes between two texts to a third that differs
// from the first in layout and comments only.
func rebase(original, before, after []byte) ([]byte, error) {
	base, old := splitLines(string(original)), splitLines(string(before))
	at := align(old, base)
	eol := "\n"
	if len(base) > 0 && strings.HasSuffix(base[0], "\r\n") {
		eol = "\r\n"
	}
	var out strings.Builder
	next := 0 // line of base to copy from
	for _, h := range hunks(old, splitLines(string(after))) {
		from, to, err := mapRange(at, h.from, h.to)
		if err != nil {
			return nil, err
		}
		if from < next {
			return nil, errors.New("the layout around the edit is too unusual to keep")
		}
		for ; next < from; next++ {
			out.WriteString(base[next])
		}
		for _, line := range h.lines {
			out.WriteString(strings.TrimSuffix(line, "\n") + eol)
		}
		next = to
	}
	for ; next < len(base); next++ {
		out.WriteString(base[next])
	}
	return []byte(out.String()), nil
}

// mapRange maps the lines [from,to) by an alignment, which must be unbroken there.
func mapRange(at []int, from, to int) (int, int, error) {
	if from == to {
		switch {
		case from > 0 && at[from-1] >= 0:
			return at[from-1] + 1, at[from-1] + 1, nil
		case from < len(at) && at[from] >= 0:
			return at[from], at[from], nil
		}
		return 0, 0, errors.New("the layout around the edit is too unusual to keep")
	}
	for i := from; i < to; i++ {
		if at[i] < 0 || at[i] != at[from]+i-from {
			return 0, 0, errors.New("the layout around the edit is too unusual to keep")
		}
	}
	return at[from], at[to-1] + 1, nil
}

// align finds for each line of a the line of b that it equals but for white
// space, in order; -1 where there is none.
func align(a, b []string) []int {
	at := make([]int, len(a))
	i, j := 0, 0
	equal := func(to int) {
		for ; i < to; i, j = i+1, j+1 {
			at[i] = j
		}
	}
	for _, h := range hunks(squeeze(a), squeeze(b)) {
		equal(h.from)
		for ; i < h.to; i++ {
			at[i] = -1
		}
		j += len(h.lines)
	}
	equal(len(a))
	return at
}

// squeeze takes the white space, and a semicolon at the end, out of lines.
func squeeze(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimSuffix(strings.Join(strings.Fields(line), ""), ";") + "\n"
	}
	return out
}

// A hunk replaces the lines [from,to) of one text by lines of another.
type hunk struct {
	from, to int
	lines    []string
}

// hunks finds the line changes that lead from a to b, in order. Each line
// ends in a newline.
func hunks(a, b []string) []hunk {
	before := strings.Join(a, "")
	starts := make(map[int]int, len(a)+1) // line number by offset
	offset := 0
	for i, line := range a {
		starts[offset] = i
		offset += len(line)
	}
	starts[offset] = len(a)
	var out []hunk
	for _, e := range udiff.Lines(before, strings.Join(b, "")) {
		out = append(out, hunk{from: starts[e.Start], to: starts[e.End], lines: splitLines(e.New)})
	}
	return out
}

// splitLines splits a text behind its newlines; a last line without one gets one.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	last := len(lines) - 1
	if lines[last] == "" {
		return lines[:last]
	}
	lines[last] += "\n"
	return lines
}

// sameCode reports whether two sources are the same but for comments and layout.
func sameCode(a, b []byte) error {
	bare := func(src []byte) ([]byte, error) {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		if err := format.Node(&out, fset, f); err != nil {
			return nil, err
		}
		// Blank lines and aligned columns are layout.
		return []byte(strings.Join(squeeze(nonBlank(out.String())), "")), nil
	}
	x, err := bare(a)
	if err != nil {
		return fmt.Errorf("keeping the original's layout: %w", err)
	}
	y, err := bare(b)
	if err != nil {
		return err
	}
	if !bytes.Equal(x, y) {
		return errors.New("the layout around the edit is too unusual to keep")
	}
	return nil
}

func nonBlank(text string) []string {
	var out []string
	for _, line := range splitLines(text) {
		if strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}

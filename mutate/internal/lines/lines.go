package lines

import (
	"errors"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
)

// Rebase applies the line changes between two texts to a third that differs
// from the first in layout and comments only.
func Rebase(original, before, after []byte) ([]byte, error) {
	base, old := split(string(original)), split(string(before))
	at := align(old, base)
	eol := "\n"
	if len(base) > 0 && strings.HasSuffix(base[0], "\r\n") {
		eol = "\r\n"
	}
	var out strings.Builder
	next := 0 // line of base to copy from
	for _, h := range between(old, split(string(after))) {
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
	for _, h := range between(squeeze(a), squeeze(b)) {
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

// between finds the line changes that lead from a to b, in order. Each line
// ends in a newline.
func between(a, b []string) []hunk {
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
		out = append(out, hunk{from: starts[e.Start], to: starts[e.End], lines: split(e.New)})
	}
	return out
}

// split splits a text behind its newlines; a last line without one gets one.
func split(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	last := len(lines) - 1
	if lines[last] == "" {
		return lines[:last]
	}
	lines[last] += "\n"
	return lines
}

// Changed is where texts differ: for each change the lines [from,to) of the first, counted from 0.
func Changed(before, after []byte) (changes [][2]int) {
	for _, h := range between(split(string(before)), split(string(after))) {
		changes = append(changes, [2]int{h.from, h.to})
	}
	return changes
}

// Squeezed is a text without its white space, so that layout does not tell it from another one.
func Squeezed(text string) string {
	var full []string
	for _, line := range split(text) {
		if strings.TrimSpace(line) != "" {
			full = append(full, line)
		}
	}
	return strings.Join(squeeze(full), "")
}

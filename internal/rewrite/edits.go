package rewrite

import (
	"bytes"
	"slices"
)

// Edits are replacements in a text.
type Edits struct {
	Text  []byte
	parts []part
}

type part struct {
	from, to int
	text     string
}

// Len is how many replacements there are.
func (e *Edits) Len() int { return len(e.parts) }

// Replace replaces what is between two offsets; equal ones are an insertion. Replacements
// must not overlap. Insertions at one place stay in the order in which they are made.
func (e *Edits) Replace(from, to int, text string) {
	e.parts = append(e.parts, part{from, to, text})
}

// At reports whether a replacement begins at an offset.
func (e *Edits) At(offset int) bool {
	return slices.ContainsFunc(e.parts, func(p part) bool { return p.from == offset })
}

// Apply is the text with all replacements made.
func (e *Edits) Apply() []byte {
	slices.SortStableFunc(e.parts, func(a, b part) int { return a.from - b.from })
	var b bytes.Buffer
	last := 0
	for _, p := range e.parts {
		b.Write(e.Text[last:p.from])
		b.WriteString(p.text)
		last = p.to
	}
	b.Write(e.Text[last:])
	return b.Bytes()
}

package rewrite

import (
	"bytes"
	"cmp"
	"slices"
)

// Edits are replacements in a text.
type Edits struct {
	Text  []byte
	parts []part
}

// A part replaces what is between two offsets.
type part struct {
	from, to int
	text     string
	role     role
	other    int // the other end of what is begun or ended
}

// A role is what a part is to others at its offset, in their order there.
type role int

const (
	ends     role = iota // the end of a stretch
	inserted             // an insertion
	begins               // the beginning of a stretch
	replaced             // a replacement
)

// Len is how many replacements there are.
func (e *Edits) Len() int { return len(e.parts) }

// Replace replaces what is between two offsets; equal ones are an insertion. Replacements
// must not overlap. Insertions at one place stay in the order in which they are made.
func (e *Edits) Replace(from, to int, text string) {
	r := replaced
	if from == to {
		r = inserted
	}
	e.parts = append(e.parts, part{from: from, to: to, text: text, role: r})
}

// Begin inserts what begins a stretch of the text that ends at an offset, End what ends
// one that begins there. Stretches are nested by their length, whatever the order in which
// they are given; of equal ones the first is the outermost.
func (e *Edits) Begin(at, end int, text string) {
	e.parts = append(e.parts, part{from: at, to: at, text: text, role: begins, other: end})
}

// End is the counterpart of Begin.
func (e *Edits) End(at, beginning int, text string) {
	e.parts = append(e.parts, part{from: at, to: at, text: text, role: ends, other: beginning})
}

// At reports whether a replacement begins at an offset.
func (e *Edits) At(offset int) bool {
	return slices.ContainsFunc(e.parts, func(p part) bool { return p.from == offset })
}

// Apply is the text with all replacements made.
func (e *Edits) Apply() []byte {
	var b bytes.Buffer
	last := 0
	for _, p := range e.ordered() {
		b.Write(e.Text[last:p.from])
		b.WriteString(p.text)
		last = p.to
	}
	b.Write(e.Text[last:])
	return b.Bytes()
}

// ordered are the parts in the order of the text.
func (e *Edits) ordered() []part {
	order := make([]int, len(e.parts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := e.parts[i], e.parts[j]
		if c := cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.role, b.role), cmp.Compare(b.other, a.other)); c != 0 {
			return c
		}
		if a.role == ends {
			return j - i
		}
		return i - j
	})
	parts := make([]part, len(order))
	for n, i := range order {
		parts[n] = e.parts[i]
	}
	return parts
}

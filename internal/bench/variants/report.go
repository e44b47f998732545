package variants

import (
	"fmt"
	"io"
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"mendel/internal/bench/tables"
	"mendel/mutate"
)

// A report is the outcome of the command, as saved in variants.json.
type report struct {
	tables.Machine
	Mendel   string `json:"mendel"` // hash of the source that compared
	Seed     uint64 `json:"seed"`
	Programs []*row `json:"programs"`
}

// A row is what was compared of one program.
type row struct {
	Program       string       `json:"program"`
	Mutants       int          `json:"mutants"`
	Variants      int          `json:"variants"`       // of Mutants, in one executable for the checker
	Compared      int          `json:"compared"`       // by the checker
	Unstable      int          `json:"unstable"`       // that the checker does not report twice in the same words
	NoiseVariants int          `json:"noise_variants"` // of Mutants, in one executable for noise, and compared
	Skipped       string       `json:"skipped,omitempty"`
	Differ        []difference `json:"differ,omitempty"`
}

// A difference is what a mutant built with others says otherwise than built alone.
type difference struct {
	Mutant string `json:"mutant"` // its edits
	By     string `json:"by"`     // who found it
	Diff   string `json:"diff"`   // the lines that are told alone (-) and together (+), each once
}

// differ notes a difference.
func (r *row) differ(m *mutate.Mutant, by, alone, together string) {
	r.Differ = append(r.Differ, difference{describe(m), by, changed(alone, together)})
}

// mostChanged is how many lines of a difference are kept.
const mostChanged = 40

// changed are the lines that one of two texts has, each once.
func changed(alone, together string) string {
	var lines []string
	for line := range strings.Lines(udiff.Unified("", "", alone, together)) {
		line = line[:1] + strings.TrimSpace(line[1:])
		if strings.ContainsAny(line[:1], "+-") && !strings.HasPrefix(line, line[:1]+line[:1]) && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if len(lines) > mostChanged {
		lines = append(lines[:mostChanged], "...")
	}
	return strings.Join(lines, "\n")
}

// line says in a line what was compared.
func (r *row) line() string {
	text := fmt.Sprintf("%d mutants, %d variants, %d compared; %d by noise; %d differ", r.Mutants, r.Variants, r.Compared, r.NoiseVariants, len(r.Differ))
	if r.Unstable > 0 {
		text += fmt.Sprintf("; %d not repeatable", r.Unstable)
	}
	if r.Skipped != "" {
		text += "; left out: " + r.Skipped
	}
	return text
}

// Failures implements tables.Document: nothing may differ.
func (r *report) Failures() (all []string) {
	for _, p := range r.Programs {
		for _, d := range p.Differ {
			all = append(all, fmt.Sprintf("%s: %s (%s):\n%s", p.Program, d.Mutant, d.By, d.Diff))
		}
	}
	return all
}

// Write implements tables.Document.
func (r *report) Write(w io.Writer, markdown bool) error {
	var sum row
	t := &tables.Table{Header: []string{"program", "mutants", "variants", "compared", "not repeatable", "by noise", "differ", "left out"}}
	for _, p := range r.Programs {
		t.Add(p.Program, p.Mutants, p.Variants, p.Compared, p.Unstable, p.NoiseVariants, len(p.Differ), p.Skipped)
		sum.Mutants, sum.Variants, sum.Compared = sum.Mutants+p.Mutants, sum.Variants+p.Variants, sum.Compared+p.Compared
		sum.Unstable, sum.NoiseVariants = sum.Unstable+p.Unstable, sum.NoiseVariants+p.NoiseVariants
		sum.Differ = append(sum.Differ, p.Differ...)
	}
	fmt.Fprintf(w, "%s; seed %d; Mendel's source %s.\n\n%d programs: %s.\n\n", r.Machine, r.Seed, r.Mendel, len(r.Programs), sum.line())
	return t.Render(w, markdown)
}

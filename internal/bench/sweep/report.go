package sweep

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"mendel/internal/bench/enumeration"
	"mendel/internal/bench/tables"
	"mendel/mutate"
)

// A report is the outcome of the sweep command, as saved in sweep.json.
type report struct {
	tables.Machine
	Breadth  enumeration.Breadth `json:"breadth"`
	Seed     uint64              `json:"seed"`
	Programs []*program          `json:"programs"`
}

// A program is what came of one program. Times are seconds of the processor,
// memory is in bytes.
type program struct {
	Name  string  `json:"name"`
	Load  float64 `json:"load"` // with the go command that lists and compiles
	Apply float64 `json:"apply"`
	Peak  int64   `json:"peak"` // resident memory until all edits were enumerated
	*enumeration.Measurement

	Built   int            `json:"built"`   // mutants that type-check
	Refused map[string]int `json:"refused"` // by operator and reason
	// Uncompiled are mutants that do not type-check, Panics those of operators.
	Uncompiled []string `json:"uncompiled,omitempty"`
	Panics     []string `json:"panics,omitempty"`

	mu sync.Mutex
}

func newProgram(name string) *program { return &program{Name: name, Refused: make(map[string]int)} }

func (p *program) count(add func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	add()
}

// panicked notes a panic with the place in Mendel that it comes from.
func (p *program) panicked(f mutate.Panic) {
	p.count(func() { p.Panics = append(p.Panics, fmt.Sprintf("%s: %s\n%s", p.Name, f, f.Stack)) })
}

// refuse notes a mutant that was refused.
func (p *program) refuse(e mutate.Edit, why *mutate.Refusal) {
	p.count(func() {
		if strings.HasPrefix(why.Reason, "does not type-check") {
			p.Uncompiled = append(p.Uncompiled, fmt.Sprintf("%s: %s:%d: %s %s: %s", p.Name, e.File, e.Line, e.Operator, e.Form, why.Reason))
			return
		}
		p.Refused[e.Operator+": "+shape(why.Reason)]++
	})
}

// Failures implements document.
func (r *report) Failures() []string {
	var failures []string
	for _, p := range r.Programs {
		slices.Sort(p.Uncompiled)
		slices.Sort(p.Panics)
		failures = append(append(failures, p.Panics...), p.Uncompiled...)
	}
	return failures
}

// Write implements document.
func (r *report) Write(w io.Writer, markdown bool) error {
	if _, err := fmt.Fprintf(w, "%s; %s counts as used concurrently; seed %d. Seconds are of the processor.\n\n", r.Machine, r.breadth(), r.Seed); err != nil {
		return err
	}
	if err := r.programs().Render(w, markdown); err != nil {
		return err
	}
	if t := r.refusals(); len(t.Rows) > 0 {
		fmt.Fprint(w, "\nRefused:\n\n")
		return t.Render(w, markdown)
	}
	return nil
}

func (r *report) breadth() string {
	if r.Breadth == enumeration.Static {
		return "what the static analysis finds"
	}
	return "everything"
}

func (r *report) programs() *tables.Table {
	t := &tables.Table{Header: []string{"program", "lines", "edits", "digest", "built", "refused", "not compiling", "panics", "load", "narrow", "enumerate", "extend", "rest", "apply", "MB"}}
	for _, p := range r.Programs {
		refused := 0
		for _, n := range p.Refused {
			refused += n
		}
		t.Add(p.Name, p.Lines, p.Edits, p.Digest, p.Built, refused, len(p.Uncompiled), len(p.Panics),
			seconds(p.Load), seconds(p.Narrow), seconds(p.Enumerate), seconds(p.Extend), seconds(p.Rest), seconds(p.Apply), p.Peak>>20)
	}
	return t
}

func seconds(s float64) string { return fmt.Sprintf("%.1f", s) }

// refusals counts the reasons, the most frequent first.
func (r *report) refusals() *tables.Table {
	counts := make(map[string]int)
	for _, p := range r.Programs {
		for why, n := range p.Refused {
			counts[why] += n
		}
	}
	reasons := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	t := &tables.Table{Header: []string{"operator", "times", "reason"}}
	for _, why := range reasons {
		operator, reason, _ := strings.Cut(why, ": ")
		t.Add(operator, counts[why], reason)
	}
	return t
}

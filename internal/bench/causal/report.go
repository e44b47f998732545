package causal

import (
	"fmt"
	"io"

	"mendel/internal/bench/tables"
)

// A report is the outcome of the command, as saved in causal.json.
type report struct {
	tables.Machine
	Mendel   string     `json:"mendel"` // hash of the source that measured
	Limit    string     `json:"limit"`  // of each search
	Programs []*outcome `json:"programs"`
}

// An outcome is what was measured of a program, by each of methods.
type outcome struct {
	program
	Found     []attempt `json:"found"`     // of the buggy program
	Exhausted []attempt `json:"exhausted"` // of the mended one
}

// An attempt is one search.
type attempt struct {
	Schedules int     `json:"schedules"` // up to the first failure, if it failed
	Failed    bool    `json:"failed,omitempty"`
	Complete  bool    `json:"complete,omitempty"` // nothing was left within the method's bound
	Classes   int     `json:"classes,omitempty"`
	Seconds   float64 `json:"seconds"`
	Verdict   string  `json:"verdict"`
}

// asked is for how many programs mcm may need no more schedules than RV-Causal did, of
// nine.
const asked = 8

// Failures implements tables.Document. A time-out of the thesis is no bound.
func (r *report) Failures() []string {
	var failures []string
	found, exhausted := 0, 0
	for _, p := range r.Programs {
		if len(p.Found) < len(methods) {
			failures = append(failures, p.Name+" is not measured")
			continue
		}
		for i, a := range p.Exhausted {
			if a.Failed {
				failures = append(failures, fmt.Sprintf("%s, mended, by %s: %s", p.Name, methods[i].name, a.Verdict))
			}
		}
		last := len(methods) - 1
		if a := p.Found[last]; a.Failed && a.Schedules <= p.Find.RVCausal {
			found++
		}
		if a, there := p.Exhausted[last], p.Exhaust.RVCausal; !a.Failed && (there == 0 || a.Complete && a.Schedules <= there) {
			exhausted++
		}
	}
	want := asked - max(0, 9-len(r.Programs))
	if found < want {
		failures = append(failures, fmt.Sprintf("mcm finds %d bugs with no more schedules than RV-Causal", found))
	}
	if exhausted < want {
		failures = append(failures, fmt.Sprintf("mcm exhausts %d programs with no more schedules than RV-Causal", exhausted))
	}
	return failures
}

// Write implements tables.Document.
func (r *report) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s; %s for each search; Mendel's source %s. A dash is a time-out.\n\nSchedules to find the bug:\n\n", r.Machine, r.Limit, r.Mendel)
	header := []string{"program"}
	for _, m := range methods {
		header = append(header, m.name)
	}
	header = append(header, "DFS there", "Chess there", "RV-Causal there")
	t := &tables.Table{Header: header}
	for _, p := range r.Programs {
		t.Add(p.Name)
		for _, a := range p.Found {
			t.Extend(words(a.Failed, a.Schedules))
		}
		t.Extend(p.Find.words()...)
	}
	if err := t.Render(w, markdown); err != nil {
		return err
	}
	fmt.Fprint(w, "\nSchedules to exhaust the mended program:\n\n")
	t = &tables.Table{Header: append(header, "classes")}
	for _, p := range r.Programs {
		t.Add(p.Name)
		classes := 0
		for _, a := range p.Exhausted {
			t.Extend(words(a.Complete, a.Schedules))
			classes = max(classes, a.Classes)
		}
		t.Extend(p.Exhaust.words()...)
		t.Extend(words(classes > 0, classes))
	}
	return t.Render(w, markdown)
}

// words are a number of schedules, "-" if there was a time-out.
func words(done bool, schedules int) string {
	if !done {
		return "-"
	}
	return fmt.Sprint(schedules)
}

func (c counts) words() []string {
	return []string{words(c.DFS > 0, c.DFS), words(c.Chess > 0, c.Chess), words(c.RVCausal > 0, c.RVCausal)}
}

package localize

import (
	"fmt"
	"io"
	"strings"

	"mendel/internal/bench/tables"
)

// What is asked of localisation.
const (
	mostMedian  = 0.0  // distance of CFLASH's variants
	mostFar     = 3    // of any of them
	mostSeconds = 20.0 // mean of these
	leastFirst  = 0.9  // share of CORE's subjects whose fault is among the first places
	firstPlaces = 3
)

// A report is the outcome, as saved in localize.json.
type report struct {
	tables.Machine
	Budget string `json:"budget"`
	Rows   []row  `json:"rows"`
}

// A row is one program.
type row struct {
	Set        string           `json:"set"`
	Program    string           `json:"program"`
	Variant    string           `json:"variant,omitempty"` // "correct", or the fault that was seeded
	Fault      map[string][]int `json:"fault,omitempty"`   // lines by file
	Status     string           `json:"status"`
	Name       string           `json:"name,omitempty"` // of the first fault
	Places     []string         `json:"places,omitempty"`
	Rank       int              `json:"rank"`       // of the first place in the fault; 0: none is
	Distance   int              `json:"distance"`   // from the first place to the fault, in statements; -1: there is none
	Statements int              `json:"statements"` // of its file
	Theirs     int              `json:"theirs"`     // CFLASH's distance; -1: none
	Seconds    float64          `json:"seconds"`
	Problem    string           `json:"problem,omitempty"`
}

func (r row) correct() bool { return r.Variant == "correct" }

// Failures implements tables.Document.
func (r *report) Failures() []string {
	var failures []string
	miss := func(format string, args ...any) { failures = append(failures, fmt.Sprintf(format, args...)) }
	var distances, seconds []float64
	subjects, first := 0, 0
	for _, w := range r.Rows {
		name := strings.TrimSpace(w.Program + " " + w.Variant)
		switch {
		case w.Problem != "":
			miss("%s: %s", name, w.Problem)
		case w.correct():
			if w.Status != "nothing-found" {
				miss("%s: %s, want nothing found", name, w.Status)
			}
		case w.Distance < 0:
			miss("%s: %s", name, w.Status)
		}
		switch {
		case w.Set == CoreSet:
			subjects++
			if w.Rank > 0 && w.Rank <= firstPlaces {
				first++
			}
		case !w.correct() && w.Distance >= 0:
			distances, seconds = append(distances, float64(w.Distance)), append(seconds, w.Seconds)
			if w.Distance > mostFar {
				miss("%s: %d statements from the fault, want at most %d", name, w.Distance, mostFar)
			}
		}
	}
	if m := tables.Median(distances); m > mostMedian {
		miss("the median distance is %.1f statements, want %.0f", m, mostMedian)
	}
	if len(seconds) > 0 && tables.Mean(seconds) > mostSeconds {
		miss("%.1f s on average, want at most %.0f", tables.Mean(seconds), mostSeconds)
	}
	if subjects > 0 && float64(first) < leastFirst*float64(subjects) {
		miss("the fault is among the first %d places in %d of %d subjects, want %.0f %%", firstPlaces, first, subjects, 100*leastFirst)
	}
	return failures
}

// Write implements tables.Document.
func (r *report) Write(w io.Writer, markdown bool) error {
	t := &tables.Table{Header: []string{"program", "variant", "found", "first places", "rank of the fault", "distance", "CFLASH's", "seconds"}}
	for _, p := range r.Rows {
		found := p.Name
		if found == "" {
			found = p.Status + p.Problem
		}
		t.Add(p.Program, p.Variant, found, strings.Join(p.Places[:min(firstPlaces, len(p.Places))], " "), number(p.Rank-1, 1), number(p.Distance, 0), number(p.Theirs, 0), fmt.Sprintf("%.1f", p.Seconds))
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", r.Machine); err != nil {
		return err
	}
	return t.Render(w, markdown)
}

// number is n and something, "-" below 0.
func number(n, and int) string {
	if n < 0 {
		return "-"
	}
	return fmt.Sprint(n + and)
}

package capp

import (
	"fmt"
	"io"

	"mendel/internal/bench/tables"
)

// A report is the outcome of the command, as saved in capp.json.
type report struct {
	tables.Machine
	Mendel  string   `json:"mendel"` // hash of the source that measured
	Limit   string   `json:"limit"`  // of each search
	Patches []*patch `json:"patches"`
}

// A patch is what was measured of one wrong patch.
type patch struct {
	Subject  string    `json:"subject"`
	Name     string    `json:"name"`
	Broken   bool      `json:"broken,omitempty"`   // it does not build
	Attempts []attempt `json:"attempts,omitempty"` // by mode, see modes; BASIC alone if that tells nothing
}

// An attempt is a search in one mode.
type attempt struct {
	Schedules int     `json:"schedules"` // of the test that failed, up to then; else of all tests
	Rejected  bool    `json:"rejected"`
	Seconds   float64 `json:"seconds"`
}

// Failures implements tables.Document: nothing is asked of the modes.
func (r *report) Failures() []string { return nil }

// Write implements tables.Document.
func (r *report) Write(w io.Writer, markdown bool) error {
	telling, first, passed := 0, 0, 0
	for _, p := range r.Patches {
		switch {
		case p.tells():
			telling++
		case p.Broken || len(p.Attempts) == 0:
		case p.Attempts[0].Rejected:
			first++
		default:
			passed++
		}
	}
	fmt.Fprintf(w, "%s; %s for each search; Mendel's source %s.\n\n", r.Machine, r.Limit, r.Mendel)
	fmt.Fprintf(w, "Of %d wrong patches the first schedule rejects %d, and %d are rejected by no schedule with up to 2 preemptions that BASIC makes. Of the other %d:\n\n", len(r.Patches), first, passed, telling)
	t := &tables.Table{Header: []string{"mode", "rejected", "schedules, median", "in all", "seconds in all", "fewer than BASIC", "more"}}
	for i, mode := range modes {
		var each []int
		sum, rejected, fewer, more, seconds := 0, 0, 0, 0, 0.0
		for _, p := range r.Patches {
			if !p.tells() {
				continue
			}
			a, basic := p.Attempts[i], p.Attempts[0]
			each, sum, seconds = append(each, a.Schedules), sum+a.Schedules, seconds+a.Seconds
			if a.Rejected {
				rejected++
			}
			if a.Rejected && a.Schedules < basic.Schedules {
				fewer++
			} else if !a.Rejected || a.Schedules > basic.Schedules {
				more++
			}
		}
		t.Add(mode, rejected, median(each), sum, fmt.Sprintf("%.1f", seconds), fewer, more)
	}
	if err := t.Render(w, markdown); err != nil {
		return err
	}
	fmt.Fprint(w, "\nSchedules by patch:\n\n")
	t = &tables.Table{Header: append([]string{"patch"}, modes...)}
	for _, p := range r.Patches {
		if !p.tells() {
			continue
		}
		t.Add(p.Subject + "/" + p.Name)
		for _, a := range p.Attempts {
			text := fmt.Sprint(a.Schedules)
			if !a.Rejected {
				text = "-"
			}
			t.Extend(text)
		}
	}
	return t.Render(w, markdown)
}

package maple

import (
	"fmt"
	"io"

	"mendel/internal/bench/exposure"
	"mendel/internal/bench/tables"
)

// A report is the outcome of the command, as saved in maple.json.
type report struct {
	tables.Machine
	Mendel   string     `json:"mendel"` // hash of the source that measured
	Seeds    int        `json:"seeds"`
	Limit    string     `json:"limit"`
	Runs     int        `json:"runs"` // of noise, or with delays, with one seed, at most
	Programs []*outcome `json:"programs"`
}

// An outcome is what was measured of a program.
type outcome struct {
	program
	Maple       exposure.Tries `json:"maple"`
	Noise       exposure.Tries `json:"noise"`
	Delay       exposure.Tries `json:"delay"` // the paper's RandDelay
	PCT         exposure.Tries `json:"pct"`
	PCTLarge    exposure.Tries `json:"pctlarge"`
	DFS         exposure.Tries `json:"dfs"`         // with two preemptions, as CHESS
	Plain       int            `json:"plain"`       // runs, if none fails
	PlainFailed int            `json:"plainFailed"` // the first plain run that failed; 0: none

	done bool
}

// Failures implements tables.Document: each bug is exposed with most seeds, within
// the runs that the paper needed.
func (r *report) Failures() []string {
	var failures []string
	for _, p := range r.Programs {
		switch m := p.Maple.Median(); {
		case !p.done:
			failures = append(failures, p.Name+" is not measured")
		case m == 0:
			failures = append(failures, fmt.Sprintf("%s: exposed with %d of %d seeds", p.Name, p.Maple.Exposed(), len(p.Maple)))
		case m > p.Profile+p.Forced:
			failures = append(failures, fmt.Sprintf("%s: %d runs, the paper needed %d", p.Name, m, p.Profile+p.Forced))
		case p.PlainFailed > 0:
			failures = append(failures, fmt.Sprintf("%s: plain run %d failed", p.Name, p.PlainFailed))
		}
	}
	return failures
}

// Write implements tables.Document.
func (r *report) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s; medians over %d seeds; %s at most for each method and seed, %d runs with noise or delays; Mendel's source %s.\n\n",
		r.Machine, r.Seeds, r.Limit, r.Runs, r.Mendel)
	t := &tables.Table{Header: []string{"program", "paper", "idiom", "runs there", "maple", "idiom forced", "noise", "delay", "pct", "pctlarge", "chess (dfs)", "plain runs"}}
	for _, p := range r.Programs {
		plain := fmt.Sprintf("%d pass", p.Plain)
		if p.PlainFailed > 0 {
			plain = fmt.Sprintf("run %d fails", p.PlainFailed)
		}
		t.Add(p.Name, p.Paper, p.Idiom, fmt.Sprintf("%d + %d", p.Profile, p.Forced), p.Maple.Words(), p.Maple.Idioms(),
			p.Noise.Words(), p.Delay.Words(), p.PCT.Words(), p.PCTLarge.Words(), p.DFS.Words(), plain)
	}
	if err := t.Render(w, markdown); err != nil {
		return err
	}
	fmt.Fprint(w, "\nSeconds for the runs, without builds:\n\n")
	t = &tables.Table{Header: []string{"program", "maple", "noise", "delay", "pct", "pctlarge", "chess (dfs)"}}
	for _, p := range r.Programs {
		row := []any{p.Name}
		for _, tries := range []exposure.Tries{p.Maple, p.Noise, p.Delay, p.PCT, p.PCTLarge, p.DFS} {
			row = append(row, fmt.Sprintf("%.2f", tries.Seconds()))
		}
		t.Add(row...)
	}
	return t.Render(w, markdown)
}

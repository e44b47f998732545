package maple

import (
	"fmt"
	"io"
	"slices"

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
	Cover       []attempt `json:"cover"` // one for each seed
	Noise       []attempt `json:"noise"`
	Delay       []attempt `json:"delay"` // the paper's RandDelay
	PCT         []attempt `json:"pct"`
	PCTLarge    []attempt `json:"pctlarge"`
	DFS         []attempt `json:"dfs"`   // with two preemptions, as CHESS
	Plain       int       `json:"plain"` // runs
	PlainFailed int       `json:"plainFailed"`

	done bool
}

// An attempt is a method with one seed.
type attempt struct {
	Runs    int     `json:"runs"`            // up to the first failure; 0: there was none
	Idiom   int     `json:"idiom,omitempty"` // that was forced then; 0: it failed while it was profiled
	Seconds float64 `json:"seconds"`         // builds included, but for noise
}

// exposed counts the attempts in which the test failed.
func exposed(list []attempt) (n int) {
	for _, a := range list {
		if a.Runs > 0 {
			n++
		}
	}
	return n
}

// median is that of the runs, with failures to expose above all numbers; 0: it is one.
func median(list []attempt) int {
	if len(list) == 0 {
		return 0
	}
	runs := make([]int, len(list))
	for i, a := range list {
		if runs[i] = a.Runs; a.Runs == 0 {
			runs[i] = 1 << 30
		}
	}
	slices.Sort(runs)
	if m := runs[(len(runs)-1)/2]; m < 1<<30 {
		return m
	}
	return 0
}

// words are the median and how many attempts exposed the bug.
func words(list []attempt) string {
	if m := median(list); m > 0 {
		return fmt.Sprintf("%d (%d of %d)", m, exposed(list), len(list))
	}
	return fmt.Sprintf("- (%d of %d)", exposed(list), len(list))
}

// seconds is the median of the time that the attempts took, exposed or not.
func seconds(list []attempt) float64 {
	if len(list) == 0 {
		return 0
	}
	all := make([]float64, len(list))
	for i, a := range list {
		all[i] = a.Seconds
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}

// Failures implements tables.Document: each bug is exposed with most seeds, within
// the runs that the paper needed.
func (r *report) Failures() []string {
	var failures []string
	for _, p := range r.Programs {
		switch m := median(p.Cover); {
		case !p.done:
			failures = append(failures, p.Name+" is not measured")
		case m == 0:
			failures = append(failures, fmt.Sprintf("%s: exposed with %d of %d seeds", p.Name, exposed(p.Cover), len(p.Cover)))
		case m > p.Profile+p.Forced:
			failures = append(failures, fmt.Sprintf("%s: %d runs, the paper needed %d", p.Name, m, p.Profile+p.Forced))
		case p.PlainFailed > 0:
			failures = append(failures, fmt.Sprintf("%s: %d of %d plain runs failed", p.Name, p.PlainFailed, p.Plain))
		}
	}
	return failures
}

// Write implements tables.Document.
func (r *report) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s; medians over %d seeds; %s at most for each method and seed, %d runs with noise or delays; Mendel's source %s.\n\n",
		r.Machine, r.Seeds, r.Limit, r.Runs, r.Mendel)
	t := &tables.Table{Header: []string{"program", "paper", "idiom", "runs there", "maple", "idiom forced", "noise", "delay", "pct", "pctlarge", "chess (dfs)", "plain runs failed"}}
	for _, p := range r.Programs {
		t.Add(p.Name, p.Paper, p.Idiom, fmt.Sprintf("%d + %d", p.Profile, p.Forced), words(p.Cover), idioms(p.Cover),
			words(p.Noise), words(p.Delay), words(p.PCT), words(p.PCTLarge), words(p.DFS), fmt.Sprintf("%d of %d", p.PlainFailed, p.Plain))
	}
	if err := t.Render(w, markdown); err != nil {
		return err
	}
	fmt.Fprint(w, "\nSeconds, loading and building included but for noise:\n\n")
	t = &tables.Table{Header: []string{"program", "maple", "noise", "delay", "pct", "pctlarge", "chess (dfs)"}}
	for _, p := range r.Programs {
		row := []any{p.Name}
		for _, list := range [][]attempt{p.Cover, p.Noise, p.Delay, p.PCT, p.PCTLarge, p.DFS} {
			row = append(row, fmt.Sprintf("%.1f", seconds(list)))
		}
		t.Add(row...)
	}
	return t.Render(w, markdown)
}

// idioms counts what was forced when the test failed.
func idioms(list []attempt) string {
	var count [7]int
	for _, a := range list {
		if a.Runs > 0 {
			count[a.Idiom]++
		}
	}
	text := ""
	for i, n := range count {
		switch {
		case n == 0:
		case i == 0:
			text += fmt.Sprintf("none: %d ", n)
		default:
			text += fmt.Sprintf("%d: %d ", i, n)
		}
	}
	return text
}

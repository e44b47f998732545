package verdicts

import (
	"fmt"
	"io"
	"strings"

	"mendel/checker/sched/explore"
	"mendel/internal/bench/tables"
)

// A report is the outcome of the verdicts command, as saved in verdicts.json.
type report struct {
	tables.Machine
	Seed     uint64        `json:"seed"`
	Runs     int           `json:"runs"`  // noised, of each exhausted program
	Large    int           `json:"large"` // programs that were too large to be enumerated
	Programs []*comparison `json:"programs"`
}

// Failures are the programs whose verdict is wrong.
func (r *report) Failures() (wrong []string) {
	for _, c := range r.Programs {
		if c.Problem != "" {
			wrong = append(wrong, fmt.Sprintf("program %d: %s; it can end in %s", c.Seed, c.Problem, strings.Join(c.Want, ", ")))
		}
	}
	return wrong
}

// Write writes the table.
func (r *report) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s; seed %d. %d programs; %d others had too many states.\n\n", r.Machine, r.Seed, len(r.Programs), r.Large)
	ways := map[string]map[explore.Verdict]int{}
	all, wrong, runs, executions := map[string]int{}, map[string]int{}, 0, 0
	for _, c := range r.Programs {
		way := strings.Join(c.Want, ", ")
		if ways[way] == nil {
			ways[way] = map[explore.Verdict]int{}
		}
		ways[way][c.Verdict]++
		all[way]++
		if c.Problem != "" {
			wrong[way]++
		}
		runs += c.Noised
		executions += c.Schedules
	}
	t := tables.Table{Header: []string{"how programs can end", "programs", "verdicts", "wrong"}}
	for _, way := range byCount(all) {
		t.Add(way, all[way], tables.CountWords(ways[way]), wrong[way])
	}
	if err := t.Render(w, markdown); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d schedules were explored, and %d noised runs of exhausted programs made. Wrong: %d.\n", executions, runs, len(r.Failures()))
	for _, c := range r.Programs {
		if c.Source != "" && err == nil && !markdown {
			_, err = fmt.Fprintf(w, "\nprogram %d:\n%s\n", c.Seed, c.Source[strings.Index(c.Source, "func TestP0"):])
		}
	}
	return err
}

// byCount are the keys, the most frequent first.
func byCount(counts map[string]int) (keys []string) {
	var t tables.Table
	tables.AddCounts(&t, counts)
	for _, row := range t.Rows {
		keys = append(keys, row[0])
	}
	return keys
}

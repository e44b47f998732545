package incremental

import (
	"fmt"
	"io"

	"mendel/checker/sched/explore"
	"mendel/internal/bench/tables"
)

// A report is the outcome of the command, as saved in incremental.json.
type report struct {
	tables.Machine
	Mendel   string `json:"mendel"` // hash of the source that measured
	Seed     uint64 `json:"seed"`
	Subjects []*row `json:"subjects"`
}

// A row is what was measured of one subject.
type row struct {
	Subject     string          `json:"subject"`
	Original    explore.Verdict `json:"original"` // of the checker; if it does not fail, mutants that pass have no score
	Mutants     int             `json:"mutants"`
	Schedules   int             `json:"schedules"`   // of all mutants, made or taken over
	Carried     int             `json:"carried"`     // of Schedules: taken over from other mutants
	Repeated    int             `json:"repeated"`    // of Schedules: others of the mutant count for them
	FromScratch int             `json:"fromScratch"` // schedules without that
	Passing     int             `json:"passing"`     // of FromScratch: of the last search of mutants that pass all of it
	// Processor seconds from scratch, and incrementally.
	Building [2]float64 `json:"building"`
	Scoring  [2]float64 `json:"scoring"`
	Differ   []string   `json:"differ,omitempty"` // hashes of mutants whose scores do
}

// long is from how many mutants on a subject counts for the median.
const long = 11

// Failures implements tables.Document: scores must be the same.
func (r *report) Failures() (all []string) {
	for _, s := range r.Subjects {
		if len(s.Differ) > 0 {
			all = append(all, fmt.Sprintf("%s: %d of %d mutants have another score from scratch", s.Subject, len(s.Differ), s.Mutants))
		}
	}
	return all
}

// Write implements tables.Document.
func (r *report) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s; seed %d; Mendel's source %s.\n\n", r.Machine, r.Seed, r.Mendel)
	t := &tables.Table{Header: []string{"subject", "original", "mutants", "schedules", "taken over", "repeated", "share", "of mutants that pass", "building, s", "scoring, s", "scores differ"}}
	var shares, building, scoring []float64
	var carriedShares, repeatedShares []float64
	mutants, schedules, carried, repeated, differ := 0, 0, 0, 0, 0
	for _, s := range r.Subjects {
		share := part(s.Carried+s.Repeated, s.Schedules)
		if s.Mutants >= long {
			shares = append(shares, share)
			carriedShares = append(carriedShares, part(s.Carried, s.Schedules))
			repeatedShares = append(repeatedShares, part(s.Repeated, s.Schedules))
		}
		building, scoring = ratio(building, s.Building), ratio(scoring, s.Scoring)
		mutants, schedules, differ = mutants+s.Mutants, schedules+s.Schedules, differ+len(s.Differ)
		carried, repeated = carried+s.Carried, repeated+s.Repeated
		t.Add(s.Subject, s.Original, s.Mutants, s.Schedules, s.Carried, s.Repeated, tables.Percent(share), tables.Percent(part(s.Passing, s.FromScratch)), pair(s.Building), pair(s.Scoring), len(s.Differ))
	}
	fmt.Fprintf(w, "Of %d schedules of %d mutants %d need not be made: %d are taken over from other mutants, and %d are those of the same mutant again.\n",
		schedules, mutants, carried+repeated, carried, repeated)
	fmt.Fprintf(w, "In the median of the subjects with more than ten mutants these are %s, and %s and %s by themselves. %d mutants have another score from scratch.\n",
		tables.Percent(tables.Median(shares)), tables.Percent(tables.Median(carriedShares)), tables.Percent(tables.Median(repeatedShares)), differ)
	fmt.Fprintf(w, "Processor time, incrementally by from scratch, in the median of the subjects: building %s, scoring %s.\n\n",
		tables.FormatPositive("%.2f", tables.Median(building)), tables.FormatPositive("%.2f", tables.Median(scoring)))
	return t.Render(w, markdown)
}

func part(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// ratio adds the second of two times by the first, if there is one.
func ratio(all []float64, of [2]float64) []float64 {
	if of[0] <= 0 {
		return all
	}
	return append(all, of[1]/of[0])
}

func pair(of [2]float64) string { return fmt.Sprintf("%.2f / %.2f", of[0], of[1]) }

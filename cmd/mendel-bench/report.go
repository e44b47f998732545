package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"mendel"
	"mendel/internal/gotool"
	"mendel/mutate"
)

const (
	// enough is the share of a subject's seeds that have to give a fix.
	enough = 0.9
	// mostMemory is what the tool itself may need, in bytes.
	mostMemory = 500 << 20
)

// A Report is the outcome of the subjects command, as saved in subjects.json.
type Report struct {
	Go       string           `json:"go"`
	System   string           `json:"system"` // "linux/amd64"
	CPUs     int              `json:"cpus"`
	Limit    string           `json:"limit"` // of one repair, from beginning to end
	Runs     int              `json:"runs"`  // of each kind, to check a fix
	Subjects []*SubjectReport `json:"subjects"`
}

// A SubjectReport is what became of one subject.
type SubjectReport struct {
	Subject   Subject `json:"subject"`
	Trials    []Trial `json:"trials"`
	Corrected *Trial  `json:"corrected,omitempty"` // of the corrected copy; nil: not tried
}

// fixed counts the seeds that gave a fix which withstood all checks.
func (s *SubjectReport) fixed() int {
	n := 0
	for _, t := range s.Trials {
		if t.OK() {
			n++
		}
	}
	return n
}

// Failures lists the criteria that are not met, in words.
func (s *SubjectReport) Failures() []string {
	var failures []string
	if need := int(math.Ceil(enough * float64(len(s.Trials)))); s.fixed() < need {
		failures = append(failures, fmt.Sprintf("fixed with %d of %d seeds, want %d", s.fixed(), len(s.Trials), need))
	}
	for _, t := range s.Trials {
		for _, p := range t.Problems {
			failures = append(failures, fmt.Sprintf("seed %d: %s", t.Seed, p))
		}
		if t.PeakBytes >= mostMemory {
			failures = append(failures, fmt.Sprintf("seed %d: the tool needed %s, want less than %s", t.Seed, mebibytes(t.PeakBytes), mebibytes(mostMemory)))
		}
	}
	if c := s.Corrected; c != nil {
		if c.Status != mendel.NotReproduced {
			failures = append(failures, fmt.Sprintf("corrected copy: %s, want %s: %s", c.Status, mendel.NotReproduced, cmp.Or(c.Reason, strings.Join(c.Problems, "; "))))
		}
		if !slices.Equal(c.written, []string{"result.json"}) {
			failures = append(failures, fmt.Sprintf("corrected copy: wrote %s, want result.json alone", strings.Join(c.written, ", ")))
		}
	}
	return failures
}

// failures lists the criteria that are not met, of all subjects.
func (r *Report) failures() []string {
	var all []string
	for _, s := range r.Subjects {
		for _, f := range s.Failures() {
			all = append(all, s.Subject.Name+": "+f)
		}
	}
	return all
}

// table is a line for each subject.
func (r *Report) table() *table {
	t := &table{header: []string{"subject", "kind", "fixed", "seconds (min-max)", "generation", "evaluations", "changed lines", "flags", "peak memory", "CORE-IMC"}}
	for _, s := range r.Subjects {
		var seconds, generation, evaluations, lines []float64
		flags := map[mutate.Flag]int{}
		var peak int64
		for _, trial := range s.Trials {
			peak = max(peak, trial.PeakBytes)
			if trial.Status != mendel.Fixed {
				continue
			}
			seconds = append(seconds, trial.Seconds)
			generation = append(generation, float64(trial.Generation))
			evaluations = append(evaluations, float64(trial.Evaluations))
			lines = append(lines, float64(trial.ChangedLines))
			for _, f := range trial.Flags {
				flags[f]++
			}
		}
		t.add(s.Subject.Name, s.Subject.Kind, fmt.Sprintf("%d of %d", s.fixed(), len(s.Trials)),
			meanRange(seconds), mean(generation), mean(evaluations), mean(lines), flagCounts(flags), mebibytes(peak), s.Subject.COREIMCTime)
	}
	return t
}

// write writes the report as Markdown or as text.
func (r *Report) write(w io.Writer, markdown bool) error {
	if _, err := fmt.Fprintf(w, "%s, %s, %d CPUs; %s for each repair; each best patch run %d times plainly and %d times with noise.\n\n",
		r.Go, r.System, r.CPUs, r.Limit, r.Runs, r.Runs); err != nil {
		return err
	}
	render := r.table().Text
	if markdown {
		render = r.table().Markdown
	}
	if err := render(w); err != nil {
		return err
	}
	failures := r.failures()
	if len(failures) == 0 {
		_, err := fmt.Fprintln(w, "\nAll criteria are met.")
		return err
	}
	if _, err := fmt.Fprint(w, "\nNot met:\n\n"); err != nil {
		return err
	}
	for _, f := range failures {
		if _, err := fmt.Fprintln(w, "-", f); err != nil {
			return err
		}
	}
	return nil
}

// save writes subjects.json and subjects.md into a directory.
func (r *Report) save(dir string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	var md strings.Builder
	if err := r.write(&md, true); err != nil {
		return err
	}
	for name, text := range map[string][]byte{"subjects.json": append(data, '\n'), "subjects.md": []byte(md.String())} {
		if err := gotool.WriteFile(filepath.Join(dir, name), text); err != nil {
			return fmt.Errorf("save the report: %w", err)
		}
	}
	return nil
}

// mean formats the mean of some values, "-" if there are none.
func mean(values []float64) string {
	if len(values) == 0 {
		return "-"
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return fmt.Sprintf("%.1f", sum/float64(len(values)))
}

// meanRange formats the mean of some values and their range.
func meanRange(values []float64) string {
	if len(values) == 0 {
		return "-"
	}
	return fmt.Sprintf("%s (%.1f-%.1f)", mean(values), slices.Min(values), slices.Max(values))
}

// flagCounts formats how often each flag was seen.
func flagCounts(flags map[mutate.Flag]int) string {
	var words []string
	for _, f := range slices.Sorted(maps.Keys(flags)) {
		words = append(words, fmt.Sprintf("%s x%d", f, flags[f]))
	}
	return cmp.Or(strings.Join(words, ", "), "-")
}

// mebibytes formats a number of bytes.
func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }

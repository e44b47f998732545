package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"mendel"
	"mendel/mutate"
)

const (
	// enough is the share of a subject's seeds that have to give a fix.
	enough = 0.9
	// mostMemory is what the tool itself may need, in bytes.
	mostMemory = 500 << 20
	// leastSpeedup is how many times faster repairs have to be with the checker
	// than with noise alone.
	leastSpeedup = 2.0
)

// A Report is the outcome of the subjects command, as saved in subjects.json.
type Report struct {
	Machine
	Limit    string           `json:"limit"`   // of one repair, from beginning to end
	Runs     int              `json:"runs"`    // of each kind, to check a fix
	Checker  string           `json:"checker"` // on, off, both
	Subjects []*SubjectReport `json:"subjects"`
}

// A SubjectReport is what became of one subject.
type SubjectReport struct {
	Subject   Subject `json:"subject"`
	Trials    []Trial `json:"trials"`
	Corrected *Trial  `json:"corrected,omitempty"` // of the corrected copy; nil: not tried
	// NoiseAlone are, where both ways are compared, the repairs without the checker.
	NoiseAlone []Trial `json:"noise_alone,omitempty"`
}

// seconds lists how long the repairs took that ended with a fix.
func seconds(trials []Trial) []float64 {
	var all []float64
	for _, t := range trials {
		if t.Status == mendel.Fixed {
			all = append(all, t.Seconds)
		}
	}
	return all
}

// speedup is the mean time of a repair with noise alone by that with the
// checker; 0 if one of them is not known.
func (s *SubjectReport) speedup() float64 {
	with, without := seconds(s.Trials), seconds(s.NoiseAlone)
	if len(with) == 0 || len(without) == 0 {
		return 0
	}
	return average(without) / average(with)
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
	for _, t := range s.NoiseAlone {
		for _, p := range t.Problems {
			failures = append(failures, fmt.Sprintf("seed %d, noise alone: %s", t.Seed, p))
		}
	}
	if x := s.speedup(); x > 0 && x < leastSpeedup {
		failures = append(failures, fmt.Sprintf("%.1f times as fast as with noise alone, want %.0f", x, leastSpeedup))
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

// failures implements document.
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
	compared := r.Checker == bothWays
	if compared {
		t.header = append(t.header, "noise alone", "times as fast")
	}
	for _, s := range r.Subjects {
		var generation, evaluations, lines []float64
		flags := map[mutate.Flag]int{}
		var peak int64
		for _, trial := range s.Trials {
			peak = max(peak, trial.PeakBytes)
			if trial.Status != mendel.Fixed {
				continue
			}
			generation = append(generation, float64(trial.Generation))
			evaluations = append(evaluations, float64(trial.Evaluations))
			lines = append(lines, float64(trial.ChangedLines))
			for _, f := range trial.Flags {
				flags[f]++
			}
		}
		t.add(s.Subject.Name, s.Subject.Kind, fmt.Sprintf("%d of %d", s.fixed(), len(s.Trials)),
			meanRange(seconds(s.Trials)), mean(generation), mean(evaluations), mean(lines), flagCounts(flags), mebibytes(peak), s.Subject.COREIMCTime)
		if compared {
			faster := "-"
			if x := s.speedup(); x > 0 {
				faster = fmt.Sprintf("%.1f", x)
			}
			t.extend(meanRange(seconds(s.NoiseAlone)), faster)
		}
	}
	return t
}

// write implements document.
func (r *Report) write(w io.Writer, markdown bool) error {
	if _, err := fmt.Fprintf(w, "%s; checker %s; %s for each repair; each best patch run %d times plainly and %d times with noise.\n\n",
		r.Machine, r.Checker, r.Limit, r.Runs, r.Runs); err != nil {
		return err
	}
	return r.table().render(w, markdown)
}

// mean formats the mean of some values, "-" if there are none.
func mean(values []float64) string {
	if len(values) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", average(values))
}

// average is the mean of some values, at least one.
func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
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

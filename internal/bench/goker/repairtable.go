package goker

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"mendel/internal/bench/tables"
)

const (
	// repairedShare of the kernels are to be repaired: 48 of all 63.
	repairedShare = 48.0 / 63
	// mostRepairLines is the most that the median fix may change; human fixes of
	// blocking bugs change 6.8 lines in the mean (Tu et al., ASPLOS 2019).
	mostRepairLines = 7.0
)

// Failures implements document.
func (r *repairs) Failures() []string {
	var failures []string
	repaired, lines := r.counts()
	if need := int(math.Ceil(repairedShare * float64(len(r.Kernels)))); repaired < need {
		failures = append(failures, fmt.Sprintf("repaired %d of %d kernels, want %d", repaired, len(r.Kernels), need))
	}
	if m := tables.Median(lines); m > mostRepairLines {
		failures = append(failures, fmt.Sprintf("%g changed lines in the median, want at most %g", m, mostRepairLines))
	}
	return failures
}

// counts are how many kernels are repaired, and the changed lines of each of those.
func (r *repairs) counts() (repaired int, lines []float64) {
	for _, c := range r.Kernels {
		if c.repaired() {
			repaired++
			lines = append(lines, float64(c.ChangedLines))
		}
	}
	return repaired, lines
}

// Write implements document.
func (r *repairs) Write(w io.Writer, markdown bool) error {
	command := r.Command
	if markdown {
		command = "    " + command
	}
	if _, err := fmt.Fprintf(w, "%s\n\n%s; %s at most for each repair; each patch verified with %s; Mendel's source %s.\n\n",
		command, r.Machine, r.Limit, r.Effort, r.Mendel); err != nil {
		return err
	}
	if err := r.table(markdown).Render(w, markdown); err != nil {
		return err
	}
	repaired, lines := r.counts()
	var seconds []float64
	for _, c := range r.Kernels {
		if c.repaired() {
			seconds = append(seconds, c.Seconds)
		}
	}
	_, err := fmt.Fprintf(w, "\nRepaired %d of %d; seconds %s, median %s; changed lines %s in the median.\n",
		repaired, len(r.Kernels), tables.FormatMeanRange(seconds), tables.FormatPositive("%.1f", tables.Median(seconds)), tables.FormatMedian(lines))
	return err
}

// table is a line for each kernel.
func (r *repairs) table(markdown bool) *tables.Table {
	t := &tables.Table{Header: []string{"kernel", "bug", "repaired", "found in", "fixed in", "mutants", "operators", "changed lines", "checker", "noised runs", "upstream"}}
	for _, c := range r.Kernels {
		word := "yes"
		if !c.repaired() {
			word = "no: " + c.why()
		}
		operators, lines, checked, runs := "-", "-", "-", "-"
		if c.ChangedLines > 0 {
			operators, lines = strings.Join(slices.Compact(slices.Sorted(slices.Values(c.Operators))), ", "), fmt.Sprint(c.ChangedLines)
		}
		if p := c.Verified; p != nil && p.Broken == "" {
			checked, runs = tables.FirstLine(p.Check.Words), fmt.Sprint(p.Runs)
			if !p.Copies {
				runs += " of one copy"
			}
		}
		upstream := c.Upstream
		if markdown && c.Link != "" {
			upstream = strings.TrimSpace(upstream + " [patch](" + c.Link + ")")
		}
		t.Add(c.Name, c.Type, word, fmt.Sprintf("%.1f s", c.found()), fmt.Sprintf("%.1f s", c.Seconds), c.Search.Evaluations,
			operators, lines, checked, runs, cmp.Or(upstream, "-"))
	}
	return t
}

// why says in a few words why a kernel does not count as repaired.
func (c *kernelRepair) why() string {
	if c.Verified != nil {
		if p := c.Verified.problems(); len(p) > 0 {
			return tables.FirstLine(p[0])
		}
	}
	if len(c.Problems) > 0 {
		return tables.FirstLine(c.Problems[0])
	}
	return cmp.Or(tables.FirstLine(c.Reason), string(c.Status))
}

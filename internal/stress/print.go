package stress

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"mendel/internal/change"
	"mendel/internal/report"
)

// PrintOptions say how text for people looks.
type PrintOptions struct {
	Out string // how the user calls the output directory, for commands to type
}

// Print writes the result for people.
func (res *Result) Print(w io.Writer, o PrintOptions) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s: %s\n", res.Target.Package, res.headline())
	if res.Reason != "" {
		fmt.Fprintf(b, "  %s\n", report.OneLine(res.Reason))
	}
	if len(res.Modes) > 0 {
		fmt.Fprintf(b, "\n  %-10s %8s %8s   %s\n", "mode", "runs", "failed", "rate (with 95 % confidence)")
	}
	for _, m := range res.Modes {
		fmt.Fprintf(b, "  %-10s %8d %8d   %s\n", m.Name, m.Runs, m.Failed, m.words())
		if m.Reason != "" {
			fmt.Fprintf(b, "    %s\n", report.OneLine(m.Reason))
		}
	}
	for i, g := range res.Groups {
		res.group(b, i, g, o)
	}
	if res.Bisection != nil {
		res.Bisection.print(b)
	}
	for _, n := range res.Notes {
		fmt.Fprintf(b, "\n%s\n", report.OneLine(n))
	}
	return b.Flush()
}

// headline is the verdict in a few words.
func (res *Result) headline() string {
	switch res.Verdict {
	case Failed:
		return report.Count(len(res.Groups), "failure")
	case Passed:
		return "nothing failed"
	}
	return string(res.Verdict)
}

// words are a rate for people: "2.5 % (0.4 to 8.1 %)".
func (r Rate) words() string {
	if r.Runs == 0 {
		return "-"
	}
	return fmt.Sprintf("%s %% (%s to %s %%)", percent(r.Rate), percent(r.Low), percent(r.High))
}

// percent has as many digits as tell small numbers apart, and is 0 for 0 alone.
func percent(p float64) string {
	p *= 100
	digits := 1
	if p > 0 && p < 0.1 {
		p, digits = max(p, 0.001), 3
	}
	return strings.TrimSuffix(fmt.Sprintf("%.*f", digits, p), ".0")
}

// group writes one group.
func (res *Result) group(w io.Writer, i int, g Group, o PrintOptions) {
	where := ""
	if len(g.Tests) > 0 {
		where = " in " + report.List(g.Tests)
	}
	fmt.Fprintf(w, "\n%d. %s%s\n  %s\n", i+1, g.Kind, where, report.OneLine(g.Message))
	for _, m := range g.Modes {
		fmt.Fprintf(w, "  %s: %d of %s, %s\n", m.Name, m.Failed, report.Count(m.Runs, "run"), m.words())
	}
	if g.File == "" {
		return
	}
	again, how := filepath.Join(o.Out, g.File), "a schedule"
	if !g.Schedule {
		again, how = "--count 20 "+again, "the same noise or none; such runs may pass"
	}
	fmt.Fprintf(w, "  again: mendel replay %s   (%s)\n", again, how)
}

// print writes what became of the commits.
func (b *Bisection) print(w io.Writer) {
	fmt.Fprintf(w, "\nLooked for: %s\n  by %s runs; %s are to pass until a commit is taken for good\n", report.OneLine(b.Failure.Message), b.Mode, report.Count(b.Needed, "run"))
	for _, j := range b.Commits {
		fmt.Fprintf(w, "  %s\n", report.OneLine(j.String()))
	}
	switch {
	case b.First != nil:
		fmt.Fprintf(w, "\nIt came with %s\n  %s\n", b.First.Hash, describe(*b.First))
	case len(b.Suspected) > 0:
		fmt.Fprintf(w, "\nIt came with one of these; those in between cannot be judged:\n")
		for _, c := range b.Suspected {
			fmt.Fprintf(w, "  %.12s %s\n", c.Hash, describe(c))
		}
	default:
		return
	}
	fmt.Fprintf(w, "The chance that an earlier commit brought it is at most %s %%, if it is as frequent there as in %.12s.\n", percent(b.Doubt), b.Bad)
}

func describe(c change.Commit) string {
	return report.OneLine(fmt.Sprintf("%s, %s, %s", c.Subject, c.Author, c.Date))
}

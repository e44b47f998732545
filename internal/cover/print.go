package cover

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"

	"mendel/interleave"
	"mendel/internal/report"
)

// shownRoots is how many of the iRoots that are left are printed without Verbose.
const shownRoots = 10

// PrintOptions say how to print.
type PrintOptions struct {
	Verbose bool   // all that is left, and each test
	Brief   bool   // nothing of what is left, where something failed
	Out     string // how the user calls the output directory, for commands to type
}

// Print writes the result for people.
func (res *Result) Print(w io.Writer, o PrintOptions) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s: %s\n", res.Target.Package, res.headline())
	if res.Reason != "" {
		fmt.Fprintf(b, "  %s\n", res.Reason)
	}
	for _, f := range res.Failures {
		res.failure(b, f, o)
	}
	if len(res.Tests) > 0 && (res.Strategy == Maple || res.Strategy == Delay) {
		res.tuples(b)
	}
	if o.Verbose {
		res.tests(b)
	}
	if !o.Brief || o.Verbose || len(res.Failures) == 0 {
		res.roots(b, o)
	}
	for _, f := range res.Bare {
		fmt.Fprintf(b, "Nothing in %s was seen: it does not compile with hooks.\n", f)
	}
	return b.Flush()
}

// tuples prints the coverage, and how it grew.
func (res *Result) tuples(w io.Writer) {
	fmt.Fprintf(w, "\nInterleavings of two goroutines (iRoots), those of each idiom, 1 to 6\n  exposed    %s\n", interleave.TupleText(res.Exposed))
	if res.Before != (Tuple{}) {
		fmt.Fprintf(w, "    before   %s, in earlier runs of this command\n", interleave.TupleText(res.Before))
	}
	fmt.Fprintf(w, "  predicted  %s\n  left       %s\n", interleave.TupleText(res.Predicted), interleave.TupleText(res.Left))
	fmt.Fprintf(w, "%s\n", res.growth())
	if res.FailedBefore > 0 {
		fmt.Fprintf(w, "Of %s that failed in earlier runs of this command, %d failed again when forced.\n",
			report.Count(res.FailedBefore, "iRoot"), res.FailedAgain)
	}
}

// growth says how the coverage grew, and whether it will.
func (res *Result) growth() string {
	if len(res.Growth) == 0 {
		return "No run was made."
	}
	last := len(res.Growth) - 1
	all := res.Growth[last]
	half, full := 0, 0 // runs after which half of that was exposed, and all
	for full = 0; res.Growth[full] < all; full++ {
		if 2*res.Growth[full] < all {
			half = full + 1
		}
	}
	text := fmt.Sprintf("Half of that was exposed after %s, all after %d; the last %d exposed nothing new.",
		report.Count(half+1, "run"), full+1, last-full)
	if res.Saturated {
		return text + "\nSaturated: nothing is left to try, and runs with noise predict nothing new."
	}
	return text
}

// headline says what became of the tests.
func (res *Result) headline() string {
	profiled, forced := 0, 0
	for _, t := range res.Tests {
		profiled += t.Profiled
		forced += t.Forced
	}
	runs := fmt.Sprintf("%s profiled, %s forced", report.Count(profiled, "run"), report.Count(forced, "run"))
	if res.Strategy != Maple {
		runs = report.Count(profiled, "run")
	}
	switch res.Verdict {
	case Failed:
		return fmt.Sprintf("%s in %s", report.Count(len(res.Failures), "failure"), runs)
	case Passed:
		return "nothing failed in " + runs
	}
	return string(res.Verdict)
}

// failure prints one failure with what was forced.
func (res *Result) failure(w io.Writer, f Failure, o PrintOptions) {
	fmt.Fprintf(w, "\n%s: %s: %s\n", f.Test, f.Kind, f.Message)
	switch {
	case f.Forced != nil:
		fmt.Fprintf(w, "  forced, idiom %d: %s\n", f.Forced.Idiom, f.Forced.Text)
		if !f.Exposed {
			fmt.Fprintln(w, "  it did not come about completely, but the attempt made the test fail")
		}
		if f.Repeated > 0 {
			fmt.Fprintf(w, "  forced again, it failed in %d of %s\n", f.FailedAgain, report.Count(f.Repeated, "run"))
		}
	case f.Plain:
		fmt.Fprintln(w, "  the test fails as it is: nothing was forced, and nothing delayed")
	case res.Strategy == Delay:
		fmt.Fprintf(w, "  the test failed with random delays, in run %d\n", f.Run)
	default:
		fmt.Fprintf(w, "  the test failed with noise, in run %d\n", f.Run)
	}
	if f.File != "" {
		fmt.Fprintf(w, "  again: mendel replay %s\n", filepath.Join(o.Out, f.File))
	}
}

func (res *Result) tests(w io.Writer) {
	fmt.Fprintln(w, "\nTests")
	for _, t := range res.Tests {
		fmt.Fprintf(w, "  %s: %s profiled, %s forced, exposed %s of %s", t.Name, report.Count(t.Profiled, "run"),
			report.Count(t.Forced, "run"), interleave.TupleText(t.Exposed), interleave.TupleText(t.Predicted))
		if t.Incomplete {
			fmt.Fprint(w, "; too long or too wide to be seen whole")
		}
		fmt.Fprintln(w)
	}
}

// roots prints what is left.
func (res *Result) roots(w io.Writer, o PrintOptions) {
	if len(res.Roots) == 0 {
		return
	}
	fmt.Fprintf(w, "\nLeft: %s predicted and not exposed%s. Some cannot be: a program\nmay order its goroutines in ways that the hooks do not see.\n",
		report.Count(len(res.Roots), "iRoot"), res.tried())
	for i, r := range res.Roots {
		if i == shownRoots && !o.Verbose {
			fmt.Fprintf(w, "  and %d more; --verbose shows all\n", len(res.Roots)-i)
			return
		}
		fmt.Fprintf(w, "  idiom %d, %s: %s\n", r.Idiom, report.Count(r.Tries, "attempt"), r.Text)
	}
}

// tried says how many of the iRoots that are left were not tried, or are not any more.
func (res *Result) tried() (text string) {
	if res.Untried > 0 {
		text += fmt.Sprintf(", %d not tried yet", res.Untried)
	}
	if res.GivenUp > 0 {
		text += fmt.Sprintf(", %d given up", res.GivenUp)
	}
	return text
}

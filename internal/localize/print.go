package localize

import (
	"fmt"
	"io"
	"strings"
)

// shown is how many places are printed unless all are wanted.
const shown = 8

// Print writes the result for people: the faults, and then the places, the most
// suspicious first. All prints all places.
func (r *Result) Print(w io.Writer, all bool) error {
	var b strings.Builder
	switch r.Status {
	case NothingFound:
		fmt.Fprintf(&b, "nothing found: %s\n", r.Tried.words())
	case Inconclusive:
		fmt.Fprintf(&b, "inconclusive: %s\n  tried: %s\n", r.Reason, r.Tried.words())
	default:
		r.printDiagnoses(&b, all)
		r.printFaults(&b)
		r.printPlaces(&b, all)
		fmt.Fprintf(&b, "\nTried: %s; %.1f s\n", r.Tried.words(), r.Seconds)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// diagnosed is how many diagnoses are printed unless all are wanted.
const diagnosed = 3

func (r *Result) printDiagnoses(b *strings.Builder, all bool) {
	for i, f := range r.Diagnoses {
		if i == diagnosed && !all {
			fmt.Fprintf(b, "and %d less likely diagnoses (--verbose shows them)\n", len(r.Diagnoses)-i)
			break
		}
		fmt.Fprintf(b, "diagnosed: %v\n", f)
		for _, d := range f.Declined {
			if all {
				fmt.Fprintf(b, "  not %s at %s:%d: %s\n", d.Operator, d.File, d.Line, d.Reason)
			}
		}
	}
	if len(r.Diagnoses) > 0 {
		fmt.Fprintln(b)
	}
}

func (r *Result) printFaults(b *strings.Builder) {
	for i, f := range r.Faults {
		fmt.Fprintf(b, "fault %d: %s", i+1, f.Name)
		if f.Variable != "" {
			fmt.Fprintf(b, " (%s)", f.Variable)
		}
		fmt.Fprintln(b)
		for _, e := range f.Failures {
			fmt.Fprintf(b, "  %s in %s: %s\n", e.Kind, e.Test, firstLine(e.Message))
		}
	}
	fmt.Fprintln(b)
}

func (r *Result) printPlaces(b *strings.Builder, all bool) {
	for _, p := range r.Places {
		if p.Rank > shown && !all {
			fmt.Fprintf(b, "and %d less suspicious places (--verbose shows them)\n", len(r.Places)-shown)
			break
		}
		fmt.Fprintf(b, "%2d. %s:%d  %s  suspiciousness %.2f", p.Rank, p.File, p.Line, p.Function, p.Suspiciousness)
		if p.Runs > 0 {
			fmt.Fprintf(b, ", %.0f %% of %d noised runs fail", 100*p.Rate, p.Runs)
		}
		if len(r.Faults) > 1 {
			fmt.Fprintf(b, ", fault %d", p.Fault+1)
		}
		fmt.Fprintf(b, "\n      %s\n      %s\n", p.Statement, p.Says)
	}
}

// words says what was done.
func (t Tried) words() string {
	list := []string{}
	if t.Verdict != "" {
		list = append(list, t.Verdict)
	}
	if t.Failing+t.Passing > 0 {
		list = append(list, fmt.Sprintf("%d failing and %d passing executions compared", t.Failing, t.Passing))
	}
	if t.NoiseRuns > 0 {
		list = append(list, fmt.Sprintf("%d runs with noise at %d places", t.NoiseRuns, t.NoisePlaces))
	}
	return strings.Join(list, "; ")
}

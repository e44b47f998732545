package seed

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/internal/gotool"
	"mendel/internal/report"
	"mendel/internal/result"
)

// Name is the file in the output directory that a result is in.
const Name = "seed.json"

// Status is what became of a fault.
type Status string

// Statuses of a fault.
const (
	Noticed Status = "noticed" // a test fails that passes without it
	Missed  Status = "missed"  // no test failed
	Unknown Status = "unknown" // it could not be judged: see the reason
)

// A Result is what the tests of a package notice; it is what seed.json holds.
type Result struct {
	Target      result.Target `json:"target"`
	Seed        uint64        `json:"seed"`
	Possible    int           `json:"possible"` // faults that the operators can make
	Noticed     int           `json:"noticed"`
	Missed      int           `json:"missed"`
	Unknown     int           `json:"unknown"`
	Variants    []Variant     `json:"variants"` // those that were judged, in the order in which they were chosen
	Interrupted bool          `json:"interrupted,omitempty"`
	Seconds     float64       `json:"seconds"` // loading and building included
}

// A Variant is the package with one fault.
type Variant struct {
	Fault
	Status  Status   `json:"status"`
	Judge   string   `json:"judge,omitempty"`   // checker or noise
	Tried   string   `json:"tried,omitempty"`   // what the judge did, in words: "passed 1200 schedules"
	Reason  string   `json:"reason,omitempty"`  // of unknown
	Failure *Failure `json:"failure,omitempty"` // of noticed
	Patch   string   `json:"patch,omitempty"`   // file in the output directory
	Seconds float64  `json:"seconds"`           // of the judge, building in a batch not counted

	schedule *checker.File
}

// A Failure is how a test notices a fault.
type Failure struct {
	evidence.Failure
	Schedule string `json:"schedule,omitempty"` // file in the output directory; "": noise has no schedule
	// Alone reports that a single goroutine takes part: the fault is no longer one of
	// concurrency.
	Alone bool `json:"alone,omitempty"`
}

// Patched is the source of the file that a fault changes, by absolute name,
// before and after.
func (f *Fault) Patched() (name string, before, after []byte) {
	return f.file.Name, f.file.Source, f.source
}

// count counts the statuses.
func (r *Result) count() {
	r.Noticed, r.Missed, r.Unknown = 0, 0, 0
	for _, v := range r.Variants {
		switch v.Status {
		case Noticed:
			r.Noticed++
		case Missed:
			r.Missed++
		default:
			r.Unknown++
		}
	}
}

// save writes seed.json, the patches and the schedules, and removes an earlier
// run's. The patch of a noticed fault is fault-N.patch, that of a missed one
// missed-N.patch.
func (r *Result) save(dir string) error {
	if dir == "" {
		return nil
	}
	if err := result.Remove(dir, "fault-*.patch", "fault-*.schedule", "missed-*.patch"); err != nil {
		return err
	}
	numbers := map[Status]int{}
	for i := range r.Variants {
		v := &r.Variants[i]
		numbers[v.Status]++
		name := map[Status]string{Noticed: "fault", Missed: "missed"}[v.Status]
		if name == "" {
			continue
		}
		name = fmt.Sprintf("%s-%d", name, numbers[v.Status])
		v.Patch = name + ".patch"
		if err := gotool.WriteFile(filepath.Join(dir, v.Patch), v.patch()); err != nil {
			return fmt.Errorf("save a faulty variant: %w", err)
		}
		if v.schedule != nil {
			v.Failure.Schedule = name + ".schedule"
			if err := checker.WriteSchedule(filepath.Join(dir, v.Failure.Schedule), v.schedule); err != nil {
				return err
			}
		}
	}
	data, err := r.JSON()
	if err != nil {
		return err
	}
	if err := gotool.WriteFile(filepath.Join(dir, Name), data); err != nil {
		return fmt.Errorf("save the result: %w", err)
	}
	return nil
}

// patch is the variant as a unified diff, with words before it.
func (v *Variant) patch() []byte {
	message := fmt.Sprintf("Seeded fault: %s (%s:%d).\nOperator: %s\n", v.Words, v.File, v.Line, v.Operator)
	if v.Failure != nil {
		message += fmt.Sprintf("Noticed by %s: %s\n", v.Failure.Test, report.OneLine(tell(v.Failure.Failure)))
	} else {
		message += "No test notices it: " + v.Tried + "\n"
	}
	return report.Patch([]report.Change{{Path: v.File, Before: v.file.Source, After: v.source}}, message)
}

// JSON is the result as in seed.json.
func (r *Result) JSON() ([]byte, error) { return result.Indent(r) }

// Print writes the result for people: how many faults are noticed, those that
// got away, and with verbose the others too.
func (r *Result) Print(w io.Writer, how PrintOptions) error {
	var b strings.Builder
	fmt.Fprintf(&b, "your tests notice %d of %s", r.Noticed, report.Count(r.Noticed+r.Missed, "seeded fault"))
	if r.Unknown > 0 {
		fmt.Fprintf(&b, "; %d could not be judged", r.Unknown)
	}
	b.WriteString("\n")
	if untried := r.Possible - len(r.Variants); untried > 0 {
		verb := "are possible and were"
		if untried == 1 {
			verb = "is possible and was"
		}
		fmt.Fprintf(&b, "%s %s not tried\n", report.Count(untried, "more fault"), verb)
	}
	r.list(&b, how, Missed, "got away", func(v Variant) string { return v.Tried })
	r.list(&b, how, Unknown, "not judged", func(v Variant) string { return v.Reason })
	if how.Verbose {
		r.list(&b, how, Noticed, "noticed", func(v Variant) string {
			return v.Failure.Test + ": " + tell(v.Failure.Failure)
		})
	}
	if how.Out != "" && r.Noticed+r.Missed > 0 {
		fmt.Fprintf(&b, "\nThe patches are in %s.\n", how.Out)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// PrintOptions say how text for people looks.
type PrintOptions struct {
	Width   int    // columns; 0: 100
	Verbose bool   // the faults that are noticed, too
	Out     string // how the user calls the output directory; "": not told
}

// list writes the faults with a status, each with a sentence and what is said of it.
func (r *Result) list(b *strings.Builder, how PrintOptions, status Status, title string, more func(Variant) string) {
	width := how.Width
	if width <= 0 {
		width = 100
	}
	first := true
	for _, v := range r.Variants {
		if v.Status != status {
			continue
		}
		if first {
			fmt.Fprintf(b, "\n%s:\n", title)
			first = false
		}
		b.WriteString(report.Wrap(fmt.Sprintf("%s:%d: %s.", v.File, v.Line, report.Visible(v.Words)), width, "  ", "      "))
		note := v.Operator
		if v.Patch != "" {
			note += ", " + v.Patch
		}
		b.WriteString(report.Wrap(fmt.Sprintf("%s: %s", note, report.OneLine(more(v))), width, "      ", "      "))
	}
}

// tell is a failure in words, with its kind.
func tell(f evidence.Failure) string {
	kind := f.Kind.Words()
	if strings.HasPrefix(f.Message, kind) {
		return f.Message
	}
	return kind + ": " + f.Message
}

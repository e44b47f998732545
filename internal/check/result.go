package check

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/internal/cover"
	"mendel/internal/diagnosis"
	"mendel/internal/gotool"
	"mendel/internal/report"
	"mendel/internal/result"
)

// Verdict is what a check showed, never more than was done.
type Verdict string

// Verdicts of a check. The command's exit codes are 1, 0, 0, 0, 0, 0, 2 and 2 in this order.
const (
	Failed       Verdict = "failed"       // a schedule fails; it was replayed
	Flaky        Verdict = "flaky"        // a schedule fails that needs a test's own time-out to expire early; none fails otherwise
	Left         Verdict = "left"         // goroutines are blocked for ever that a test does not end; nothing else fails
	Exhausted    Verdict = "exhausted"    // no schedule within the bound fails
	Covered      Verdict = "covered"      // every outcome of every schedule was seen, and none fails
	Passed       Verdict = "passed"       // none of those tried failed; there are more
	Inconclusive Verdict = "inconclusive" // nothing can be said: see the reason
	Error        Verdict = "error"        // bad usage, does not build, broken environment
)

// A Result is what a check found; it is what check.json holds.
type Result struct {
	Verdict  Verdict       `json:"verdict"`
	Reason   string        `json:"reason,omitempty"` // in words: why inconclusive, why not exhausted
	Target   result.Target `json:"target"`
	Strategy string        `json:"strategy"`
	Seed     uint64        `json:"seed"`
	// Bound is, with exhausted, the number of preemptions up to which all
	// schedules were covered; -1: any number.
	Bound        int         `json:"bound"`
	Classes      int         `json:"classes,omitempty"` // with covered: executions in which goroutines see different things
	Preemptions  int         `json:"preemptions"`       // bound that was asked for; -1: none
	Fair         bool        `json:"fair,omitempty"`    // with exhausted: but for those in which a goroutine that spins starves others
	Tests        []Test      `json:"tests"`
	Counts       Tally       `json:"counts"`                 // of tests
	Failures     []Failure   `json:"failures"`               // most telling kind first
	Warnings     []LockOrder `json:"warnings,omitempty"`     // locks that are taken in both orders
	Uncontrolled []string    `json:"uncontrolled,omitempty"` // what in the source is not under control, "file:line:column: reason"
	Scale        int         `json:"scale,omitempty"`        // the tests' loops went round so many times less often
	Shrunk       []string    `json:"shrunk,omitempty"`       // how, in words
	Schedules    int         `json:"schedules"`              // or runs with the real scheduler
	Steps        int         `json:"steps"`                  // of all schedules
	Processes    int         `json:"processes"`              // started
	PerProcess   bool        `json:"perProcess,omitempty"`   // each schedule needed one
	Interrupted  bool        `json:"interrupted,omitempty"`
	Seconds      float64     `json:"seconds"`            // loading and building included
	Building     float64     `json:"building,omitempty"` // seconds of these for loading and building

	hints   []string // which loops could be shorter
	report  *checker.Report
	program *analysis.Program
	files   []*checker.File // of the failures

	// Of a check with the real scheduler:
	covered  *cover.Result
	fileOf   []int // failures that the checker can follow: those of files
	followed []checker.Failure
}

// A Tally counts tests by what became of them.
type Tally = report.Tally

// A Test is what was done with one test.
type Test struct {
	Name      string  `json:"name"`
	Verdict   Verdict `json:"verdict"`
	Reason    string  `json:"reason,omitempty"`
	Bound     int     `json:"bound"` // as in Result
	Fair      bool    `json:"fair,omitempty"`
	Classes   int     `json:"classes,omitempty"` // as in Result
	Skipped   bool    `json:"skipped,omitempty"` // by itself
	Cause     string  `json:"cause,omitempty"`   // with inconclusive, in a word: "too long"
	Schedules int     `json:"schedules"`
	// Predicted is what one run foretold, with the strategy predict.
	Predicted *Predicted `json:"predicted,omitempty"`
}

// A Failure is a failure with the schedule that shows it.
type Failure struct {
	evidence.Failure
	Schedule    string `json:"schedule,omitempty"` // file in the output directory; "" if none was written
	Choices     string `json:"choices"`            // of the schedule, as in the file
	Preemptions int    `json:"preemptions"`
	// TimeOuts are those that have to expire although goroutines could go on. The
	// failure is expected by design if they are long enough.
	TimeOuts []TimeOut `json:"timeOuts,omitempty"`
	Left     string    `json:"left,omitempty"`  // of goroutines that are blocked: the calls that the test leaves out, by which they would end
	Flaky    bool      `json:"flaky,omitempty"` // all of TimeOuts are set by test files, and the test itself reports the failure
	// BehindRaces are the data races behind which the search went on to see the
	// failure: "a.go:12, b.go:3; ...".
	BehindRaces string  `json:"behindRaces,omitempty"`
	Fewest      bool    `json:"fewest"`           // no schedule with fewer preemptions fails so
	Strategy    string  `json:"strategy"`         // that found it: dfs, random, pct, pctlarge, pos, plain for the schedule without preemptions, or one with the real scheduler
	Nth         int     `json:"nth"`              // schedule of the test, from 1
	Forced      *Forced `json:"forced,omitempty"` // it was found with the real scheduler
	Sample      *Sample `json:"sample,omitempty"`
	// Diagnoses say what is wrong where the failure shows it, the likeliest first.
	Diagnoses  []diagnosis.Finding `json:"diagnoses,omitempty"`
	Goroutines []string            `json:"goroutines"` // names by number: "main", "file.go:12#3"
	Places     []Place             `json:"places"`     // of the accesses, the blocked goroutines, the panic
	Trace      []Step              `json:"trace"`      // the interleaving, in order of time
	Log        string              `json:"log,omitempty"`
}

// A TimeOut is a time-out that a failure needs.
type TimeOut struct {
	What    string  `json:"what"` // "time.After", "context.WithTimeout", "time.Sleep"
	Seconds float64 `json:"seconds"`
	Place   Place   `json:"place"`  // where it was set
	Before  Place   `json:"before"` // where a goroutine was that could have gone on
	Needs   string  `json:"needs"`  // in words
}

// timeOuts are those of the checker.
func timeOuts(list []checker.TimeOut) (all []TimeOut) {
	for _, t := range list {
		all = append(all, TimeOut{t.What, t.Lasts.Seconds(), placeOf(t.Place), placeOf(t.Before), t.String()})
	}
	return all
}

// A Sample is what random schedules of a failing test did.
type Sample struct {
	Schedules int  `json:"schedules"`
	Failed    int  `json:"failed"`
	Same      bool `json:"same"` // all of Failed by the same kind of failure
}

// A Place is where a goroutine was.
type Place struct {
	Goroutine string `json:"goroutine,omitempty"`
	Operation string `json:"operation"` // "read", "write", "Mutex.Lock", "channel send", "panic", ...
	Function  string `json:"function,omitempty"`
	File      string `json:"file,omitempty"` // absolute
	Line      int    `json:"line,omitempty"`
	Step      int    `json:"step"` // index in the trace of the step that led here
}

// A Step is one step of an interleaving.
type Step struct {
	Goroutine int    `json:"goroutine"` // number
	Kind      string `json:"kind"`      // "go", "acquire", "send", ...
	Operation string `json:"operation"` // "go", "Mutex.Lock", "channel send", ...
	Object    int    `json:"object"`    // what it is done on, the same number for the same object; 0: none
	With      int    `json:"with"`      // goroutine started, met at a channel, or creator of one that starts; -1: none
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Function  string `json:"function,omitempty"`
}

// A LockOrder is two locks that are taken in both orders: a warning, even where
// no schedule deadlocked.
type LockOrder struct {
	Test   string      `json:"test"`
	Orders [2][2]Place `json:"orders"` // of each order: where the first lock was taken, and then the second
}

// take makes the result of the checker's report.
func (res *Result) take(r *checker.Report, samples []Sample, diagnoses [][]diagnosis.Finding, b *checker.Binary) error {
	res.report = r
	res.Verdict, res.Reason = Verdict(r.Verdict), r.Reason
	res.Bound, res.Fair, res.Classes = r.Bound, r.Fair, r.Classes
	res.Counts = report.TallyOf(r.Tests)
	res.Schedules, res.Steps, res.Processes, res.PerProcess = r.Schedules, r.Steps, r.Processes, r.PerProcess
	for _, t := range r.Tests {
		res.Tests = append(res.Tests, Test{
			Name: t.Name, Verdict: Verdict(t.Verdict), Reason: t.Reason, Bound: t.Bound, Fair: t.Fair, Classes: t.Classes,
			Skipped: t.Skipped, Cause: string(t.Cause), Schedules: t.Schedules, Predicted: predicted(t.Predicted),
		})
	}
	for i, f := range r.Failures {
		told := checkFailure(f)
		if i < len(samples) && samples[i].Schedules > 0 {
			told.Sample = &samples[i]
		}
		if i < len(diagnoses) {
			told.Diagnoses = diagnoses[i]
		}
		res.Failures = append(res.Failures, told)
		file, err := b.File(f)
		if err != nil {
			return fmt.Errorf("keep a failure's schedule: %w", err)
		}
		file.Scale = res.Scale
		res.files = append(res.files, file)
	}
	for _, w := range r.Warnings {
		order := LockOrder{Test: w.Test}
		for i, places := range w.Places {
			for k, p := range places {
				order.Orders[i][k] = placeOf(p)
			}
		}
		res.Warnings = append(res.Warnings, order)
	}
	return nil
}

// checkFailure turns a failure of the checker into one of a result.
func checkFailure(f checker.Failure) Failure {
	told := Failure{
		Failure: f.Failure, Choices: f.Schedule.Choices, BehindRaces: f.Schedule.Races, Preemptions: f.Preemptions, TimeOuts: timeOuts(f.TimeOuts), Flaky: f.Flaky, Left: f.Left, Fewest: f.Proven,
		Strategy: f.Strategy, Nth: f.Nth, Goroutines: append([]string{}, f.Goroutines...), Log: f.Log,
		Places: []Place{}, Trace: []Step{}, // lists in JSON, though they be empty
	}
	for _, p := range f.Places {
		told.Places = append(told.Places, placeOf(p))
	}
	for _, e := range f.Trace {
		told.Trace = append(told.Trace, Step{
			Goroutine: e.G, Kind: e.Kind.String(), Operation: e.What, Object: int(e.Obj), With: e.With,
			File: e.Place.File, Line: e.Place.Line, Function: e.Place.Function,
		})
	}
	return told
}

func placeOf(p sched.Place) Place {
	return Place{Goroutine: p.Goroutine, Operation: p.What, Function: p.Function, File: p.File, Line: p.Line, Step: p.Step}
}

// Name is the file in the output directory that a result is in.
const Name = "check.json"

// save writes check.json and the schedules, and removes an earlier run's schedules.
func (res *Result) save(dir string) error {
	if dir == "" {
		return nil
	}
	if err := result.Remove(dir, "failure-*.schedule"); err != nil {
		return err
	}
	for i, f := range res.files {
		if res.fileOf != nil {
			i = res.fileOf[i]
		}
		if err := checker.WriteSchedule(filepath.Join(dir, result.ScheduleName(i)), f); err != nil {
			return err
		}
		res.Failures[i].Schedule = result.ScheduleName(i)
	}
	data, err := res.JSON()
	if err != nil {
		return err
	}
	if err := gotool.WriteFile(filepath.Join(dir, Name), data); err != nil {
		return fmt.Errorf("save the result: %w", err)
	}
	return nil
}

// JSON is the result as in check.json.
func (res *Result) JSON() ([]byte, error) { return result.Indent(res) }

// PrintOptions say how text for people looks.
type PrintOptions struct {
	Width   int  // columns; 0: 100
	Color   bool // with ANSI escapes
	Verbose bool // everything
	// Out is how the user calls the output directory, for commands to type; "":
	// as it was given to Check.
	Out string
}

// Print writes the result for people.
func (res *Result) Print(w io.Writer, how PrintOptions) error {
	if res.covered != nil {
		return res.printNative(w, how)
	}
	if res.report == nil {
		_, err := fmt.Fprintf(w, "%s: %s\n", res.Verdict, res.Reason)
		return err
	}
	o := report.CheckOptions{
		Report: res.report, Preemptions: res.Preemptions, Module: res.Target.Module, Uncontrolled: res.Uncontrolled, Interrupted: res.Interrupted,
		Scale: res.Scale, Shrunk: res.Shrunk, Hints: res.hints, Seconds: res.Seconds, Verbose: how.Verbose, Source: SourceOf(res.program), Width: how.Width, Color: how.Color,
	}
	for _, f := range res.Failures {
		name, sample := "", report.Sample{}
		if f.Schedule != "" {
			name = filepath.Join(how.Out, f.Schedule)
		}
		if f.Sample != nil {
			sample = report.Sample(*f.Sample)
		}
		o.Schedules, o.Samples, o.Diagnoses = append(o.Schedules, name), append(o.Samples, sample), append(o.Diagnoses, f.Diagnoses)
	}
	return report.Check(w, o)
}

// SourceOf reads source for tables: as it was loaded or, for what is not the
// module's, from disk.
func SourceOf(p *analysis.Program) func(string) []byte {
	return func(name string) []byte {
		if p != nil {
			if f := p.File(name); f != nil {
				return f.Source
			}
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil // the table does without
		}
		return text
	}
}

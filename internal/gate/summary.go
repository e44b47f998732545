package gate

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel/analysis/evidence"
	"mendel/internal/check"
	"mendel/internal/gotool"
	"mendel/internal/report"
	"mendel/internal/result"
)

// Name is the file in the output directory that a summary is in.
const Name = "checks.json"

// Untried is the verdict of a package that the budget did not reach.
const Untried check.Verdict = "untried"

// Verdict is what a gate says.
type Verdict string

// Verdicts. The command's exit codes are 0, 1 and 2 in this order.
const (
	Clean  Verdict = "clean"  // nothing new fails
	Failed Verdict = "failed" // something does that is not in the baseline
	Error  Verdict = "error"  // nothing new fails, and a package could not be checked; with Options.Strict, or nothing could be said of a test
)

// A Summary is what became of the packages; it is what checks.json holds.
type Summary struct {
	Verdict    Verdict     `json:"verdict"`
	Patterns   []string    `json:"patterns"`
	Module     string      `json:"module"` // directory of go.mod
	Since      string      `json:"since,omitempty"`
	Shard      string      `json:"shard,omitempty"`
	Budget     float64     `json:"budget"`  // seconds, for all
	Seconds    float64     `json:"seconds"` // taken
	Packages   []Package   `json:"packages"`
	Counts     check.Tally `json:"counts"`               // of the tests of all packages
	Fixed      []Known     `json:"fixed,omitempty"`      // failures of the baseline that packages which were searched do not show any more
	Untested   []string    `json:"untested,omitempty"`   // packages without tests
	Excluded   []string    `json:"excluded,omitempty"`   // packages
	Unaffected []string    `json:"unaffected,omitempty"` // packages that the change since the revision cannot have affected
	Notes      []string    `json:"notes,omitempty"`
}

// A Package is what became of one.
type Package struct {
	Path      string        `json:"package"` // import path
	Dir       string        `json:"dir"`
	Out       string        `json:"out,omitempty"` // directory of its check below the gate's
	Verdict   check.Verdict `json:"verdict"`
	Reason    string        `json:"reason,omitempty"`
	Tests     []check.Test  `json:"tests,omitempty"`
	Counts    check.Tally   `json:"counts"` // of these
	Failures  []Failure     `json:"failures"`
	Schedules int           `json:"schedules"`
	Seconds   float64       `json:"seconds"`
}

// A Failure of a package.
type Failure struct {
	Known
	Baseline bool          `json:"baseline,omitempty"` // it is known
	Flaky    bool          `json:"flaky,omitempty"`    // as check.Failure has it: it fails no gate
	Left     string        `json:"left,omitempty"`     // likewise
	Schedule string        `json:"schedule,omitempty"` // file below the gate's directory
	Places   []check.Place `json:"places,omitempty"`
	// Diagnosed says what is wrong where it shows; "": nothing was found.
	Diagnosed string `json:"diagnosed,omitempty"`
}

// take takes what a check has found.
func (p *Package) take(res *check.Result, err error, known *Baseline) {
	p.Verdict, p.Reason, p.Tests, p.Counts = res.Verdict, res.Reason, res.Tests, res.Counts
	p.Schedules, p.Seconds = res.Schedules, res.Seconds
	if err != nil && res.Verdict == check.Error {
		p.Reason = cmp.Or(p.Reason, err.Error())
	}
	for _, f := range res.Failures {
		told := Failure{Known: Known{Package: p.Path, Test: f.Test, Kind: f.Kind, Signature: f.Signature, Message: f.Message}, Places: f.Places}
		if len(f.Diagnoses) > 0 {
			told.Diagnosed = f.Diagnoses[0].String()
		}
		if f.Schedule != "" {
			told.Schedule = filepath.ToSlash(filepath.Join(p.Out, f.Schedule))
		}
		told.Baseline, told.Flaky, told.Left = known.has(told.Known), f.Flaky, f.Left
		p.Failures = append(p.Failures, told)
	}
}

// late says of a package without failures that the budget ended before its check.
func (p *Package) late() {
	switch {
	case p.Verdict != check.Inconclusive:
	case p.Schedules == 0:
		p.Verdict, p.Reason = Untried, "the budget was spent before its first schedule"
	default:
		p.Reason = fmt.Sprintf("the budget was spent after %d schedules, none of which failed", p.Schedules)
	}
}

// fresh are the failures that are not in the baseline, but for what is only told.
func (p Package) fresh() []Failure {
	return slices.DeleteFunc(slices.Clone(p.Failures), func(f Failure) bool { return f.Baseline || f.told() != "" })
}

// told says what a failure is that fails no gate; "" if it does.
func (f Failure) told() string {
	switch {
	case f.Flaky:
		return "flaky under load"
	case f.Left != "":
		return "left by the test, which does not call " + f.Left
	}
	return ""
}

// line says what became of a package.
func (p Package) line() string {
	switch fresh := p.fresh(); {
	case len(fresh) > 0:
		return fmt.Sprintf("failed: %s", fresh[0].Message)
	case p.Verdict == check.Flaky || p.Verdict == check.Left:
		return fmt.Sprintf("%s: %s", p.Verdict, p.Failures[0].Message)
	case len(p.Failures) > 0:
		return fmt.Sprintf("known: %s", p.Failures[0].Message)
	case p.Verdict == check.Exhausted || p.Verdict == check.Covered || p.Verdict == check.Passed:
		return fmt.Sprintf("%s: %d schedules", p.Verdict, p.Schedules)
	}
	return fmt.Sprintf("%s: %s", p.Verdict, brief(p.Reason))
}

// conclude sums up.
func (r *run) conclude() {
	s := r.summary
	s.Verdict, s.Seconds = Clean, time.Since(r.began).Seconds()
	for _, p := range s.Packages {
		switch {
		case len(p.fresh()) > 0 && !r.o.WriteBaseline:
			s.Verdict = Failed
		case s.Verdict == Failed:
		case p.Verdict == check.Error, r.o.Strict && (p.Counts.Inconclusive > 0 || p.Verdict == check.Inconclusive || p.Verdict == Untried):
			s.Verdict = Error
		}
		s.Counts.Add(p.Counts)
		s.Fixed = append(s.Fixed, r.known.gone(p)...)
	}
}

// baseline are the failures of a summary, as a baseline has them, and what was known of
// packages that were not searched.
func (s *Summary) baseline(known *Baseline) *Baseline {
	b := &Baseline{Version: baselineVersion, Failures: []Known{}}
	searched := map[string]Package{}
	for _, p := range s.Packages {
		if p.searched() {
			searched[p.Path] = p
		}
		for _, f := range p.Failures {
			f.Why = known.why(f.Known)
			b.Failures = append(b.Failures, f.Known)
		}
	}
	if known != nil {
		for _, k := range known.Failures {
			if p, ok := searched[k.Package]; (!ok || !p.saysOf(k.Test)) && !b.has(k) {
				b.Failures = append(b.Failures, k)
			}
		}
	}
	return b
}

// save writes the summary and what CI systems read.
func (s *Summary) save(dir string) error {
	if dir == "" {
		return nil
	}
	data, err := s.JSON()
	if err != nil {
		return err
	}
	if err := gotool.WriteFile(filepath.Join(dir, Name), data); err != nil {
		return fmt.Errorf("save the summary: %w", err)
	}
	return s.saveForCI(dir)
}

// brief is a reason in one line, without the stack of a goroutine that may follow it.
func brief(reason string) string {
	first, _, more := strings.Cut(reason, "\n")
	if more {
		first, _, _ = strings.Cut(first, ": goroutine ")
	}
	return report.OneLine(first)
}

// JSON is the summary as in checks.json.
func (s *Summary) JSON() ([]byte, error) { return result.Indent(s) }

// Print writes the summary for people.
func (s *Summary) Print(w io.Writer, how check.PrintOptions) error {
	var b strings.Builder
	fresh, known := 0, 0
	for _, p := range s.Packages {
		line := p.Path
		if len(p.Failures) == 0 && p.Reason != "" && p.Verdict != check.Passed {
			line += ": " + brief(p.Reason)
		}
		b.WriteString(report.Wrap(line, report.ProseWidth, fmt.Sprintf("%-12s ", p.Verdict), "             "))
		for _, f := range p.Failures {
			what := "new"
			switch {
			case f.Baseline:
				what, known = "known", known+1
			case f.told() != "":
				what = f.told()
			default:
				fresh++
			}
			b.WriteString(report.Wrap(report.OneLine(fmt.Sprintf("%s: %s: %s", what, orKind(f), f.Message)), report.ProseWidth, "             ", "               "))
			if f.Schedule != "" && !f.Baseline {
				fmt.Fprintf(&b, "             replay it: mendel replay %s\n", filepath.Join(how.Out, filepath.FromSlash(f.Schedule)))
			}
		}
	}
	for _, k := range s.Fixed {
		fmt.Fprintf(&b, "not seen any more: %s: %s\n", k.Package, report.OneLine(k.Message))
	}
	for _, note := range s.Notes {
		fmt.Fprintf(&b, "note: %s\n", report.OneLine(note))
	}
	if s.Counts.Tests > 0 {
		fmt.Fprintf(&b, "%s\n", s.Counts)
	}
	fmt.Fprintf(&b, "%s: %s, %s, %d known; %.1f s of %.0f s\n", s.Verdict, report.Count(len(s.Packages), "package"), report.Count(fresh, "new failure"), known, s.Seconds, s.Budget)
	_, err := io.WriteString(w, b.String())
	return err
}

// orKind is the test of a failure, or else its kind.
func orKind(f Failure) string { return cmp.Or(f.Test, evidence.Kind(f.Kind).Words()) }

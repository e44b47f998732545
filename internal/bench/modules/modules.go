package modules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/internal/bench/cached"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

// Options say which tests to check, and how long.
type Options struct {
	Only     []string      // parts of import paths; none: all
	Run      string        // regular expression for names of tests
	Limit    time.Duration // of one test, positive
	Seed     uint64
	Workers  int    // processes at a time; 0: the number of CPUs
	Subjects string // directory; "": without subjects
	Profile  bool   // check nothing: measure what it costs to profile the libraries' tests
	Rounds   int    // with Profile, positive
	Out      string // directory of modules.json and modules.md; "": print only
	Command  string // to type, for the report
}

// A report is the outcome of the modules command, as saved in
// modules.json.
type report struct {
	tables.Machine
	Limit string       `json:"limit"` // for each test
	Tests []*testCheck `json:"tests"`
}

// A testCheck is what the checker made of one test, or of a package that it
// could not build.
type testCheck struct {
	Module    string          `json:"module"` // with its version
	Package   string          `json:"package"`
	Test      string          `json:"test,omitempty"` // "": the package does not build
	Verdict   explore.Verdict `json:"verdict"`
	Bound     int             `json:"bound,omitempty"` // with exhausted; -1: any number of preemptions
	Fair      bool            `json:"fair,omitempty"`
	Skipped   bool            `json:"skipped,omitempty"`
	Schedules int             `json:"schedules"`
	Seconds   float64         `json:"seconds"`
	Reason    string          `json:"reason,omitempty"`
	// ByDesign are the failures for which a time-out has to expire although goroutines
	// could go on. The rest is what the checker says if no time-out does that.
	ByDesign []string `json:"byDesign,omitempty"`
	// Failures should all be real; others are false alarms.
	Failures []moduleFailure `json:"failures,omitempty"`
}

// A moduleFailure is a failure of a test that ought to be correct.
type moduleFailure struct {
	checker.Failure
	Real string `json:"real,omitempty"` // why it is no false alarm; "": nobody has looked
}

// A library is a module in a directory, with the packages to check.
type library struct {
	name     string // for people: path and version
	dir      string
	packages []string // slash-separated directories
}

// Run checks the libraries' tests and prints the table. Interrupted, it
// prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	if o.Limit <= 0 {
		return errors.New("--budget must be positive")
	}
	if o.Profile && o.Rounds < 1 {
		return errors.New("--rounds must be positive")
	}
	run, err := regexp.Compile(o.Run)
	if err != nil {
		return fmt.Errorf("--run: %w", err)
	}
	if err := tables.MakeOut(o.Out); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		return err
	}
	if o.Profile {
		return profile(ctx, tool, o, stdout, stderr)
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	libraries, err := o.libraries(ctx, tool, dir)
	if err != nil {
		return err
	}
	if len(libraries) == 0 {
		return fmt.Errorf("--only %s: no package's import path contains that", strings.Join(o.Only, ","))
	}
	r := &report{Machine: tables.ThisMachine(tool), Limit: o.Limit.String()}
	var broken error
	for _, l := range libraries {
		if broken = r.check(ctx, l, run, o, stderr); broken != nil {
			break
		}
	}
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "modules", Command: o.Command}, broken)
}

// libraries copies what is to be checked below a directory.
func (o Options) libraries(ctx context.Context, tool *gotool.Toolchain, below string) ([]library, error) {
	libraries, err := o.standardLibraries(ctx, tool, filepath.Join(below, "standard"))
	if err != nil {
		return nil, err
	}
	for i, m := range cached.Modules() {
		dir := filepath.Join(below, fmt.Sprint(i))
		packages, err := m.Fetch(ctx, dir)
		if err != nil {
			return nil, err
		}
		packages = slices.DeleteFunc(slices.Clone(packages), func(p string) bool { return !o.wanted(importPath(m.Path, p)) })
		if len(packages) > 0 {
			libraries = append(libraries, library{m.Name(), dir, packages})
		}
	}
	if o.Subjects == "" {
		return libraries, nil
	}
	subjects, err := subject.Read(o.Subjects, nil)
	if err != nil {
		return nil, err
	}
	for _, s := range subjects {
		if o.wanted("subjects/" + s.Name) {
			libraries = append(libraries, library{"subjects/" + s.Name + ", corrected", filepath.Join(s.Dir, "testdata", "fixed"), []string{"."}})
		}
	}
	return libraries, nil
}

// wanted reports whether --only selects an import path.
func (o Options) wanted(importPath string) bool {
	return len(o.Only) == 0 || slices.ContainsFunc(o.Only, func(part string) bool { return strings.Contains(importPath, part) })
}

// importPath is that of the package in a directory of a module.
func importPath(module, dir string) string {
	if dir == "." {
		return module
	}
	return module + "/" + dir
}

// check checks the tests of a library, each by itself.
func (r *report) check(ctx context.Context, l library, run *regexp.Regexp, o Options, log io.Writer) error {
	for _, pkg := range l.packages {
		before := len(r.Tests)
		if err := r.checkPackage(ctx, l, pkg, run, o); err != nil {
			return fmt.Errorf("%s, package %s: %w", l.name, pkg, err)
		}
		verdicts := map[explore.Verdict]int{}
		for _, t := range r.Tests[before:] {
			verdicts[t.Verdict]++
		}
		fmt.Fprintf(log, "%s, package %s: %s\n", l.name, pkg, cmp.Or(tables.CountWords(verdicts), "no tests"))
	}
	return nil
}

// checkPackage checks the tests of one package of a library.
func (r *report) checkPackage(ctx context.Context, l library, pkg string, run *regexp.Regexp, o Options) (err error) {
	p, err := programs.Instrument(ctx, l.dir, "./"+pkg, o.Workers)
	if refused := (*gotool.BuildError)(nil); errors.As(err, &refused) {
		r.Tests = append(r.Tests, &testCheck{
			Module: l.name, Package: pkg, Verdict: explore.Inconclusive, Reason: "the instrumented package does not build: " + refused.Error(),
		})
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	reviewed := reviewsOf(l.name, pkg)
	for _, name := range p.Tests() {
		if !run.MatchString(name) {
			continue
		}
		t, err := checkTest(ctx, p, checker.Search{
			Tests: []string{name}, Budget: o.Limit, Seed: o.Seed,
			All: len(reviewed) > 0, // what is known to fail must hide nothing else
		})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		t.Module, t.Package, t.Test = l.name, pkg, name
		t.review(reviewed)
		r.Tests = append(r.Tests, t)
	}
	return nil
}

// checkTest checks a test, once more with all time-outs believed if a failure needs
// that one expires early.
func checkTest(ctx context.Context, p *programs.Instrumented, s checker.Search) (*testCheck, error) {
	report, err := p.Check(ctx, s)
	if err != nil {
		return nil, err
	}
	var byDesign []string
	for _, f := range report.Failures {
		if len(f.TimeOuts) > 0 {
			byDesign = append(byDesign, fmt.Sprintf("%s: %s", f.Kind, f.Message))
		}
	}
	if len(byDesign) > 0 {
		s.Patience = -1
		if report, err = p.Check(ctx, s); err != nil {
			return nil, err
		}
	}
	t := newTestCheck(report)
	t.ByDesign = byDesign
	return t, nil
}

// newTestCheck takes what the tables need from a report on one test.
func newTestCheck(report *checker.Report) *testCheck {
	t := &testCheck{
		Verdict: report.Verdict, Bound: report.Bound, Fair: report.Fair,
		Schedules: report.Schedules, Seconds: report.Seconds, Reason: report.Reason,
	}
	for _, f := range report.Failures {
		t.Failures = append(t.Failures, moduleFailure{Failure: f})
	}
	if len(report.Tests) == 1 {
		t.Skipped = report.Tests[0].Skipped
		t.Reason = cmp.Or(t.Reason, report.Tests[0].Reason)
	}
	return t
}

// review notes which failures are known to be real.
func (t *testCheck) review(reviewed []review) {
	for i, f := range t.Failures {
		for _, r := range reviewed {
			if r.about(f.Failure) {
				t.Failures[i].Real = r.why
			}
		}
	}
}

// alarms lists the failures that are not known to be real.
func (t *testCheck) alarms() []string {
	var alarms []string
	for _, f := range t.Failures {
		if f.Real == "" {
			alarms = append(alarms, fmt.Sprintf("%s: %s", f.Kind, f.Message))
		}
	}
	return alarms
}

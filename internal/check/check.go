package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/analysis/rounds"
	"mendel/checker"
	"mendel/checker/impact"
	"mendel/checker/sched/explore"
	"mendel/internal/cover"
	"mendel/internal/diagnosis"
	"mendel/internal/gotool"
	"mendel/internal/localize"
	"mendel/internal/overrun"
	"mendel/internal/result"
)

// DefaultBudget is the time for the schedules of a check unless Options say otherwise.
const DefaultBudget = time.Minute

// DefaultPatience is from which duration on time-outs are believed, whoever sets them.
const DefaultPatience = time.Minute

// Options say what to check and how long to try. Zero values are defaults.
type Options struct {
	Dir        string   // directory to work in, as go -C; "": the current one
	Package    string   // import path or ./relative pattern of one package; "": "."
	Run        string   // -run pattern of the tests; "": all
	Tags       string   // build tags, comma-separated
	Flags      []string // further build flags for the go command
	Instrument []string // import path patterns of dependencies in which races are reported too, "golang.org/x/sync/..."

	// Strategy is one of explore.Names, under the checker's control;
	// or maple, noise, delay or stress, with the real scheduler; "": auto.
	Strategy    string
	Native      bool // without the checker's control: auto means maple, and what maple finds is not looked for under control
	Preemptions int  // bound of dfs; 0: 2; negative: none
	Depth       int  // of pct; 0: 3
	Window      int  // of predict: steps that are looked at together; 0: 1000
	Schedules   int  // of each test, or runs; 0: no bound
	Steps       int  // of one schedule; 0: 100,000
	// Capp is a mode of package impact, "LOS", or "default": schedules that have to do with a change come
	// first. The change is what is different since a revision, or a patch file that has been
	// applied. "": none.
	Capp, Since, Patch string
	Patience           time.Duration // from which duration on a time-out is believed not to expire while goroutines can go on; 0: DefaultPatience; negative: all are
	Impatient          bool          // no time-out is believed: Patience is none, and a test's patience may end at any time
	Leaks              string        // "all": goroutines that a test leaves are a failure, though it does not call what would end them; "": they are told
	Flaky              bool          // a failure that comes only if a test's time-out expires early counts like others
	Budget             time.Duration // for schedules, once the tests are built; one second at least; 0: DefaultBudget
	Seed               uint64        // of the random strategies; 0: 1
	Workers            int           // processes at a time; 0: runtime.NumCPU()
	Scale              int           // the tests' loops of constant length go round so many times less often, see package rounds; 0 or 1: they do not
	Fresh              bool          // with maple: force again what earlier runs with this Out have exposed or given up
	All                bool          // collect all failures of each test, behind data races too
	FailFast           bool          // end with the first failure; else every test has its verdict

	Out      string          // directory for check.json and schedules, made if missing; "": nothing is written
	Observer result.Observer // nil: nobody
}

// withDefaults fills in what is zero.
func (o Options) withDefaults() Options {
	o.Package = cmp.Or(o.Package, ".")
	o.Strategy = cmp.Or(o.Strategy, "auto")
	if o.Native && o.Strategy == "auto" {
		o.Strategy = cover.Maple
	}
	o.Preemptions = max(cmp.Or(o.Preemptions, 2), -1)
	o.Budget = cmp.Or(o.Budget, DefaultBudget)
	o.Seed = cmp.Or(o.Seed, 1)
	if o.Patience = cmp.Or(o.Patience, DefaultPatience); o.Impatient {
		o.Patience = 0
	}
	o.Workers = cmp.Or(o.Workers, runtime.NumCPU())
	if o.Observer == nil {
		o.Observer = result.Silent{}
	}
	return o
}

// check refuses values that make no sense.
func (o Options) check() error {
	switch known := slices.Contains(explore.Names(), o.Strategy); {
	case !known && !o.isNative():
		return fmt.Errorf("--strategy %s: want %s, or %s", o.Strategy, explore.Alternatives(explore.Names()), explore.Alternatives(cover.Strategies))
	case known && o.Native:
		return fmt.Errorf("--native: %s makes schedules under the checker's control; want %s", o.Strategy, explore.Alternatives(cover.Strategies))
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"depth", o.Depth}, {"window", o.Window}, {"schedules", o.Schedules}, {"steps", o.Steps}, {"workers", o.Workers}, {"scale", o.Scale}} {
		if n.value < 0 {
			return fmt.Errorf("--%s %d is negative", n.name, n.value)
		}
	}
	switch {
	case o.Capp == "":
	case o.Capp != impact.Basic && o.Capp != "default" && !slices.Contains(impact.Modes, o.Capp):
		return fmt.Errorf("--capp %s: want %s, %s or default", o.Capp, strings.Join(impact.Modes, ", "), impact.Basic)
	case o.Strategy != "auto" && o.Strategy != "dfs" || o.Native:
		return fmt.Errorf("--capp: it orders what the strategies auto and dfs do, not %s", o.Strategy)
	case (o.Since == "") == (o.Patch == ""):
		return errors.New("--capp: name the change, with --since REVISION or --patch FILE")
	}
	if o.Scale > 1 && (o.isNative() || o.Native || o.Capp != "") {
		return errors.New("--scale: it is for schedules under the checker's control, and not with --capp")
	}
	if o.Leaks != "" && o.Leaks != leaksAll {
		return fmt.Errorf("--leaks %s: want %s", o.Leaks, leaksAll)
	}
	if o.All && o.FailFast {
		return errors.New("--all and --failfast: one goes on after a failure, the other does not")
	}
	if _, err := regexp.Compile(o.Run); err != nil {
		return fmt.Errorf("--run %s: %w", o.Run, err)
	}
	if o.Budget < 0 {
		return errors.New("--budget must not be negative")
	}
	return nil
}

// Run runs the tests of a package under a scheduler of its own and explores
// the schedules of each until it fails or there is no more to do (package checker).
// The result is never nil; when ctx ends it holds what had been found by then,
// and the error is ctx's. The budget's end is no error, and neither is any
// verdict: errors are for what could not be checked at all, as a package that
// does not build or has no tests.
func Run(ctx context.Context, o Options) (*Result, error) {
	began := time.Now()
	o = o.withDefaults()
	res := &Result{
		Verdict: Error, Seed: o.Seed, Strategy: o.Strategy, Target: result.Target{Package: o.Package, Run: o.Run},
		Preemptions: o.Preemptions,
		Tests:       []Test{}, Failures: []Failure{}, // lists in JSON, though they be empty
	}
	if err := o.check(); err != nil {
		return res, err
	}
	if err := result.PrepareOut(o.Out); err != nil {
		return res, err
	}
	c := &checking{o: o, result: res}
	run := c.run
	if o.isNative() {
		run = c.native
	}
	err := run(ctx)
	if err != nil && res.report == nil {
		res.Reason = err.Error()
	}
	if ctx.Err() != nil {
		err = ctx.Err()
		res.interrupted()
	}
	res.Seconds = time.Since(began).Seconds()
	if !c.built.IsZero() {
		res.Building = c.built.Sub(began).Seconds()
	}
	if saveErr := res.save(o.Out); saveErr != nil {
		return res, errors.Join(err, saveErr)
	}
	return res, err
}

// A checking is one check under way.
type checking struct {
	o      Options
	built  time.Time // the budget begins
	result *Result
}

// left is what is left of the budget.
func (c *checking) left() time.Duration { return time.Until(c.built.Add(c.o.Budget)) }

// least is a budget, or what is left until ctx ends if that is less: a search that knows its
// end shares it among the tests, one that is interrupted has not come to some.
func least(ctx context.Context, budget time.Duration) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		return max(min(budget, time.Until(end)), time.Second)
	}
	return budget
}

// run is the way from the target to the result.
func (c *checking) run(ctx context.Context) error {
	what := c.o.Package
	if what == "." {
		what = filepath.Base(c.o.Dir)
	}
	c.o.Observer.Phase("loading %s", what)
	p, err := prepare(ctx, analysis.Target{
		Dir: c.o.Dir, Package: c.o.Package, Run: c.o.Run, Flags: result.BuildFlags(c.o.Tags, c.o.Flags),
	}, c.o.Instrument, c.o.Workers, c.o.Scale, c.o.Observer)
	if err != nil {
		return err
	}
	defer p.close()
	c.built, c.o.Budget = time.Now(), least(ctx, c.o.Budget)
	within, cancel := context.WithTimeout(ctx, c.o.Budget) // the search ends by itself, with a report
	defer cancel()
	defer overrun.Watch(within)()
	res := c.result
	res.program = p.program
	res.Target.Module, res.Target.Package = p.tool.ModuleDir, p.program.Packages[0].Path
	res.Uncontrolled = p.binary.Uncontrolled()
	res.Scale = p.scale
	for _, change := range p.shrunk {
		res.Shrunk = append(res.Shrunk, change.String())
	}

	prefer, err := c.prefer(ctx, p)
	if err != nil {
		return err
	}
	c.o.Observer.Phase("exploring schedules for up to %v", c.o.Budget)
	report, err := p.binary.Check(ctx, checker.Search{
		Strategy: c.o.Strategy, Budget: max(c.left()*9/10, time.Second), Schedules: c.o.Schedules,
		Preemptions: c.o.Preemptions, Impact: prefer, Depth: c.o.Depth, Window: c.o.Window, Steps: c.o.Steps, Seed: c.o.Seed,
		Patience: c.o.Patience, Guards: !c.o.Impatient, Flaky: !c.o.Impatient && !c.o.Flaky, Left: c.o.Leaks != leaksAll, Single: true, All: c.o.All || !c.o.FailFast, PastRaces: c.o.All, Most: c.o.most(), Suite: true, Explain: true,
	})
	if report == nil {
		return err
	}
	if p.scale == 0 {
		res.hints = c.longLoops(p.program, report)
	}
	samples := c.samples(ctx, p.binary, report.Failures)
	diagnoses := c.diagnose(ctx, p, report.Failures)
	return errors.Join(err, res.take(report, samples, diagnoses, p.binary))
}

// longLoops says of tests that take too long, or do not end within the bound on steps, which
// of their loops could be shorter.
func (c *checking) longLoops(p *analysis.Program, r *checker.Report) (hints []string) {
	for _, t := range r.Tests {
		if t.Cause != checker.TooLong && t.Cause != checker.Endless {
			continue
		}
		loops := rounds.OfTest(p.Packages, t.Name)
		if len(loops) == 0 {
			continue
		}
		longest := slices.MaxFunc(loops, func(a, b rounds.Loop) int { return cmp.Compare(a.Rounds, b.Rounds) })
		hints = append(hints, fmt.Sprintf("%s takes long: %s. --scale 100 divides that by a hundred.", t.Name, longest))
	}
	return hints
}

// leaksAll is the value of Options.Leaks.
const leaksAll = "all"

// mostFailures is how many failures of a test are looked for.
const mostFailures = 3

// most bounds the failures of each test; 0: no bound.
func (o Options) most() int {
	if o.All || o.FailFast {
		return 0
	}
	return mostFailures
}

const (
	sampleSize  = 30              // random schedules that tell how often a test fails: guessed
	sampleTests = 8               // tests that are sampled
	sampleTime  = 5 * time.Second // for each, and at least a tenth of the budget for all
)

// samples makes random schedules of the tests that failed, to tell a test that
// fails whatever the schedule from one that fails under few.
func (c *checking) samples(ctx context.Context, b *checker.Binary, failures []checker.Failure) []Sample {
	known := map[string]*checker.Report{}
	samples := make([]Sample, len(failures))
	for i, f := range failures {
		report, done := known[f.Test]
		if !done {
			if len(known) == sampleTests || c.left() < time.Second/2 || ctx.Err() != nil {
				break
			}
			c.o.Observer.Phase("sampling schedules of %s", f.Test)
			// What cannot be sampled has failed all the same.
			report, _ = b.Check(ctx, checker.Search{
				Strategy: "random", Budget: min(c.left()/2, sampleTime), Seed: c.o.Seed, Steps: c.o.Steps, Patience: c.o.Patience, Guards: !c.o.Impatient,
				Tests: []string{f.Test}, Sample: sampleSize, Schedules: sampleSize,
			})
			known[f.Test] = report
		}
		if report == nil {
			continue
		}
		failed := report.Sampled - report.Passed
		samples[i] = Sample{Schedules: report.Sampled, Failed: failed, Same: failed == report.Kinds[string(f.Kind)]}
	}
	return samples
}

// diagnosing bounds the time for finding out what is wrong. Guessed.
const diagnosing = 2 * time.Second

// diagnose finds out what is wrong where each of the failures shows it, as long as there is
// time: the failures themselves are to be told in time.
func (c *checking) diagnose(ctx context.Context, p *prepared, failures []checker.Failure) [][]diagnosis.Finding {
	if len(failures) == 0 || ctx.Err() != nil || c.left() < time.Second/2 {
		return nil
	}
	c.o.Observer.Phase("diagnosing")
	found, err := localize.Diagnose(ctx, localize.Failures{
		Program: p.program, Binary: p.binary, All: failures, Seed: c.o.Seed, Budget: min(diagnosing, c.left()),
	})
	if err != nil {
		return nil // what cannot be diagnosed has failed all the same
	}
	return found
}

// A prepared is a program that is ready to be explored.
type prepared struct {
	tool    *gotool.Toolchain
	program *analysis.Program
	checker *checker.Checker
	binary  *checker.Binary

	// With a scale: by how much the tests' loops were made shorter, and how. scale is 0 if
	// there is nothing to shrink.
	scale  int
	files  map[string][]byte
	shrunk []rounds.Change
}

// prepare loads, instruments and builds a program, with the tests' loops shorter if the scale is
// above 1.
func prepare(ctx context.Context, t analysis.Target, patterns []string, workers, scale int, observer result.Observer) (*prepared, error) {
	p := &prepared{}
	var err error
	if p.tool, err = gotool.Open(ctx, t.Dir); err != nil {
		return nil, err
	}
	t.Dir, t.Instrument, t.Unedited = p.tool.Dir, patterns, true
	if p.program, err = analysis.Load(ctx, p.tool, t); err != nil {
		return nil, err
	}
	if err := p.program.CheckRun(); err != nil {
		return nil, err
	}
	observer.Phase("building the instrumented tests")
	p.checker, err = checker.New(ctx, checker.Config{Tool: p.tool, Program: p.program, Flags: t.Flags, Workers: workers})
	if err != nil {
		return nil, err
	}
	if scale > 1 {
		builds := func(files map[string][]byte) bool { _, _, err := p.program.Recheck(files); return err == nil }
		if p.files, p.shrunk = rounds.Shrink(p.program.Packages, scale, builds); len(p.files) > 0 {
			p.scale = scale
		}
	}
	if p.binary, err = p.checker.Build(ctx, p.files); err != nil {
		p.close()
		return nil, buildFailure(err)
	}
	return p, nil
}

// buildFailure adds the way out to why there is no instrumented binary.
func buildFailure(err error) error {
	if unfit := (*checker.InstrumentError)(nil); errors.As(err, &unfit) {
		return fmt.Errorf("%w\nThe package builds as it is; mendel repair runs it with noise instead", err)
	}
	if errors.Is(err, gotool.ErrNoTests) {
		return fmt.Errorf("nothing to check: %w", err)
	}
	return fmt.Errorf("build the tests: %w", err)
}

// close removes what was built. Temporary files that cannot be removed change
// nothing about what was found.
func (p *prepared) close() {
	if p.binary != nil {
		p.binary.Close()
	}
	p.checker.Close()
}

// interrupted words the result of a check that was ended from outside.
func (res *Result) interrupted() {
	res.Interrupted = true
	if res.Verdict == Failed || res.Verdict == Flaky || res.Verdict == Left {
		return
	}
	res.Verdict = Inconclusive
	switch {
	case res.covered != nil:
		res.Reason = fmt.Sprintf("interrupted after %d runs, none of which failed", res.Schedules)
	case res.report == nil:
		res.Reason = "interrupted before the first schedule"
	case res.Schedules > 0:
		res.Reason = fmt.Sprintf("interrupted after %d schedules, none of which failed", res.Schedules)
	default:
		res.Reason = "interrupted before the end of the first schedule"
	}
}

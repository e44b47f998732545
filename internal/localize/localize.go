package localize

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/internal/gotool"
)

// Methods.
const (
	MethodSchedules = "schedules"
	MethodNoise     = "noise"
)

// DefaultBudget is the time for a localisation unless Options say otherwise.
const DefaultBudget = 20 * time.Second

// Options say what to look at and how long. Zero values are defaults.
type Options struct {
	Dir        string        // directory to work in, as go -C; "": the current one
	Package    string        // import path or ./relative pattern of one package; "": "."
	Run        string        // -run pattern of the tests; "": all
	Tags       string        // build tags, comma-separated
	Flags      []string      // further build flags for the go command
	Executions int           // compared of each test; 0: 300, or 100 where each failure explains itself
	Budget     time.Duration // for everything; 0: DefaultBudget
	Seed       uint64        // 0: 1
	Workers    int           // processes at a time; 0: runtime.NumCPU()
	// Method is MethodSchedules or MethodNoise; "": schedules, and noise where the
	// checker can say nothing.
	Method string
	Noise  []string // kinds of noise places, of NoiseKinds; nil: all
	// FailingOnly compares no execution that passes: what is found then is found where there
	// is none.
	FailingOnly bool
	// Declined asks the operators that mend what was found why they make no edit there.
	Declined bool
	// Phase is told what is being done; nil: nobody is.
	Phase func(format string, args ...any)
}

func (o Options) withDefaults() Options {
	o.Package = cmp.Or(o.Package, ".")
	o.Budget = cmp.Or(o.Budget, DefaultBudget)
	o.Seed = cmp.Or(o.Seed, 1)
	o.Workers = cmp.Or(o.Workers, runtime.NumCPU())
	if o.Tags != "" {
		o.Flags = append([]string{"-tags=" + o.Tags}, o.Flags...)
	}
	if o.Phase == nil {
		o.Phase = func(string, ...any) {}
	}
	return o
}

// check refuses values that make no sense.
func (o Options) check() error {
	switch {
	case o.Executions < 0:
		return fmt.Errorf("--executions %d is negative", o.Executions)
	case o.Workers < 0:
		return fmt.Errorf("--workers %d is negative", o.Workers)
	case o.Budget < 0:
		return errors.New("--budget must not be negative")
	}
	if o.Method != "" && o.Method != MethodSchedules && o.Method != MethodNoise {
		return fmt.Errorf("--method %s: want %s or %s", o.Method, MethodSchedules, MethodNoise)
	}
	for _, kind := range o.Noise {
		if !slices.Contains(NoiseKinds, kind) {
			return fmt.Errorf("--noise %s: want some of %s", kind, strings.Join(NoiseKinds, ", "))
		}
	}
	if _, err := regexp.Compile(o.Run); err != nil {
		return fmt.Errorf("--run %s: %w", o.Run, err)
	}
	return nil
}

// Errors for packages in which there is nothing to localise.
var (
	ErrSequential    = errors.New("the failure is not one of concurrency")
	ErrNotConcurrent = errors.New("nothing concurrent")
)

// Run ranks the places in the source that make the tests of a package fail. The
// result is nil with an error, and only then. The budget's end is no error.
func Run(ctx context.Context, o Options) (*Result, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	l := &localizing{o: o, began: time.Now()}
	defer l.close()
	if err := l.run(ctx); err != nil {
		return nil, err
	}
	if err := l.diagnose(ctx); err != nil {
		return nil, err
	}
	l.result.Seconds = time.Since(l.began).Seconds()
	return l.result, nil
}

// A localizing is one under way.
type localizing struct {
	o       Options
	began   time.Time
	result  *Result
	tool    *gotool.Toolchain
	program *analysis.Program
	checker *checker.Checker
	binary  *checker.Binary
}

func (l *localizing) left() time.Duration { return time.Until(l.began.Add(l.o.Budget)) }

// close removes what was built. What cannot be removed changes nothing about what
// was found.
func (l *localizing) close() {
	if l.binary != nil {
		l.binary.Close()
	}
	if l.checker != nil {
		l.checker.Close()
	}
}

func (l *localizing) run(ctx context.Context) error {
	l.o.Phase("loading %s", l.o.Package)
	var err error
	if l.tool, err = gotool.Open(ctx, l.o.Dir); err != nil {
		return err
	}
	if l.program, err = analysis.Load(ctx, l.tool, analysis.Target{Dir: l.tool.Dir, Package: l.o.Package, Run: l.o.Run, Flags: l.o.Flags}); err != nil {
		return err
	}
	if err := l.program.CheckRun(); err != nil {
		return err
	}
	l.result = (&Result{Module: l.tool.ModuleDir, Package: l.program.Packages[0].Path, Seed: l.o.Seed}).blank()
	if l.o.Method == MethodNoise {
		noise := func(ctx context.Context) (string, error) { return l.byNoise(ctx, "") }
		return l.noiseFirst(ctx, noise, l.bySchedules)
	}
	return l.bySchedules(ctx)
}

// noiseFirst localises by noise, and asks the checker if that tells no place from
// another. Where the checker has nothing to say either, what noise told stands.
func (l *localizing) noiseFirst(ctx context.Context, noise func(context.Context) (undecided string, err error), schedules func(context.Context) error) error {
	undecided, err := noise(ctx)
	if err != nil || undecided == "" {
		return err
	}
	told := *l.result
	l.o.Phase("%s: asking the checker", undecided)
	l.result = told.blank()
	err = schedules(ctx)
	unfit := (*checker.InstrumentError)(nil)
	l.result.Tried.NoisePlaces, l.result.Tried.NoiseRuns = told.Tried.NoisePlaces, told.Tried.NoiseRuns
	if errors.As(err, &unfit) || err == nil && (l.result.Status == Inconclusive || told.Status == Found && l.result.Status != Found) {
		told.Tried.Verdict, told.Tried.Tests, told.Tried.Schedules = l.result.Tried.Verdict, l.result.Tried.Tests, l.result.Tried.Schedules
		l.result, err = &told, nil
	}
	return err
}

// bySchedules localises with the checker. Unless that is what was asked for, noise
// takes its place where it can say nothing.
func (l *localizing) bySchedules(ctx context.Context) error {
	if err := l.build(ctx); err != nil {
		if unfit := (*checker.InstrumentError)(nil); errors.As(err, &unfit) && l.o.Method == "" {
			_, err = l.byNoise(ctx, "the checker cannot follow the program")
		}
		return err
	}
	l.o.Phase("exploring schedules")
	report, err := l.check(ctx, l.left()/5)
	if err == nil && report.Verdict == explore.Passed {
		report, err = l.check(ctx, l.left()*2/3)
	}
	if err != nil {
		return err
	}
	l.result.Tried.Verdict, l.result.Tried.Tests, l.result.Tried.Schedules = report.String(), len(report.Tests), report.Schedules
	return l.conclude(ctx, report)
}

// check explores schedules of some tests, or of all, for some time, but long enough to say
// anything.
func (l *localizing) check(ctx context.Context, budget time.Duration, tests ...string) (*checker.Report, error) {
	return l.binary.Check(ctx, checker.Search{
		Tests: tests, Budget: max(budget, leastWitness), Seed: l.o.Seed, All: true, PastRaces: true, Explain: true,
	})
}

// passing are the tests that have not failed.
func passing(r *checker.Report) (tests []string) {
	failing := failingTests(r.Failures)
	for _, t := range r.Tests {
		if !slices.Contains(failing, t.Name) {
			tests = append(tests, t.Name)
		}
	}
	return tests
}

// build builds the instrumented tests.
func (l *localizing) build(ctx context.Context) error {
	l.o.Phase("building the instrumented tests")
	var err error
	if l.checker, err = checker.New(ctx, checker.Config{Tool: l.tool, Program: l.program, Workers: l.o.Workers}); err != nil {
		return err
	}
	l.binary, err = l.checker.Build(ctx, nil)
	switch {
	case errors.Is(err, gotool.ErrNoTests):
		return fmt.Errorf("nothing to localise: %w", err)
	case err != nil:
		return fmt.Errorf("build the tests: %w", err)
	}
	return nil
}

// conclude makes the result of what the checker found.
func (l *localizing) conclude(ctx context.Context, report *checker.Report) error {
	l.o.Phase("comparing executions")
	x, err := l.examiner(ctx, report)
	if err != nil {
		return err
	}
	failures := slices.DeleteFunc(slices.Clone(report.Failures), overdue)
	if len(failures) == 0 {
		switch {
		case report.Verdict == explore.Inconclusive:
			l.result.Status, l.result.Reason = Inconclusive, report.Reason
			if l.o.Method == "" {
				_, err := l.byNoise(ctx, report.Reason)
				return err
			}
		case !x.concurrent():
			return fmt.Errorf("%w: no test of %s starts a goroutine", ErrNotConcurrent, l.result.Package)
		default:
			l.result.Status = NothingFound
		}
		return nil
	}
	kept := slices.DeleteFunc(slices.Clone(failures), func(f checker.Failure) bool { return x.sequential(&f) })
	if others := passing(report); len(kept) == 0 && len(others) > 0 && len(others) < len(report.Tests) {
		// What fails whatever the schedule says nothing of the other tests.
		more, err := l.check(ctx, l.left()*2/3, others...)
		if err != nil {
			return err
		}
		if len(more.Failures) > 0 {
			return l.conclude(ctx, more)
		}
	}
	if len(kept) == 0 {
		f := failures[0]
		return fmt.Errorf("%w: %s fails whatever the schedule, and a single goroutine takes part: %s\nMend it first (go test -run '^%s$' %s), or leave it out with --run",
			ErrSequential, f.Test, firstLine(f.Message), f.Test, l.result.Package)
	}
	l.result.Status = Found
	x.rank(kept, l.result)
	return nil
}

// examiner has executions of each test told in full: of those that failed as many
// as were asked for, of the others a few.
func (l *localizing) examiner(ctx context.Context, report *checker.Report) (*examiner, error) {
	tests, n := failingTests(report.Failures), cmp.Or(l.o.Executions, enough(report.Failures))
	if len(tests) == 0 {
		n = 3
		for _, t := range report.Tests {
			tests = append(tests, t.Name)
		}
	}
	w := witnessing{program: l.program, binary: l.binary, executions: n, seed: l.o.Seed, least: leastWitness, failingOnly: l.o.FailingOnly, left: l.left}
	x, err := w.examiner(ctx, tests, report.Failures)
	if err != nil {
		return nil, err
	}
	for _, all := range x.executions {
		for _, e := range all {
			if e.Failure != nil {
				l.result.Tried.Failing++
			} else {
				l.result.Tried.Passing++
			}
		}
	}
	return x, nil
}

// enough is how many executions of a test are compared: patterns of accesses need
// many; what a race or a blocked goroutine waits for shows in few. Guessed.
func enough(failures []checker.Failure) int {
	if slices.ContainsFunc(failures, func(f checker.Failure) bool { return f.Kind == "test-failure" || f.Kind == "panic" }) {
		return 300
	}
	return 100
}

// concurrent reports whether any execution has several goroutines.
func (x *examiner) concurrent() bool {
	for _, all := range x.executions {
		for _, e := range all {
			if e.goroutines() > 1 {
				return true
			}
		}
	}
	return len(x.executions) == 0
}

// sequential reports whether a failure needs no second goroutine: it is a test's
// complaint or a panic, in every execution, and in some without another goroutine.
func (x *examiner) sequential(f *checker.Failure) bool {
	if f.Kind != "test-failure" && f.Kind != "panic" {
		return false
	}
	all := x.executions[f.Test]
	for _, e := range all {
		if !e.fails(f) || e.goroutines() > 1 {
			return false
		}
	}
	return len(all) > 0
}

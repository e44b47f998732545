package mendel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/mutate"
	"mendel/mutate/operators"
	"mendel/validate"
)

// Repair reproduces the failure of a target, searches for fixes and validates
// them. The result is never nil; when ctx ends it holds the best so far, and
// the error is ctx's. The budget's end is no error.
func Repair(ctx context.Context, o Options) (*Result, error) {
	began := time.Now()
	o = o.withDefaults()
	r := &repairer{o: o, result: &Result{Status: Failed, out: o.Out, Seed: o.Seed, Target: Target{Package: o.Package, Run: o.Run, IncludeTests: o.IncludeTests}}}
	if err := o.check(); err != nil {
		return r.result, err
	}
	if err := prepareOut(o.Out); err != nil {
		return r.result, err
	}

	budget, cancel := context.WithTimeout(ctx, o.Budget)
	defer cancel()
	err := r.repair(budget)
	r.endPhase()
	r.result.Seconds = time.Since(began).Seconds()
	r.result.Search.Evaluations = int(r.evaluations.Load())
	err = r.conclude(ctx, budget, err)
	if saveErr := r.result.save(o.Out); saveErr != nil {
		return r.result, errors.Join(err, saveErr)
	}
	return r.result, err
}

// conclude words the result of a repair that ended with err and returns the
// error that is left for the caller.
func (r *repairer) conclude(ctx, budget context.Context, err error) error {
	if reason, ok := asNotReproduced(err); ok {
		r.result.Status, r.result.Reason = NotReproduced, reason
		return nil
	}
	switch {
	case err == nil:
		return nil
	case budget.Err() != nil && errors.Is(err, budget.Err()):
		r.ranOut(ctx)
		return ctx.Err() // nil when only the budget was spent
	case r.result.Status == Fixed: // what was found stands
		r.note("the search ended early: %v", err)
		return nil
	}
	r.result.Status, r.result.Reason = Failed, err.Error()
	return err
}

// A repairer is one repair under way.
type repairer struct {
	o      Options
	result *Result

	tool      *gotool.Toolchain
	program   *analysis.Program
	narrowing *analysis.Narrowing
	harness   *noise.Harness
	before    struct{ builds, runs int } // of harnesses before this one
	space     *mutate.Space
	evaluator *fitness.Evaluator
	validator *validate.Validator

	evaluations atomic.Int64
	phaseBegan  time.Time
	phaseNow    int            // index in result.Phases
	phaseBuilt  checker.Builds // when the phase began

	explorer  *explorer              // nil: the checker is not used
	schedules []*checker.File        // of the failures that it found in the original, in their order
	source    *fitness.CheckerSource // nil: it does not score

	fixes []*validate.Fix
	seen  map[string]int // generation of a fix by the hash of its mutant
}

// repair is the way from the target to its fixes.
func (r *repairer) repair(ctx context.Context) error {
	if err := r.load(ctx); err != nil {
		return err
	}
	defer func() { _ = r.harness.Close() }() // the one there is then
	defer func() {
		builds, runs := r.harness.Counts()
		r.result.Search.Builds, r.result.Search.Runs = r.before.builds+builds, r.before.runs+runs
		r.closeChecker()
	}()

	r.phase("reproduce", "running the tests with noise")
	base, err := r.reproduce(ctx)
	if base != nil {
		r.result.Failures = base.failures
		r.nameSchedules()
	}
	if err != nil {
		return err
	}
	r.result.Status = NotFixed
	for _, f := range r.result.Failures {
		if f.Runs > 0 {
			r.o.Observer.Printf("%d of %d noised runs: %s", f.Seen, f.Runs, f.Message)
		}
		if f.found != nil {
			r.o.Observer.Printf("%s", found(*f.found))
		}
	}

	if err := r.narrow(base); err != nil {
		return err
	}
	if r.o.NoNoise && (base.checked == nil || base.checked.Verdict != sched.Failed) {
		r.result.Reason = "the checker does not see the failure, and noise is not to decide"
		return nil
	}
	before, err := r.prepareScoring(ctx, base)
	if err != nil {
		return err
	}
	r.phase("search", "searching among %d edits", r.result.Narrowed.Edits)
	return r.search(ctx, base, before)
}

// load reads the program and prepares to run it.
func (r *repairer) load(ctx context.Context) error {
	what := r.o.Package
	if what == "." {
		what = filepath.Base(r.o.Dir)
	}
	r.phase("load", "loading %s", what)
	var err error
	if r.tool, err = gotool.Open(ctx, r.o.Dir); err != nil {
		return err
	}
	r.result.Target.Module = r.tool.ModuleDir
	flags := r.o.Flags
	if r.o.Tags != "" {
		flags = append([]string{"-tags=" + r.o.Tags}, flags...)
	}
	r.program, err = analysis.Load(ctx, r.tool, analysis.Target{
		Dir: r.tool.Dir, Package: r.o.Package, Run: r.o.Run, Flags: flags,
	})
	if err != nil {
		return err
	}
	r.result.program = r.program
	r.result.Target.Package = r.program.Packages[0].Path
	if r.narrowing, err = analysis.Narrow(ctx, r.program); err != nil {
		return fmt.Errorf("narrow %s: %w", r.o.Package, err)
	}
	if err := r.given(); err != nil {
		return err
	}
	if r.tool.RaceErr != nil && !r.o.NoRace {
		r.o.NoRace = true
		r.note("no race detector, so that data races show only by their effects: %v", r.tool.RaceErr)
	}
	r.harness, err = noise.New(r.noiseConfig())
	return err
}

// noiseConfig is how noised programs are built and run.
func (r *repairer) noiseConfig() noise.Config {
	return noise.Config{
		Tool: r.tool, Program: r.program, Narrowing: r.narrowing, NoRace: r.o.NoRace, Timeout: r.o.Timeout,
		Workers: r.runsAtATime(),
	}
}

// runsAtATime is how many noised runs may go on side by side. A noised run
// sleeps more than half of its time: with two on each processor 150 runs took
// half as long on the subjects. With the checker there may be four: 150 runs took
// half as long again, each of them a tenth to a quarter longer.
// Without it they stay two, so that what noise alone does can be compared.
func (r *repairer) runsAtATime() int {
	if r.o.NoChecker {
		return 2 * r.o.Workers
	}
	return 4 * r.o.Workers
}

// given merges the evidence of the file that the user gave.
func (r *repairer) given() error {
	if r.o.From == "" {
		return nil
	}
	text, err := os.ReadFile(r.o.From)
	if err != nil {
		return fmt.Errorf("read the evidence: %w", err)
	}
	failures := evidence.Parse(text)
	if len(failures) == 0 {
		return fmt.Errorf("%s holds no race report, goroutine dump or panic; save the output of go test -race to a file and name that", r.o.From)
	}
	ours := slices.DeleteFunc(slices.Clone(failures), func(f evidence.Failure) bool { return !r.program.Names(f) })
	if len(ours) == 0 {
		return fmt.Errorf("%s: none of its %d failures names a file of %s", r.o.From, len(failures), r.program.Module)
	}
	added := r.narrowing.Merge(analysis.Given, ours...)
	r.o.Observer.Printf("%s names %d failures here; %d findings are new", r.o.From, len(ours), added)
	if others := len(failures) - len(ours); others > 0 {
		r.note("%d failures of %s name no file of %s", others, r.o.From, r.program.Module)
	}
	return nil
}

// narrow merges what the baseline showed and enumerates the edits.
func (r *repairer) narrow(base *baseline) error {
	r.phase("narrow", "narrowing")
	for _, f := range base.failures {
		if f.found != nil {
			r.narrowing.Merge(byChecker, f.Failure)
		}
		if f.Runs == 0 {
			continue
		}
		source := analysis.Dynamic
		if f.Kind == evidence.Deadlock || f.Kind == evidence.Blocked || f.Kind == evidence.Timeout {
			source = analysis.Dump
		}
		r.narrowing.Merge(source, f.Failure)
	}
	var err error
	var options []mutate.Option
	if r.o.IncludeTests {
		options = append(options, mutate.IncludeTests)
	}
	if r.space, err = mutate.NewSpace(r.program, r.narrowing, operators.All(), options...); err != nil {
		return fmt.Errorf("enumerate edits: %w", err)
	}
	r.countNarrowing()
	if r.o.Verbose {
		r.printNarrowing()
	}
	return nil
}

// prepareScoring makes the evaluator and the validator and returns how the
// original did, as a score.
func (r *repairer) prepareScoring(ctx context.Context, base *baseline) (fitness.Result, error) {
	before := fitness.Summarise(base.noised)
	scoring := fitness.Options{Harness: r.harness, Runs: r.o.Count, Seed: r.o.Seed, Observe: r.learn}
	validating := validate.Options{
		Space: r.space, Runner: validate.Harness(r.harness), Tool: r.tool, Program: r.program,
		Narrowing: r.narrowing, Before: before, Runs: r.o.Confirm, Seed: r.o.Seed,
		NoSerialize: r.o.NoSerialize, NoRace: r.o.NoRace, AtOnce: !r.o.NoChecker, Log: r.step,
	}
	if r.o.NoNoise {
		scoring.Harness, validating.NoNoise = nil, true
		r.note("no fix is confirmed by noised runs: the checker alone decides")
	}
	if base.checked != nil {
		alone := base.failed == 0 || r.o.NoNoise
		checking := fitness.CheckerOptions{
			Checker: r.explorer, Seed: r.o.Seed, Original: base.checked, Alone: alone,
			Log: func(format string, args ...any) { r.step("checker: "+format, args...) },
		}
		if !r.o.Search.NoBatch {
			checking.BuildAll, validating.BuildAll = r.explorer.BuildAll, r.explorer.BuildAll
		}
		r.source = fitness.NewCheckerSource(checking)
		scoring.Before = []fitness.Source{r.source}
		validating.Checker, validating.First, validating.CheckRequired = r.explorer, r.source.First, alone
		validating.Original = base.checked
		if score, ok := r.source.Original(); ok {
			before = score
		}
	}
	r.evaluator = fitness.NewEvaluator(scoring)
	r.validator = validate.New(validating)
	return before, ctx.Err()
}

// learn extends the narrowing by what a mutant's runs revealed.
func (r *repairer) learn(m *mutate.Mutant, result fitness.Result) {
	r.evaluations.Add(1)
	source := analysis.Dynamic
	if result.Verdict != "" {
		source = byChecker
	}
	added := 0
	for _, f := range result.Samples {
		added += r.narrowing.Merge(source, originalLines(m, f))
	}
	if added == 0 {
		return
	}
	if edits := r.space.Extend(); len(edits) > 0 {
		r.step("a mutant's failure adds %d findings and %d edits", added, len(edits))
	}
}

// originalLines moves the positions of a mutant's failure to the original source.
func originalLines(m *mutate.Mutant, f evidence.Failure) evidence.Failure {
	move := func(frames []evidence.Frame) []evidence.Frame {
		moved := make([]evidence.Frame, len(frames))
		for i, frame := range frames {
			if _, changed := m.Files[frame.File]; changed {
				frame.Line = m.OriginalLine(frame.File, frame.Line)
			}
			moved[i] = frame
		}
		return moved
	}
	stacks := make([]evidence.Stack, len(f.Stacks))
	for i, s := range f.Stacks {
		s.Frames, s.Created = move(s.Frames), move(s.Created)
		stacks[i] = s
	}
	f.Stacks = stacks
	return f
}

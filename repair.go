package mendel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/internal/operators"
	"mendel/mutate"
	"mendel/validate"
)

// Repair reproduces the failure of a target, searches for fixes and validates
// them. The result is never nil; when ctx ends it holds the best so far, and
// the error is ctx's. The budget's end is no error.
func Repair(ctx context.Context, o Options) (*Result, error) {
	r := &repairer{o: o.withDefaults(), result: &Result{Status: Failed, out: o.Out}}
	r.result.Seed, r.result.Target = r.o.Seed, r.o.target()
	if ended, err := r.open(o.Budget); err != nil {
		return r.result, err
	} else if ended != nil {
		return ended, nil
	}
	defer r.journal.close()

	r.o.Observer.Printf("%s", r.o.begins())
	budget, cancel := r.clock.within(ctx, r.o.Budget)
	defer cancel()
	err := r.repair(budget)
	r.sweep()
	r.endPhase()
	r.countWork()
	r.result.Seconds = r.clock.spent().Seconds()
	err = r.conclude(ctx, budget, err)
	if r.o.Resume && !r.journal.entered() {
		return r.result, err // what earlier processes have found stays as it is
	}
	r.o.Observer.Printf("%s", r.result.ends())
	if why := r.journal.lost(); why != "" {
		r.result.Notes = append(r.result.Notes, why)
	}
	saveErr := errors.Join(r.result.save(r.o.Out), r.saveDossier(r.began))
	r.journal.end(ctx, r.result, err)
	if saveErr != nil {
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
	asked     *asked // by --from; nil: whatever fails is repaired
	program   *analysis.Program
	narrowing *analysis.Narrowing
	harness   *noise.Harness
	before    struct{ builds, runs int } // of harnesses before this one
	space     *mutate.Space
	evaluator *fitness.Evaluator
	validator *validate.Validator

	journal *journal // nil: nothing is kept
	clock   clock
	began   time.Time // the run
	wanted  Options   // as they were asked for, defaults filled in
	prints  fingerprint
	earlier Search // work of earlier processes

	testdata map[string]string // hashes of what the tests have left alone there

	evaluations atomic.Int64
	recalled    atomic.Int64
	phaseBegan  time.Time
	phaseNow    int            // index in result.Phases
	phaseBuilt  checker.Builds // when the phase began

	explorer  *explorer              // nil: the checker is not used
	schedules []*checker.File        // of the failures that it found in the original, in their order
	source    *fitness.CheckerSource // nil: it does not score

	fixes []*validate.Fix
	seen  map[string]int // generation of a fix by the hash of its mutant

	history *history // of the search; nil before it
	tracer  tracer   // executions for the dossier
}

// repair is the way from the target to its fixes.
func (r *repairer) repair(ctx context.Context) error {
	if err := r.load(ctx); err != nil {
		return err
	}
	defer func() { _ = r.harness.Close() }() // the one there is then
	defer r.closeChecker()
	if err := r.enter(); err != nil {
		return err
	}

	r.phase("reproduce", "running the tests with noise")
	base, err := r.baseline(ctx)
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
	if done, err := r.tryKnown(ctx, before); done || err != nil {
		return err
	}
	if faults := r.faults(base); len(faults) > 1 {
		return r.apart(ctx, base, before, faults)
	}
	r.phase("search", "searching among %d edits", r.result.Narrowed.Edits)
	return r.search(ctx, base, before)
}

// load reads the program and prepares to run it.
func (r *repairer) load(ctx context.Context) error {
	what := cmp.Or(r.o.Package, ".")
	if what == "." {
		what = filepath.Base(r.o.Dir)
	}
	r.phase("load", "loading %s", what)
	r.sweep()
	var err error
	if r.tool, err = gotool.Open(ctx, r.o.Dir); err != nil {
		return err
	}
	if err := r.readFrom(ctx); err != nil {
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
	if err := r.matchFrom(); err != nil {
		return err
	}
	if r.narrowing, err = analysis.Narrow(ctx, r.program); err != nil {
		return fmt.Errorf("narrow %s: %w", r.o.Package, err)
	}
	r.given()
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
	r.keepFindings()
	if r.o.Verbose {
		r.printNarrowing()
	}
	return nil
}

// prepareScoring makes the evaluator and the validator and returns how the
// original did, as a score.
func (r *repairer) prepareScoring(ctx context.Context, base *baseline) (fitness.Result, error) {
	before := fitness.Summarise(base.noised)
	scoring := fitness.Options{Harness: r.harness, Runs: r.o.Count, Seed: r.o.Seed, Observe: r.count}
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
	if r.journal != nil {
		judging, err := r.judging(base)
		if err != nil {
			return before, err
		}
		scoring.Memory, validating.Memory = scores{r.journal, judging}, verdicts{r.journal}
	}
	r.evaluator = fitness.NewEvaluator(scoring)
	r.validator = validate.New(validating)
	return before, ctx.Err()
}

// count counts an evaluation.
func (r *repairer) count(_ *mutate.Mutant, result fitness.Result) {
	if result.Recalled {
		r.recalled.Add(1)
	} else {
		r.evaluations.Add(1)
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

package seed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/internal/report"
)

const (
	batch        = 16               // variants built together
	originalTime = 15 * time.Second // for the checker on the original, and a quarter of the budget at most
	variantTime  = 4 * time.Second  // for the checker on a variant
	originalRuns = 5                // noised runs of the original
	variantRuns  = 15               // of a variant: CORE's number for a score
)

// FailsAlready says that tests fail before anything is seeded.
type FailsAlready struct {
	Package  string
	Failures []evidence.Failure // of each failing test the first
	Plain    bool               // the first one fails without any preemption
}

func (e *FailsAlready) Error() string {
	f := e.Failures[0]
	when := "under some schedules"
	if e.Plain {
		when = "as it is"
	}
	text := fmt.Sprintf("%s fails already %s, with nothing seeded: %s", f.Test, when, tell(f))
	if n := len(e.Failures) - 1; n > 0 {
		text += fmt.Sprintf(" (and %s more)", report.Count(n, "test"))
	}
	if e.Plain && (f.Kind == evidence.TestFailure || f.Kind == evidence.Panic) {
		return text + fmt.Sprintf("\nMend the test first (go test -run '^%s$' %s), or leave it out with --run", f.Test, e.Package)
	}
	return text + fmt.Sprintf("\nRepair it first with mendel repair --run '^%s$' %s, or leave the test out with --run", f.Test, e.Package)
}

// A judge tells whether the tests notice a fault.
type judge struct {
	*seeding
	tool    *gotool.Toolchain
	program *analysis.Program
	checker *checker.Checker
	unfit   string // why the checker cannot follow all tests; ""
	// followed are the tests that it can follow, if it cannot follow all. What it says
	// of the others, such as one that starts its own binary, may be due to the checker.
	followed []string
	harness  *noise.Harness
	noisy    bool // the original passed under noise
}

func newJudge(ctx context.Context, s *seeding, tool *gotool.Toolchain, p *analysis.Program, flags []string) (*judge, error) {
	if !slices.ContainsFunc(p.Packages, func(pkg *analysis.Package) bool {
		return strings.TrimSuffix(pkg.Path, "_test") == p.Packages[0].Path &&
			slices.ContainsFunc(pkg.Files, func(f *analysis.File) bool { return f.Test })
	}) {
		return nil, fmt.Errorf("nobody can notice a fault in %s: %w", p.Packages[0].Path, gotool.ErrNoTests)
	}
	c, err := checker.New(ctx, checker.Config{Tool: tool, Program: p, Flags: flags, Workers: s.o.Workers, Patience: -1})
	if err != nil {
		return nil, err
	}
	return &judge{seeding: s, tool: tool, program: p, checker: c}, nil
}

// close removes what was built. Temporary files that cannot be removed change
// nothing about what was found.
func (j *judge) close() {
	j.checker.Close()
	if j.harness != nil {
		j.harness.Close()
	}
}

// original checks the package as it is: its tests must pass.
func (j *judge) original(ctx context.Context) error {
	j.o.Observer.Phase("checking the tests as they are")
	b, err := j.checker.Build(ctx, nil)
	if unfit := (*checker.InstrumentError)(nil); errors.As(err, &unfit) {
		j.unfit = err.Error()
		return j.quiet(ctx)
	}
	if err != nil {
		return fmt.Errorf("build the tests: %w", err)
	}
	defer b.Close()
	r, err := b.Check(ctx, checker.Search{Budget: max(min(originalTime, j.o.Budget/4), time.Second), Seed: j.o.Seed, All: true})
	if err != nil {
		return err
	}
	switch r.Verdict {
	case explore.Failed:
		return j.failsAlready(r)
	case explore.Inconclusive:
		j.unfit, j.followed = r.Reason, followed(r)
		return j.quiet(ctx)
	}
	return nil
}

// followed are the tests of which the checker can tell something.
func followed(r *checker.Report) (tests []string) {
	for _, t := range r.Tests {
		if t.Verdict != explore.Inconclusive && !t.Skipped {
			tests = append(tests, t.Name)
		}
	}
	return tests
}

// failsAlready is the error for an original that fails.
func (j *judge) failsAlready(r *checker.Report) error {
	e := &FailsAlready{Package: j.program.Packages[0].Path}
	for _, f := range r.Failures {
		if !slices.ContainsFunc(e.Failures, func(g evidence.Failure) bool { return g.Test == f.Test }) {
			if len(e.Failures) == 0 {
				e.Plain = f.Preemptions == 0 && f.Nth <= 1
			}
			e.Failures = append(e.Failures, f.Failure)
		}
	}
	return e
}

// quiet makes noised runs of the original, none of which may fail.
func (j *judge) quiet(ctx context.Context) (err error) {
	j.o.Observer.Phase("running the tests as they are under noise")
	j.harness, err = noise.New(noise.Config{Tool: j.tool, Program: j.program, Workers: j.o.Workers, NoRace: j.tool.RaceErr != nil})
	if err != nil {
		return err
	}
	b, err := j.harness.Build(ctx, noise.Noised, nil)
	if err != nil {
		return fmt.Errorf("build the tests: %w", err)
	}
	defer b.Close()
	outcomes, err := j.harness.RunMany(ctx, b, originalRuns, noise.RunOptions{Seed: j.o.Seed}, nil)
	if err != nil {
		return err
	}
	j.harness.Calibrate(outcomes)
	for _, o := range outcomes {
		switch {
		case !o.Pass && len(o.Failures) > 0:
			return &FailsAlready{Package: j.program.Packages[0].Path, Failures: o.Failures[:1]}
		case !o.Pass:
			return fmt.Errorf("nobody can notice a fault in %s: no test was run", j.program.Packages[0].Path)
		}
	}
	j.noisy = true
	return nil
}

// all judges faults while there is time.
func (j *judge) all(ctx context.Context, faults []*Fault) error {
	for faults := range slices.Chunk(faults, batch) {
		if ctx.Err() != nil || j.left() < time.Second {
			return ctx.Err()
		}
		j.o.Observer.Phase("building %s", report.Count(len(faults), "faulty variant"))
		var sets []map[string][]byte
		for _, f := range faults {
			sets = append(sets, f.Files())
		}
		built := make([]checker.Built, len(faults))
		if j.checks() {
			var err error
			if built, err = j.checker.BuildAll(ctx, sets); err != nil {
				return err
			}
		}
		err := j.each(ctx, faults, built)
		for _, b := range built {
			if b.Binary != nil {
				b.Binary.Close()
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checks reports whether the checker can follow any test.
func (j *judge) checks() bool { return j.unfit == "" || len(j.followed) > 0 }

// each judges the faults of a batch.
func (j *judge) each(ctx context.Context, faults []*Fault, built []checker.Built) error {
	for i, f := range faults {
		if ctx.Err() != nil || j.left() < time.Second {
			return ctx.Err()
		}
		if refused := (*gotool.BuildError)(nil); errors.As(built[i].Err, &refused) {
			j.result.Possible-- // the compiler knows better
			continue
		}
		j.o.Observer.Phase("judging %s at %s:%d", f.Operator, f.File, f.Line)
		began := time.Now()
		v, err := j.judge(ctx, f, built[i])
		if err != nil {
			return err
		}
		v.Seconds = time.Since(began).Seconds()
		j.result.Variants = append(j.result.Variants, v)
	}
	return nil
}

// judge asks the checker, and noise if that cannot tell.
func (j *judge) judge(ctx context.Context, f *Fault, b checker.Built) (Variant, error) {
	v := Variant{Fault: *f, Status: Unknown}
	switch {
	case b.Err != nil:
		v.Reason = b.Err.Error()
	case b.Binary == nil:
		v.Reason = j.unfit
	default:
		r, err := b.Binary.Check(ctx, checker.Search{Tests: j.followed, Budget: max(min(variantTime, j.left()), time.Second), Seed: j.o.Seed})
		if err != nil {
			return v, err
		}
		v.Judge, v.Tried = "checker", r.String()
		switch r.Verdict {
		case explore.Failed:
			first := r.Failures[0]
			v.Status, v.Failure = Noticed, &Failure{Failure: first.Failure, Alone: alone(first)}
			v.schedule, err = b.Binary.File(first)
			return v, err
		case explore.Inconclusive:
			v.Reason = r.Reason
		default:
			v.Status = Missed
		}
	}
	if v.Status == Missed && j.unfit == "" {
		return v, nil
	}
	return j.underNoise(ctx, f, v)
}

// alone reports whether a failure is a panic or a test's complaint in which a single
// goroutine takes part.
func alone(f checker.Failure) bool {
	return (f.Kind == evidence.TestFailure || f.Kind == evidence.Panic) && len(f.Goroutines) == 1
}

// underNoise runs a variant under noise until a run fails.
func (j *judge) underNoise(ctx context.Context, f *Fault, v Variant) (Variant, error) {
	if j.harness == nil {
		if err := j.quiet(ctx); err != nil {
			j.o.Observer.Printf("noise cannot judge: %v", err)
		}
	}
	if !j.noisy {
		return v, ctx.Err()
	}
	b, err := j.harness.Build(ctx, noise.Noised, f.Files())
	if err != nil {
		v.Reason = err.Error()
		return v, ctx.Err()
	}
	defer b.Close()
	outcomes, err := j.harness.RunMany(ctx, b, variantRuns, noise.RunOptions{Seed: j.o.Seed}, func(o noise.Outcome) bool { return !o.Pass })
	if err != nil {
		return v, err
	}
	v.Status, v.Judge, v.Tried, v.Reason = Missed, "noise", fmt.Sprintf("passed %s", report.Count(len(outcomes), "noised run")), ""
	for _, o := range outcomes {
		if !o.Pass && len(o.Failures) > 0 {
			v.Status, v.Failure = Noticed, &Failure{Failure: o.Failures[0]}
			v.Tried = fmt.Sprintf("failed in noised run %d", len(outcomes))
		}
	}
	return v, nil
}

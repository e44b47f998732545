package validate

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/locks"
	"mendel/analysis/locks/guards"
	"mendel/checker"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/internal/scenario"
	"mendel/mutate"
	"mendel/validate/rules"
	"mendel/validate/sections"
)

// Options say what to validate with and how hard.
type Options struct {
	Space   Space
	Runner  Runner // Harness(h)
	Tool    Tool   // nil: neither go vet nor the package's other tests
	Program *analysis.Program
	// Narrowing knows which accesses a smaller critical section must still
	// cover. nil: no section is made smaller and no lock may be dropped.
	Narrowing *analysis.Narrowing
	// Before is how the original program did under the same noise; a failure
	// that was rare then is looked for in more runs now.
	Before fitness.Result

	Runs        int           // confirming runs of a candidate; 0: as few as leave no chance worth mentioning, see Confirm
	MostRuns    int           // these are at most, unless the failure was rare; 0: 150 (CORE's 15 times its safety factor 10)
	Timeout     time.Duration // of one noised run; 0: the harness's
	Seed        uint64        // of the noise
	NoSerialize bool          // reject what serialises a goroutine body
	NoRace      bool          // the harness builds without -race; leave it out of the package's tests too

	MinimizeSteps int           // smaller sets of edits tried for one candidate; 0: 40
	OptimizeSteps int           // optimisations confirmed for one candidate; 0: 8, negative: none
	OptimizeTime  time.Duration // no further optimisation is begun after this; 0: 10 s
	CostPairs     int           // interleaved pairs of runs to compare costs; 0: 10
	TestRuns      int           // runs of the package's tests without noise, plain and -race each; 0: 3
	TestTimeout   time.Duration // of one such run; 0: 1 minute
	// Excuse reports whether a candidate that fails does so by nothing but what the original shows, too,
	// when it is asked. From then on runs and schedules leave that out. nil: nothing is excused.
	Excuse func(ctx context.Context, failures []evidence.Failure, schedules []checker.Schedule) (bool, error)
	// LeftOut are the top-level tests that runs leave out, for they fail now and then for another reason, as far as
	// is known now. nil: none.
	LeftOut func() []string
	// Failing are the tests that fail in the original under noise, where others are run besides; see fitness.Options.
	Failing      []string
	KnownFailing []string // top-level tests of the package that fail on the original, however seldom
	Processors   int      // of the machine, to measure parallelism; 0: runtime.NumCPU(), 1: it is not measured

	// Checker explores candidates before noise does; nil: nobody does. First, if
	// not nil, returns the schedules that failed the original and the parents of a
	// mutant. CheckRequired: noise does not show the failure, so what the checker
	// cannot judge is rejected.
	Checker       fitness.Checker
	First         func(m *mutate.Mutant) []checker.Schedule
	CheckRequired bool
	// BuildAll builds several programs for the checker at less cost than one by
	// one; see fitness.CheckerOptions. nil: each is built by itself.
	BuildAll       func(ctx context.Context, sets []map[string][]byte) ([]fitness.Built, error)
	Builds         *gotool.BuildMeter // measures builds that neither Runner nor Checker makes; nil: nobody asks
	CheckSchedules int                // of each test that a fix must pass, unless fewer are all; 0: 3,000
	CheckBudget    time.Duration      // for these; 0: 10 s

	// Forced runs a mutant under interleavings that failed the original, until a run
	// fails. What fails so is rejected before its noised runs. nil: there are no such
	// interleavings. With ForcedCertain what passes has the failure no more, as far as
	// the original failed so often under them: the noised runs are the second judge then.
	Forced        func(ctx context.Context, m *mutate.Mutant) ([]noise.Outcome, error)
	ForcedCertain bool
	// Saturate forces what is predicted around the changes of a fix. A run that fails is
	// among the outcomes, and rejects it. nil: nobody does.
	Saturate func(ctx context.Context, m *mutate.Mutant) (Saturation, []noise.Outcome, error)

	// Scenarios tries fixes with tests made by machine; nil: nobody does.
	Scenarios *scenario.Trier
	// ScenariosOf is the patch, files by absolute names, whose scenarios are tried; nil: each
	// fix has its own.
	ScenariosOf map[string][]byte

	// Original is what the checker says of the original; with Search.Deliver it
	// knows what passing schedules deliver, which a fix must deliver, too. nil:
	// messages are not compared.
	Original *checker.Report

	// Left names goroutines that the original leaves blocked and that do not count;
	// see fitness.CheckerOptions.
	Left []string

	// AtOnce makes the checks of a fix side by side, so that time measured in
	// the noised runs says less.
	AtOnce bool

	// NoNoise leaves the noised runs out: the checker alone confirms, and what it
	// cannot judge is no fix. For evaluation; it needs a Checker.
	NoNoise bool

	Memory Memory                           // nil: nothing is known, and nothing kept
	Log    func(format string, args ...any) // one line, no newline; nil: nobody
	// Validated is called when a mutant has passed all that can reject it, before its
	// cost and parallelism are measured; nil: not.
	Validated func(*mutate.Mutant)
}

// A Validator turns candidates into fixes. It is safe for concurrent use;
// validations take turns, because they measure time.
type Validator struct {
	o   Options
	run runFunc

	turn          sync.Mutex // guards what follows
	watch         stopwatch  // of the validation under way
	rehearsal     *rehearsal // nil: there is none
	series        map[string]uint64
	slow          bool                          // a run takes too long for costs to be compared
	vetted        map[string]*gotool.BuildError // what vet says of the original, by packages; nil: nothing
	baselines     map[bool]*baseline            // the original's tests, by race
	confirmations map[string]Confirmation       // by hash of the mutant
	refuted       map[string]*Rejected          // by hash of the mutant: by noised runs
	checked       map[string]*Fix               // by hash: fixes that passed the final checks
	explored      map[exploration]Checked
	tested        map[string]TestCheck       // by hash: mutants that have passed the package's tests
	failed        map[string]*Rejected       // by hash: by the checker
	prepared      map[string]fitness.Program // by hash: built for the checker, during a validation

	rules  sync.Mutex           // guards judged: the parts of a proof go on side by side
	judged map[string]judgement // by hash
	split  map[string][]string  // see splits
	model  func() *locks.Model  // of the original, made when it is needed
	// guarded are the guards of its variables; nil: not needed yet.
	guarded []guards.Guard
}

// New returns a validator.
func New(o Options) *Validator {
	orInt(&o.MostRuns, defaultRuns)
	orInt(&o.MinimizeSteps, 40)
	orInt(&o.OptimizeSteps, 8)
	orInt(&o.CostPairs, 10)
	orInt(&o.TestRuns, 3)
	orInt(&o.CheckSchedules, 3000)
	orInt(&o.Processors, runtime.NumCPU())
	if o.CheckBudget == 0 {
		o.CheckBudget = 10 * time.Second
	}
	if o.OptimizeTime == 0 {
		o.OptimizeTime = 10 * time.Second
	}
	if o.TestTimeout == 0 {
		o.TestTimeout = time.Minute
	}
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	if o.Validated == nil {
		o.Validated = func(*mutate.Mutant) {}
	}
	return &Validator{
		o:             o,
		run:           gotool.Run,
		series:        map[string]uint64{},
		vetted:        map[string]*gotool.BuildError{},
		baselines:     map[bool]*baseline{},
		confirmations: map[string]Confirmation{},
		refuted:       map[string]*Rejected{},
		checked:       map[string]*Fix{},
		explored:      map[exploration]Checked{},
		tested:        map[string]TestCheck{},
		failed:        map[string]*Rejected{},
		prepared:      map[string]fitness.Program{},
		judged:        map[string]judgement{},
		model:         sync.OnceValue(func() *locks.Model { return locks.New(o.Program) }),
	}
}

func orInt(n *int, otherwise int) {
	if *n == 0 {
		*n = otherwise
	}
}

// Validate confirms, minimises, optimises and checks a candidate with score r.
// A rejected candidate is a *Rejected error. When ctx ends or the
// environment breaks after the candidate was confirmed, by ten runs at least, the
// fix as far as it is confirmed comes with the error; its remaining checks are
// Skipped, and Fix.Incomplete names them.
func (v *Validator) Validate(ctx context.Context, m *mutate.Mutant, r fitness.Result) (*Fix, error) {
	v.turn.Lock()
	defer v.turn.Unlock()

	if fix, known, err := v.recall(ctx, m); known {
		return fix, err
	}
	before := v.knows()
	v.watch.start()
	fix, err := v.validate(ctx, m, r)
	v.o.Log("the validation took %s", &v.watch)
	if fix != nil {
		fix.Incomplete = v.incomplete(fix)
	}
	if kerr := v.keep(m, before, fix, err); kerr != nil {
		return fix, kerr
	}
	return fix, err
}

// validate is Validate without memory.
func (v *Validator) validate(ctx context.Context, m *mutate.Mutant, r fitness.Result) (*Fix, error) {
	j := v.newJob()
	if v.o.NoNoise && v.o.Checker == nil {
		return nil, &Rejected{Mutant: m, Stage: StageCheck, Reason: "noised runs are left out, and there is no checker to confirm it"}
	}
	candidate, err := j.admit(ctx, m)
	if err != nil {
		return nil, err
	}
	v.watch.lap("policy")
	all, err := v.completions(ctx, candidate)
	v.watch.lap("completing")
	if err != nil {
		return nil, err
	}
	last := len(all) - 1
	if fix, done, err := v.validateCompleted(ctx, all[:last]); done || err != nil {
		return fix, err
	}
	j.goal = all[last]
	return j.validate(ctx, m, candidate, r)
}

// validate validates what is left of mutant m of score r after policy has spoken.
func (j *job) validate(ctx context.Context, m, candidate *mutate.Mutant, r fitness.Result) (*Fix, error) {
	v := j.Validator
	j.mutant, j.quick = candidate, v.isQuick(m, candidate, r) || v.obvious()
	if v.isQuick(m, candidate, r) {
		j.passed = candidate.Hash
	}
	defer j.stopSpeculating()
	if !j.quick {
		return j.confirmFully(ctx, m, r)
	}
	if j.o.AtOnce && !j.o.NoNoise && (j.passed != "" || len(candidate.Edits) == 1) {
		j.speculate(ctx)
	}
	defer j.release()
	err := j.prepare(ctx)
	v.watch.lap("building steps")
	if err != nil {
		return nil, err
	}
	fix, err := j.reduced(ctx, m, r)
	var rejected *Rejected
	refuted := errors.As(err, &rejected) && (rejected.Stage == StageCheck || rejected.Stage == StageConfirm)
	if !refuted || rejected.Mutant.Hash == candidate.Hash {
		return fix, err
	}
	v.o.Log("what is left after reduction is refuted (%s): once more, each step confirmed in full", rejected.Reason)
	j.stopSpeculating()
	j.mutant, j.quick, j.steps = candidate, false, nil
	return j.confirmFully(ctx, m, r)
}

// confirmFully confirms the candidate in full, and then each step of reducing it.
func (j *job) confirmFully(ctx context.Context, m *mutate.Mutant, r fitness.Result) (*Fix, error) {
	var checked Checked
	if j.o.Checker != nil {
		var err error
		checked, err = j.explore(ctx, j.mutant, false)
		j.watch.lap("checking")
		if err != nil {
			return nil, err
		}
	}
	c, err := j.confirmOnce(ctx, j.mutant, j.full(checked.passed()))
	j.watch.lap("confirming")
	if err != nil {
		j.confirmed = c
		return j.stopped(err, func() (*Fix, error) { return j.fix(m, r) })
	}
	j.o.Log("confirmed by %d runs: %s", c.Runs, describe(j.mutant.Edits...))
	j.confirmed = c
	return j.reduced(ctx, m, r)
}

// reduced minimises and optimises the present mutant and checks what is left.
func (j *job) reduced(ctx context.Context, m *mutate.Mutant, r fitness.Result) (*Fix, error) {
	err := j.reduce(ctx)
	sum := func() (*Fix, error) { return j.fix(m, r) }
	var refuted *Rejected
	switch {
	case errors.As(err, &refuted):
		return nil, err
	case err != nil:
		return j.unproved(err, sum)
	case j.o.Checker != nil || j.o.AtOnce:
		return j.prove(ctx, sum)
	}
	fix, err := sum()
	if err != nil {
		return fix, err
	}
	if err := j.check(ctx, fix); err != nil {
		var rejected *Rejected
		if errors.As(err, &rejected) {
			return nil, err
		}
		return fix, err
	}
	return fix, nil
}

// reducingShare is the part of the time that is left, one of so many, that reducing a
// candidate takes at most. Guessed: a proof takes longer than a step.
const reducingShare = 3

// reduce minimises and optimises the present mutant. It ends when a part of the time
// that ctx leaves is over, because a larger fix that is proved is worth more than a
// small one that is not.
func (j *job) reduce(ctx context.Context) error {
	reducing, cancel := ctx, context.CancelFunc(func() {})
	if deadline, ok := ctx.Deadline(); ok {
		reducing, cancel = context.WithTimeout(ctx, time.Until(deadline)/reducingShare)
	}
	defer cancel()
	err := j.minimise(reducing)
	j.watch.lap("minimising")
	if err == nil {
		err = j.optimise(reducing)
		j.watch.lap("optimising")
	}
	if err != nil && reducing.Err() != nil && ctx.Err() == nil {
		j.o.Log("reducing stopped, to leave time for the proof: an edit may be needless")
		return nil
	}
	return err
}

// A job is the validation of one candidate.
type job struct {
	*Validator
	goal        *completion // the candidate with what it guards
	covers      *sections.Covers
	mutant      *mutate.Mutant // the best so far
	confirmed   Confirmation   // of mutant; in a quick job of few runs, or none, before it is proved
	quick       bool           // steps are confirmed by fewer runs, because what is left is proved
	passed      string         // hash of the candidate if the checker passed it in its score
	steps       []Step
	refused     map[string]bool // hashes of mutants that turned out slower, or not faster
	speculative *speculativeRun // nil: none is going on
}

func (v *Validator) newJob() *job {
	return &job{Validator: v, goal: &completion{}, covers: sections.New(v.o.Program, v.o.Narrowing, v.model), refused: map[string]bool{}}
}

// fix sums up the best mutant so far; none of its checks has been made.
func (j *job) fix(candidate *mutate.Mutant, r fitness.Result) (*Fix, error) {
	guarded, err := j.covers.Guarded(j.mutant)
	flags, ferr := j.flags()
	quality, qerr := qualityOf(j.covers, j.mutant)
	open, gerr := j.gaps(j.mutant.Edits, j.goal.demands)
	if len(open) > 0 && gerr == nil {
		var leaves bool
		if leaves, gerr = j.leaves(j.mutant.Edits, j.goal.demands); leaves {
			flags = append(flags, mutate.IncompleteGuard)
		}
	}
	// Of what somebody else has made, the model of locks tells what must not be under one.
	if quality.blocks && !rules.Given(j.mutant) && !slices.Contains(flags, mutate.Blocks) {
		flags = append(flags, mutate.Blocks)
	}
	if rules.SharesLock(j.o.Narrowing, j.mutant.Edits) {
		flags = append(flags, mutate.SharedLock)
	}
	quality.Unguarded, quality.Unexercised = open, j.goal.unexercised
	if second := j.secondGuards(j.mutant.Edits); len(second) > 0 {
		quality.Unguarded = append(quality.Unguarded, second...)
		if !slices.Contains(flags, mutate.WrongLock) {
			flags = append(flags, mutate.WrongLock)
		}
	}
	flags, lerr := j.addLocks(&quality, flags)
	slices.Sort(flags)
	err = errors.Join(err, ferr, qerr, gerr, lerr)
	if j.mutant.Hash != candidate.Hash {
		r = scoreOf(j.confirmed)
	}
	skipped := Check{Skipped, stoppedBefore}
	return &Fix{
		Mutant:    j.mutant,
		Score:     r,
		Confirmed: j.confirmed,
		Race:      !j.o.NoRace,
		Before:    j.o.Before,
		Quality:   quality,
		Changed:   changedLines(j.o.Program, j.mutant),
		Guarded:   guarded,
		NewLocks:  newLocks(j.mutant.Edits),
		Flags:     flags,
		Vet:       skipped,
		Tests:     TestCheck{Check: skipped},
		Steps:     j.steps,
	}, err
}

// scoreOf is the score of a mutant that was confirmed.
func scoreOf(c Confirmation) fitness.Result {
	return fitness.Result{Score: fitness.FullScore, Runs: c.Runs, Passes: c.Runs, Elapsed: c.Elapsed, Switches: c.Switches}
}

// check makes the final checks of a fix and measures its cost, once for each source.
func (j *job) check(ctx context.Context, fix *Fix) error {
	if known := j.checked[fix.Mutant.Hash]; known != nil {
		fix.adopt(known)
		return nil
	}
	vet, err := j.vet(ctx, fix.Mutant)
	if err != nil {
		return err
	}
	fix.Vet = vet
	if fix.Forced, err = j.saturate(ctx); err != nil {
		return err
	}
	tried, err := j.tryScenarios(ctx)
	if err != nil {
		return err
	}
	fix.take(tried)
	p := proof{
		original: j.rehearsal.program(j.o.Runner),
		patched:  &program{runner: j.o.Runner, files: fix.Mutant.Files},
	}
	defer p.original.close()
	defer p.patched.close()
	t, remove, err := j.newTester(fix.Mutant, p.original, p.patched)
	if err != nil {
		return err
	}
	defer remove()
	if p.tests, err = t.beginBoth(ctx); err != nil {
		return err
	}
	if p.cost, err = j.prepareCost(ctx, p.original, p.patched); err != nil {
		return err
	}
	if err := j.measureFix(ctx, t, &p, fix); err != nil {
		return err
	}
	j.checked[fix.Mutant.Hash] = fix
	return nil
}

// newLocks lists the locks that edits declare, each once, whichever variable an
// edit would declare it beside.
func newLocks(edits []mutate.Edit) []analysis.Lock {
	var locks []analysis.Lock
	for _, e := range edits {
		if e.Lock == nil || e.Lock.New == nil {
			continue
		}
		if !slices.ContainsFunc(locks, func(l analysis.Lock) bool { return l.Key == e.Lock.Key }) {
			locks = append(locks, *e.Lock)
		}
	}
	return locks
}

// step logs and records a reduction that was tried.
func (j *job) step(what string, kept bool, reason string) {
	j.steps = append(j.steps, Step{what, kept, reason})
	verb := "refused"
	if kept {
		verb = "kept"
	}
	j.o.Log("%s: %s: %s", verb, what, reason)
}

// describe names edits for people.
func describe(edits ...mutate.Edit) string {
	s := ""
	for i, e := range edits {
		if i > 0 {
			s += ", "
		}
		s += e.Operator
		if e.Count > 1 {
			s += fmt.Sprintf(" (%d statements)", e.Count)
		}
		s += fmt.Sprintf(" at %s:%d", e.File, e.Line)
	}
	return s
}

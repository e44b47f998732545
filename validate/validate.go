package validate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"mendel/analysis"
	"mendel/fitness"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// Options say what to validate with and how hard.
type Options struct {
	Space   Space
	Runner  Runner // Harness(h)
	Tool    Tool   // nil: neither go vet nor the package's other tests
	Program *analysis.Program
	// Narrowing tells which accesses a smaller critical section must still
	// cover. nil: no section is made smaller and no lock may be dropped.
	Narrowing *analysis.Narrowing
	// Before is how the original program did under the same noise; a failure
	// that was rare then is looked for in more runs now.
	Before fitness.Result

	Runs        int           // confirming runs of a candidate; 0: 150 (CORE's 15 times its safety factor 10)
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

	Log func(format string, args ...any) // one line, no newline; nil: nobody
}

// A Validator turns candidates into fixes. It is safe for concurrent use;
// validations take turns, because they measure time.
type Validator struct {
	o   Options
	run func(context.Context, gotool.RunOptions) (gotool.RunResult, error)

	turn      sync.Mutex // guards what follows
	series    map[string]uint64
	vetted    map[string]*gotool.BuildError // what vet says of the original, by packages; nil: nothing
	baselines map[bool]*baseline            // the original's tests, by race
	stood     map[string]Confirmation       // by hash of the mutant
	fell      map[string]*Rejected          // by hash of the mutant
	checked   map[string]*Fix               // by hash: fixes that passed the final checks
}

// New returns a validator.
func New(o Options) *Validator {
	orInt(&o.Runs, defaultRuns)
	orInt(&o.MinimizeSteps, 40)
	orInt(&o.OptimizeSteps, 8)
	orInt(&o.CostPairs, 10)
	orInt(&o.TestRuns, 3)
	if o.OptimizeTime == 0 {
		o.OptimizeTime = 10 * time.Second
	}
	if o.TestTimeout == 0 {
		o.TestTimeout = time.Minute
	}
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	return &Validator{
		o:         o,
		run:       gotool.Run,
		series:    map[string]uint64{},
		vetted:    map[string]*gotool.BuildError{},
		baselines: map[bool]*baseline{},
		stood:     map[string]Confirmation{},
		fell:      map[string]*Rejected{},
		checked:   map[string]*Fix{},
	}
}

func orInt(n *int, otherwise int) {
	if *n == 0 {
		*n = otherwise
	}
}

// Validate confirms, minimises, optimises and checks a candidate with score r.
// A candidate that does not stand is a *Rejected error. When ctx ends or the
// environment breaks after the candidate was confirmed, the fix as far as it
// is confirmed comes with the error; its remaining checks are Skipped.
func (v *Validator) Validate(ctx context.Context, m *mutate.Mutant, r fitness.Result) (*Fix, error) {
	v.turn.Lock()
	defer v.turn.Unlock()

	j := &job{Validator: v, covers: newCovers(v.o.Program, v.o.Narrowing), refused: map[string]bool{}}
	candidate, err := j.admit(ctx, m)
	if err != nil {
		return nil, err
	}
	c, err := v.stands(ctx, candidate)
	if err != nil {
		return nil, err
	}
	v.o.Log("confirmed by %d runs: %s", c.Runs, describe(candidate.Edits...))
	j.mutant, j.confirmed = candidate, c

	err = j.minimise(ctx)
	if err == nil {
		err = j.optimise(ctx)
	}
	fix, ferr := j.fix(m, r)
	if err = errors.Join(err, ferr); err != nil {
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

// A job is the validation of one candidate.
type job struct {
	*Validator
	covers    *covers
	mutant    *mutate.Mutant // the best so far
	confirmed Confirmation   // of mutant
	steps     []Step
	refused   map[string]bool // hashes of mutants that turned out slower, or not faster
}

// fix sums up the best mutant so far; none of its checks has been made.
func (j *job) fix(candidate *mutate.Mutant, r fitness.Result) (*Fix, error) {
	guarded, err := j.covers.guarded(j.mutant)
	flags, ferr := j.flags()
	err = errors.Join(err, ferr)
	if j.mutant.Hash != candidate.Hash {
		r = fitness.Result{
			Score:    1000,
			Runs:     j.confirmed.Runs,
			Passes:   j.confirmed.Runs,
			Elapsed:  j.confirmed.Elapsed,
			Switches: j.confirmed.Switches,
		}
	}
	skipped := Check{Skipped, "the validation was stopped before"}
	return &Fix{
		Mutant:    j.mutant,
		Score:     r,
		Confirmed: j.confirmed,
		Race:      !j.o.NoRace,
		Before:    j.o.Before,
		Changed:   changedLines(j.o.Program, j.mutant),
		Guarded:   guarded,
		NewLocks:  newLocks(j.mutant.Edits),
		Flags:     flags,
		Vet:       skipped,
		Tests:     TestCheck{Check: skipped},
		Steps:     j.steps,
	}, err
}

// check makes the final checks of a fix and measures its cost, once for each source.
func (j *job) check(ctx context.Context, fix *Fix) error {
	if known := j.checked[fix.Mutant.Hash]; known != nil {
		fix.Vet, fix.Tests, fix.Cost = known.Vet, known.Tests, known.Cost
		return nil
	}
	vet, err := j.vet(ctx, fix.Mutant)
	if err != nil {
		return err
	}
	fix.Vet = vet
	tests, err := j.tests(ctx, fix.Mutant)
	if err != nil {
		return err
	}
	fix.Tests = tests
	c, err := j.compare(ctx, nil, fix.Mutant.Files)
	if err != nil {
		return err
	}
	fix.Cost = c.Cost
	j.checked[fix.Mutant.Hash] = fix
	return nil
}

// newLocks lists the locks that edits declare, each once.
func newLocks(edits []mutate.Edit) []analysis.Lock {
	var locks []analysis.Lock
	for _, e := range edits {
		if e.Lock == nil || e.Lock.New == nil {
			continue
		}
		known := slices.ContainsFunc(locks, func(l analysis.Lock) bool { return *l.New == *e.Lock.New })
		if !known {
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

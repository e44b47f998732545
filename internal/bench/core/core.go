package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"mendel/internal/gotool"
)

// coreName is the name of the files of a report.
const coreName = "core"

// coreOptions are the flags of the core command.
type coreOptions struct {
	effort
	dir, out, from string
	set            string
	only, arms     []string
	seeds, rounds  int
	first          uint64
	check          time.Duration
	noVerify, mix  bool
	command        string
}

// validate refuses values that make no sense.
func (o coreOptions) validate() error {
	if o.seeds < 1 || o.first < 1 || o.Runs < 1 || o.rounds < 1 {
		return errors.New("--seeds, --seed, --runs and --rounds must be positive")
	}
	if o.Limit <= 0 || o.check <= 0 {
		return errors.New("--budget and --check-budget must be positive")
	}
	if o.Until != "" && o.Until != untilCandidate {
		return fmt.Errorf("--until %s: there is only --until %s", o.Until, untilCandidate)
	}
	if !slices.Contains([]string{coreSet, ownSet, allSets}, o.set) {
		return fmt.Errorf("--set %s: there are %s, %s and %s", o.set, coreSet, ownSet, allSets)
	}
	if o.Workers < 0 {
		return errors.New("--workers must not be negative")
	}
	return nil
}

// runCore evaluates the subjects and prints the tables. Interrupted, it prints
// what it has.
func runCore(ctx context.Context, o coreOptions, stdout, stderr io.Writer) error {
	if err := o.validate(); err != nil {
		return err
	}
	arms, err := parseArms(o.arms)
	if err != nil {
		return err
	}
	subjects, err := readSubjects(o.dir, o.only)
	if err != nil {
		return err
	}
	if len(o.only) == 0 {
		subjects = inSet(subjects, o.set)
	}
	if len(subjects) == 0 {
		return fmt.Errorf("no subject below %s is in the set %s", o.dir, o.set)
	}
	if o.out == "" && o.from != "" {
		o.out = filepath.Dir(o.from)
	}
	if err := makeOut(o.out); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, subjects[0].dir)
	if err != nil {
		return err
	}
	version, err := mendelVersion()
	if err != nil {
		return err
	}
	r := &coreRun{coreOptions: o, armList: arms, version: version, log: stderr, worker: realWorker(o)}
	if err := r.open(thisMachine(tool), subjects); err != nil {
		return err
	}
	broken := r.work(ctx)
	if err := r.guard(); err != nil {
		o.out, broken = "", errors.Join(broken, err)
	}
	return finish(r.report, stdout, o.out, coreName, broken)
}

// A coreRun is one run of the core command.
type coreRun struct {
	coreOptions
	armList []Arm
	version string // of Mendel
	log     io.Writer
	worker
	report   *CoreReport
	saved    string         // identifies what was last read or written in the output directory; "": nothing is there
	subjects []*CoreSubject // of the report, those to work on
}

// A worker does the work that takes long.
type worker struct {
	repair   func(ctx context.Context, source string, seed uint64, arm Arm) (Trial, error)
	build    func(ctx context.Context, source string) (BuildTime, error)
	verify   func(ctx context.Context, s Subject, patch string) (*Verification, error)
	thorough string // how much verify does, in words
}

// realWorker really works.
func realWorker(o coreOptions) worker {
	v := verifier{Runs: o.Runs, Budget: o.check, Rounds: o.rounds, Workers: o.Workers}
	return worker{
		repair: func(ctx context.Context, source string, seed uint64, arm Arm) (Trial, error) {
			return tryRepair(ctx, source, seed, arm, o.effort)
		},
		build: timeBuilds, verify: v.verify, thorough: v.String(),
	}
}

// work does what is left to do.
func (r *coreRun) work(ctx context.Context) error {
	if r.from == "" {
		if err := r.trials(ctx); err != nil {
			return err
		}
	}
	if r.noVerify || r.Until == untilCandidate {
		return nil
	}
	if err := r.correctedCopies(ctx); err != nil {
		return err
	}
	return r.patches(ctx)
}

// builtSeeds is how many seeds builds of each subject are timed beside.
const builtSeeds = 5

// trials repairs each subject with each seed in each arm, unless that was done
// before.
func (r *coreRun) trials(ctx context.Context) error {
	total, done := r.seeds*len(r.subjects)*len(r.armList), 0
	for i := range r.seeds {
		seed := r.first + uint64(i)
		for _, s := range r.subjects {
			for _, arm := range inTurn(r.armList, i) {
				done++
				if s.trial(arm.Name, seed) != nil {
					continue
				}
				t, err := r.repair(ctx, s.Subject.dir, seed, arm)
				if err != nil {
					return fmt.Errorf("%s, seed %d, arm %s: %w", s.Subject.Name, seed, arm.Name, err)
				}
				s.add(arm, r.version, t)
				fmt.Fprintf(r.log, "[%d/%d] %s, seed %d, %s: %s\n", done, total, s.Subject.Name, seed, arm.Name, t.line())
				if err := r.save(fmt.Errorf("%d of %d repairs are made", done, total)); err != nil {
					return err
				}
			}
			if err := r.builds(ctx, s, i, seed); err != nil {
				return err
			}
		}
	}
	return nil
}

// builds times builds beside the trials of the i-th seed.
func (r *coreRun) builds(ctx context.Context, s *CoreSubject, i int, seed uint64) error {
	if i >= builtSeeds || r.Until == untilCandidate || slices.ContainsFunc(s.Builds, func(b BuildTime) bool { return b.Seed == seed }) {
		return nil
	}
	t, err := r.build(ctx, s.Subject.dir)
	if err != nil {
		return fmt.Errorf("%s: time builds: %w", s.Subject.Name, err)
	}
	t.Seed, t.Mendel = seed, r.version
	s.Builds = append(s.Builds, t)
	return nil
}

// inTurn is the order of the arms with the i-th seed: each comes first as often
// as any other, lest a machine that gets slower or faster favour one.
func inTurn(arms []Arm, i int) []Arm {
	n := i % len(arms)
	return slices.Concat(arms[n:], arms[:n])
}

// correctedCopies tries to repair what is correct.
func (r *coreRun) correctedCopies(ctx context.Context) error {
	for _, s := range r.subjects {
		hash, err := moduleID(s.Subject.corrected())
		if err != nil {
			return err
		}
		if c := s.Corrected; c != nil && c.Copy == hash && (c.Mendel == r.version || r.mix) {
			continue
		}
		t, err := r.repair(ctx, s.Subject.corrected(), r.first, Arm{Name: defaultArm})
		if err != nil {
			return fmt.Errorf("%s, corrected copy: %w", s.Subject.Name, err)
		}
		s.Corrected = &CorrectedTrial{Mendel: r.version, Copy: hash, Trial: t, Written: t.written}
		fmt.Fprintf(r.log, "%s, corrected copy: %s\n", s.Subject.Name, t.line())
		if err := r.save(errors.New("the patches are not all verified")); err != nil {
			return err
		}
	}
	return nil
}

// patches verifies each patch that was not yet verified as it is asked for.
func (r *coreRun) patches(ctx context.Context) error {
	for _, s := range r.subjects {
		hash, err := moduleID(s.Subject.corrected())
		if err != nil {
			return err
		}
		for i, p := range s.Patches {
			if v := p.Verified; v != nil && v.Effort == r.thorough && v.Copy == hash {
				continue
			}
			v, err := r.verify(ctx, s.Subject, p.Text)
			if err != nil {
				return fmt.Errorf("%s, verify patch %s: %w", s.Subject.Name, p.ID, err)
			}
			v.Mendel = r.version
			p.Verified = v
			fmt.Fprintf(r.log, "%s, patch %s (%d of %d): %s\n", s.Subject.Name, p.ID, i+1, len(s.Patches), v.line())
			if err := r.save(errors.New("the patches are not all verified")); err != nil {
				return err
			}
		}
	}
	return nil
}

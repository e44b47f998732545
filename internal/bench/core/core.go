package core

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"mendel/internal/bench/identity"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/internal/bench/verify"
)

// reportName is the name of the files of a report.
const reportName = "core"

// Options say what to evaluate, and how. Limit and Runs of the effort, Seeds,
// First, Rounds and Check must be positive.
type Options struct {
	programs.Effort
	Dir      string        // of the subjects
	Set      string        // of subjects: subject.CoreSet and the like
	Only     []string      // subjects of whichever set; none: all of Set
	Arms     []string      // as trial.ParseArms reads them, at least one
	Seeds    int           // how many
	First    uint64        // seed
	Rounds   int           // of each workload
	Wider    int           // runs of the wider tests on each number of processors; 0: none
	Check    time.Duration // for the checker on each patched program
	NoVerify bool          // repair alone
	From     string        // a core.json to verify; nothing is repaired. "": repair
	Mix      bool          // add to results of another version or machine
	Out      string        // directory of core.json and core.md; "": print only
	Command  string        // to type, for the report
}

// validate refuses values that make no sense.
func (o Options) validate() error {
	if o.Seeds < 1 || o.First < 1 || o.Runs < 1 || o.Rounds < 1 {
		return errors.New("--seeds, --seed, --runs and --rounds must be positive")
	}
	if o.Limit <= 0 || o.Check <= 0 {
		return errors.New("--budget and --check-budget must be positive")
	}
	if o.Until != "" && o.Until != trial.UntilCandidate {
		return fmt.Errorf("--until %s: there is only --until %s", o.Until, trial.UntilCandidate)
	}
	if !slices.Contains([]string{subject.CoreSet, subject.OwnSet, subject.AllSets}, o.Set) {
		return fmt.Errorf("--set %s: there are %s, %s and %s", o.Set, subject.CoreSet, subject.OwnSet, subject.AllSets)
	}
	if o.Workers < 0 || o.Wider < 0 {
		return errors.New("--workers and --wider must not be negative")
	}
	return nil
}

// Run evaluates the subjects and prints the tables. Interrupted, it prints
// what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) error {
	if err := o.validate(); err != nil {
		return err
	}
	arms, err := trial.ParseArms(o.Arms)
	if err != nil {
		return err
	}
	subjects, err := subject.Read(o.Dir, o.Only)
	if err != nil {
		return err
	}
	if len(o.Only) == 0 {
		subjects = subject.InSet(subjects, o.Set)
	}
	if len(subjects) == 0 {
		return fmt.Errorf("no subject below %s is in the set %s", o.Dir, o.Set)
	}
	if o.Out == "" && o.From != "" {
		o.Out = filepath.Dir(o.From)
	}
	machine, version, err := tables.Begin(ctx, subjects[0].Dir, o.Out)
	if err != nil {
		return err
	}
	r := &evaluation{Options: o, armList: arms, version: version, log: stderr, worker: realWorker(o)}
	if err := r.open(machine, subjects); err != nil {
		return err
	}
	broken := r.work(ctx)
	if err := r.guard(); err != nil {
		o.Out, broken = "", errors.Join(broken, err)
	}
	return tables.Finish(r.report, stdout, o.files(), broken)
}

// files are those of the report.
func (o Options) files() tables.Files { return tables.Files{Dir: o.Out, Name: reportName} }

// An evaluation is one run of the core command.
type evaluation struct {
	Options
	armList []trial.Arm
	version string // of Mendel
	log     io.Writer
	worker
	report   *report
	saved    string           // identifies what was last read or written in the output directory; "": nothing is there
	subjects []*subjectReport // of the report, those to work on
}

// A worker does the work that takes long.
type worker struct {
	repair   func(ctx context.Context, source string, seed uint64, arm trial.Arm) (trial.Trial, error)
	build    func(ctx context.Context, source string) (buildTime, error)
	verify   func(ctx context.Context, s subject.Subject, patch string) (*verify.Verification, error)
	widen    func(ctx context.Context, s subject.Subject) (*verify.Wider, error)
	thorough string // how much verify does, in words
}

// realWorker really works.
func realWorker(o Options) worker {
	v := verify.Verifier{Runs: o.Runs, Budget: o.Check, Rounds: o.Rounds, Wider: o.Wider, Workers: o.Workers}
	return worker{
		repair: func(ctx context.Context, source string, seed uint64, arm trial.Arm) (trial.Trial, error) {
			return trial.Run(ctx, source, seed, arm, o.Effort)
		},
		build: timeBuilds, verify: v.Verify, widen: v.Widen, thorough: v.String(),
	}
}

// work does what is left to do.
func (r *evaluation) work(ctx context.Context) error {
	if r.From == "" {
		if err := r.trials(ctx); err != nil {
			return err
		}
	}
	if r.NoVerify || r.Until == trial.UntilCandidate {
		return nil
	}
	if err := r.correctedCopies(ctx); err != nil {
		return err
	}
	if err := r.widerTests(ctx); err != nil {
		return err
	}
	return r.patches(ctx)
}

// builtSeeds is the number of seeds with which builds are timed, too.
const builtSeeds = 5

// trials repairs each subject with each seed in each arm, unless that was done
// before.
func (r *evaluation) trials(ctx context.Context) error {
	total, done := r.Seeds*len(r.subjects)*len(r.armList), 0
	for i := range r.Seeds {
		seed := r.First + uint64(i)
		for _, s := range r.subjects {
			for _, arm := range inTurn(r.armList, i) {
				done++
				if s.trial(arm.Name, seed) != nil {
					continue
				}
				t, err := r.repair(ctx, s.Subject.Dir, seed, arm)
				if err != nil {
					return fmt.Errorf("%s, seed %d, arm %s: %w", s.Subject.Name, seed, arm.Name, err)
				}
				s.add(arm, r.version, t)
				fmt.Fprintf(r.log, "[%d/%d] %s, seed %d, %s: %s\n", done, total, s.Subject.Name, seed, arm.Name, t.Line())
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
func (r *evaluation) builds(ctx context.Context, s *subjectReport, i int, seed uint64) error {
	if i >= builtSeeds || r.Until == trial.UntilCandidate || slices.ContainsFunc(s.Builds, func(b buildTime) bool { return b.Seed == seed }) {
		return nil
	}
	t, err := r.build(ctx, s.Subject.Dir)
	if err != nil {
		return fmt.Errorf("%s: time builds: %w", s.Subject.Name, err)
	}
	t.Seed, t.Mendel = seed, r.version
	s.Builds = append(s.Builds, t)
	return nil
}

// inTurn is the order of the arms with the i-th seed. Each arm comes first
// equally often, so a machine that gets slower or faster favours none.
func inTurn(arms []trial.Arm, i int) []trial.Arm {
	n := i % len(arms)
	return slices.Concat(arms[n:], arms[:n])
}

// correctedCopies tries to repair what is correct.
func (r *evaluation) correctedCopies(ctx context.Context) error {
	for _, s := range r.subjects {
		hash, err := identity.Module(s.Subject.Corrected())
		if err != nil {
			return err
		}
		if c := s.Corrected; c != nil && c.Copy == hash && (c.Mendel == r.version || r.Mix) {
			continue
		}
		t, err := r.repair(ctx, s.Subject.Corrected(), r.First, trial.Arm{Name: trial.DefaultArm})
		if err != nil {
			return fmt.Errorf("%s, corrected copy: %w", s.Subject.Name, err)
		}
		s.Corrected = &correctedTrial{Mendel: r.version, Copy: hash, Trial: t, Written: t.Written}
		fmt.Fprintf(r.log, "%s, corrected copy: %s\n", s.Subject.Name, t.Line())
		if err := r.save(errors.New("the patches are not all verified")); err != nil {
			return err
		}
	}
	return nil
}

// widerTests runs each subject's wider test on its two copies, unless that was
// done before.
func (r *evaluation) widerTests(ctx context.Context) error {
	if r.Wider == 0 {
		return nil
	}
	for _, s := range r.subjects {
		hash, err := identity.Module(s.Subject.Corrected())
		if err != nil {
			return err
		}
		test, err := verify.WiderHash(s.Subject)
		if err != nil {
			return err
		}
		if w := s.Wider; w != nil && w.Test == test && w.Copy == hash && w.Runs == r.Wider {
			continue
		}
		if s.Wider, err = r.widen(ctx, s.Subject); err != nil {
			return fmt.Errorf("%s, wider test: %w", s.Subject.Name, err)
		}
		if s.Wider != nil {
			fmt.Fprintf(r.log, "%s, wider test: %s\n", s.Subject.Name, cmp.Or(s.Wider.Problem(), "the corrected copy passes, the original fails"))
		}
		if err := r.save(errors.New("the patches are not all verified")); err != nil {
			return err
		}
	}
	return nil
}

// patches verifies each patch that is not verified yet, or with another effort.
func (r *evaluation) patches(ctx context.Context) error {
	for _, s := range r.subjects {
		hash, err := identity.Module(s.Subject.Corrected())
		if err != nil {
			return err
		}
		test, err := verify.WiderHash(s.Subject)
		if err != nil {
			return err
		}
		for i, p := range s.Patches {
			if v := p.Verified; v != nil && v.Effort == r.thorough && v.Copy == hash && (r.Wider == 0 || v.WiderTest == test) {
				continue
			}
			v, err := r.verify(ctx, s.Subject, p.Text)
			if err != nil {
				return fmt.Errorf("%s, verify patch %s: %w", s.Subject.Name, p.ID, err)
			}
			v.Mendel = r.version
			p.Verified = v
			fmt.Fprintf(r.log, "%s, patch %s (%d of %d): %s\n", s.Subject.Name, p.ID, i+1, len(s.Patches), v.Line())
			if err := r.save(errors.New("the patches are not all verified")); err != nil {
				return err
			}
		}
	}
	return nil
}

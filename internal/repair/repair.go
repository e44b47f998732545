package repair

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"mendel/internal/overrun"
	"mendel/internal/repair/original"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
	"mendel/mutate"
)

// Run reproduces the failure of a target, searches for fixes and validates
// them. Transferred fixes of other packages are tried before the search. The
// result is never nil; when ctx ends it holds the best so far, and the error is
// ctx's. The budget's end is no error.
func Run(ctx context.Context, w result.Wanted, transferred ...Transferred) (*result.Result, error) {
	return run(ctx, w, known{transferred: transferred})
}

// begins is the first line of the log of a repair, or of the verification of a patch:
// what is repaired, and with which effort.
func begins(w result.Wanted, p *patch) string {
	text := "repairing "
	if p != nil {
		text = "verifying " + p.name + " for "
	}
	text += cmp.Or(w.Package, "what "+cmp.Or(w.FromName, w.From)+" names")
	if w.Dir != "" {
		text += " in " + w.Dir
	}
	if w.Run != "" {
		text += ", tests matching " + w.Run
	}
	text += fmt.Sprintf(": budget %v, seed %d", cmp.Or(w.SearchBudget, w.Budget), w.Seed)
	if w.Out != "" {
		text += ", results in " + w.Out
	}
	return text
}

// known is what a repair is told besides what the user wants.
type known struct {
	transferred []Transferred // fixes of other packages, to be tried before the search
	// failing are tests of the package that fail for another cause, which
	// another repair is about.
	failing []string
	patch   *patch // to verify, instead of a search for fixes; nil: none
	// begun are candidates of an earlier process whose validation did not come to its end.
	begun [][]mutate.Edit
}

// run is [Run] with all that is known.
func run(ctx context.Context, w result.Wanted, more known) (*result.Result, error) {
	s, ended, err := open(w, more)
	if err != nil {
		settings := setup.Resolve(w.WithDefaults())
		return &result.Result{Status: result.Failed, Seed: settings.Seed, Target: settings.AsTarget()}, err
	}
	if ended != nil {
		return ended, nil
	}
	defer s.journal.Close()

	s.progress.Printf("%s", begins(s.wanted, s.known.patch))
	budget, cancel := s.clock.Within(ctx, s.wanted.Budget)
	defer cancel()
	written := overrun.Watch(budget)
	done, err := s.repair(overrun.Without(budget)) // clusters have budgets of their own
	s.progress.Sweep()
	s.progress.EndPhase()
	s.progress.StepBuilds()
	r, err := s.assemble(ctx, budget, done, err)
	written() // what was found is not lost because writing takes long
	if s.wanted.Resume && !s.journal.Entered() {
		return r, err // what earlier processes have found stays as it is
	}
	s.progress.Printf("%s", r.Ends())
	if why := s.journal.Lost(); why != "" {
		r.Notes = append(r.Notes, why)
	}
	saveErr := errors.Join(r.Save(s.wanted.Out, done.schedules()), s.saveDossier(r, done))
	s.journal.End(ctx, r, err)
	return r, errors.Join(err, saveErr)
}

// stages are what each stage of a repair has returned; nil from that on which
// the repair did not come to.
type stages struct {
	env   *environment
	base  *original.Baseline
	scope *scope
	// reproduced is set when the failure is one to repair.
	reproduced bool
	undecided  string // why nothing is searched all the same; "": it is
	outcome    *outcome
	off        string // why the checker was switched off in the search
	unfinished bool   // more time would tell more about the fixes
}

// repair is the way from the target to its fixes. The stages are not nil.
func (s *session) repair(ctx context.Context) (done *stages, err error) {
	done = &stages{}
	if done.env, err = s.load(ctx); err != nil {
		return done, err
	}
	env := done.env
	narrowing, err := env.analyse(ctx)
	if err != nil {
		return done, err
	}
	prints, err := s.enter(env)
	if err != nil {
		return done, err
	}

	s.progress.Phase("reproduce", "running the tests with noise")
	done.base = original.New(env.Setup, env.only, narrowing)
	defer done.base.Close()
	if err := done.base.Reproduce(ctx); err != nil {
		return done, err
	}
	done.reproduced = true
	done.base.Print()
	if done.scope, err = env.narrow(ctx, narrowing, done.base); err != nil {
		return done, err
	}
	if env.undecidable(done.base) {
		done.undecided = "the checker does not see the failure, and noise is not to decide"
		return done, nil
	}
	judges, err := env.judges(ctx, prints, done.scope, done.base)
	if err != nil {
		return done, err
	}
	defer judges.close()
	if !env.UntilCandidate {
		defer judges.validator.Rehearse(ctx)()
	}
	if env.known.patch != nil {
		done.outcome, err = judges.verify(ctx)
	} else {
		done.outcome, err = judges.find(ctx)
	}
	if done.off = judges.off(); done.off != "" {
		s.progress.Note("the checker was switched off in the search: %s", done.off)
	}
	if err == nil {
		done.unfinished, err = judges.plant(ctx, done.outcome, func() error { return s.deliver(ctx, done) })
	}
	return done, err
}

// deliver writes what was found until now.
func (s *session) deliver(ctx context.Context, done *stages) error {
	r, err := s.assemble(ctx, ctx, done, nil)
	if err != nil {
		return err
	}
	return errors.Join(r.Save(s.wanted.Out, done.schedules()), s.saveDossier(r, done))
}

// find looks for fixes: among those of other packages, and what an earlier process has begun to validate, then by
// a search for a mutant that mends all failures, then for each cause.
func (j *judges) find(ctx context.Context) (*outcome, error) {
	out, err := j.tryTransferred(ctx, j.known.transferred)
	if err != nil || out.fixed() {
		return out, err
	}
	if out, err = j.goOnValidating(ctx); err != nil || out.unflagged() {
		return out, err
	}
	if clusters := j.clusters(j.base); len(clusters) > 1 {
		return j.searchClusters(ctx, out.findings, clusters)
	}
	j.Progress.Phase("search", "searching among %d edits", j.narrowed.Edits)
	return j.search(ctx, out.findings)
}

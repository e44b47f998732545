package mendel

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel/internal/dossier"
	"mendel/internal/store"
)

// open prepares the output directory for a run that begins or goes on. given is
// the budget as it was asked for. The result is not nil if the run has ended
// for good: it is its own.
func (r *repairer) open(given time.Duration) (*Result, error) {
	r.began = time.Now()
	if err := r.o.check(); err != nil {
		return nil, err
	}
	if r.o.Resume && !store.Exists(r.o.Out) {
		return nil, nothingToResume(r.o.Out)
	}
	if err := prepareOut(r.o.Out); err != nil {
		return nil, err
	}
	var err error
	if r.journal, err = openJournal(r.o, &r.clock); err != nil {
		return nil, err
	}
	if r.o.Resume {
		if ended, err := r.takeUp(given); err != nil || ended != nil {
			r.journal.close()
			return ended, err
		}
	} else {
		r.clock.start()
	}
	r.wanted = r.o
	r.o.Observer = r.journal.records(r.o.Observer)
	if r.journal != nil && r.journal.moved != "" {
		r.note("the store of earlier repairs was damaged: it is %s now", r.journal.moved)
	}
	return nil, nil
}

// takeUp makes the options those of the run to go on with; given is the new
// whole budget, 0 the old one. The result is not nil if that run has ended for
// good: it is its own.
func (r *repairer) takeUp(given time.Duration) (*Result, error) {
	run, err := r.journal.store.Last()
	if err != nil {
		return nil, err
	}
	if run == nil {
		return nil, nothingToResume(r.o.Out)
	}
	var o Options
	if err := json.Unmarshal(run.Options, &o); err != nil {
		return nil, fmt.Errorf("read the options of the repair in %s: %w; begin another one without --resume", r.o.Out, err)
	}
	o.Out, o.Observer, o.Verbose, o.Resume, o.Fresh = r.o.Out, r.o.Observer, r.o.Verbose, true, run.Fresh
	if o.known = r.o.known; o.known == nil {
		o.known = knownTo(o.Out)
	}
	o.Budget = cmp.Or(given, seconds(run.Budget))
	spent := seconds(run.Seconds)
	over := run.Status == store.Done || run.Status == store.OutOfBudget && o.Budget <= spent
	if over && len(run.Result) > 0 {
		return ended(run, o)
	}
	r.o = o
	r.result.Seed, r.result.Target = o.Seed, o.target()
	r.clock.hold(spent)
	r.began = run.Started
	r.journal.resumes(run)
	return nil, nil
}

// nothingToResume says that there is no run in a directory.
func nothingToResume(out string) error {
	return fmt.Errorf("%s holds no repair to go on with: name the --out directory of one, or begin one without --resume", out)
}

// resumable tells whether there is a run in an output directory that can be
// gone on with, and the time that it has spent.
func resumable(out string) (spent time.Duration, ok bool) {
	s, err := store.Look(out)
	if err != nil {
		return 0, false
	}
	defer s.Close()
	run, err := s.Last()
	if err != nil || run == nil {
		return 0, false
	}
	return seconds(run.Seconds), true
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// ended is the result of a run that has ended.
func ended(run *store.Run, o Options) (*Result, error) {
	res := &Result{}
	if err := json.Unmarshal(run.Result, res); err != nil {
		return nil, fmt.Errorf("read the result of the repair in %s: %w; begin another one without --resume", o.Out, err)
	}
	var source fingerprint
	if err := json.Unmarshal(run.Source, &source); err != nil {
		return nil, fmt.Errorf("read what the repair in %s was begun with: %w", o.Out, err)
	}
	res.out, res.printed, res.spent = o.Out, run.Report, run.Status == store.OutOfBudget
	res.source = source.Files
	text := "has ended"
	if res.spent {
		text = fmt.Sprintf("has spent its budget of %v, and goes on with a larger --budget only", seconds(run.Budget))
	}
	o.Observer.Printf("the repair in %s %s: this is its result", o.Out, text)
	return res, nil
}

// applyEnded writes a fix of a repair that has ended before into the source, as
// Apply does, if that still is what was repaired but for what the fix itself has
// changed already.
func (res *Result) applyEnded(f Fix) error {
	byHand := fmt.Sprintf("; what remains is to apply the patch by hand: git apply %s", filepath.Join(res.out, f.Patch))
	d, err := dossier.Read(res.out)
	if err != nil {
		return fmt.Errorf("apply %s: %w%s", f.Patch, err, byHand)
	}
	at := slices.IndexFunc(d.Fixes, func(kept dossier.Fix) bool {
		return kept.Patch == f.Patch && kept.Diff != "" && strings.HasSuffix(f.Diff, kept.Diff)
	})
	if at < 0 {
		return fmt.Errorf("apply %s: %s in %s is of another repair by now; repair again", f.Patch, dossier.Name, res.out)
	}
	now := map[string]string{}
	for name := range res.source {
		if own := slices.ContainsFunc(d.Fixes[at].Files, func(c dossier.File) bool { return c.Path == name }); own {
			now[name] = res.source[name] // applyFix looks closer
		} else if text, err := os.ReadFile(inModule(res.Target.Module, name)); err == nil {
			now[name] = sum(text)
		}
	}
	if changed := changes(res.source, now); len(changed) > 0 {
		return fmt.Errorf("apply %s: %s since it was validated%s", f.Patch, strings.Join(changed, ", "), byHand)
	}
	d.Fixes = d.Fixes[at : at+1]
	if err := applyFix(d); err != nil {
		return fmt.Errorf("apply %s: %w", f.Patch, err)
	}
	return nil
}

// enter enters the run in the journal, or that it goes on. A run whose source
// has changed since does not.
func (r *repairer) enter() error {
	if r.journal == nil {
		return nil
	}
	var err error
	if r.prints, err = r.fingerprint(); err != nil {
		return err
	}
	if run := r.journal.resumed(); run != nil {
		changed, err := r.changedSince(run)
		if err != nil {
			return fmt.Errorf("read what the repair in %s was begun with: %w", r.o.Out, err)
		}
		if len(changed) > 0 {
			return fmt.Errorf("the repair in %s cannot go on, because %s since it was begun: undo that, or begin another repair without --resume", r.o.Out, strings.Join(changed, ", "))
		}
		return r.goOn(run)
	}
	if r.journal.isForeign(r.prints.Others[mendelItself]) && !r.o.Fresh {
		r.o.Observer.Printf("another Mendel made the latest repair in %s: its scores are not used", r.o.Out)
	}
	asked := r.wanted
	asked.Observer, asked.Resume = nil, false
	if asked, err = asked.absolute(); err != nil {
		return err
	}
	options, err := json.Marshal(asked)
	if err != nil {
		return fmt.Errorf("keep the options: %w", err)
	}
	source, err := json.Marshal(r.prints)
	if err != nil {
		return fmt.Errorf("keep the hashes of the source: %w", err)
	}
	return r.journal.begin(&store.Run{
		Started: r.began, Fresh: r.o.Fresh, Budget: r.o.Budget.Seconds(), Module: r.program.Module,
		Package: r.result.Target.Package, Pattern: r.o.Run, Go: r.tool.Version, Mendel: r.prints.Others[mendelItself],
		Options: options, Source: source,
	})
}

// goOn takes up where an earlier process has stopped.
func (r *repairer) goOn(run *store.Run) error {
	if err := r.journal.goOn(run, r.o.Budget); err != nil {
		return err
	}
	if len(run.Work) > 0 {
		var w work
		if err := json.Unmarshal(run.Work, &w); err != nil {
			return fmt.Errorf("read the work done on the repair in %s: %w", r.o.Out, err)
		}
		r.earlier = w.Search
		r.addPhases(w.Phases)
	}
	known := r.journal.known
	r.evaluations.Store(int64(known.Evaluations))
	text := fmt.Sprintf("going on after %v of work: %d mutants scored, %d candidates validated are known",
		r.clock.spent().Round(time.Second), known.Evaluations, known.Fixes+known.Rejected)
	r.o.Observer.Printf("%s", text)
	r.journal.enterEvent(store.LineEvent, text) // of a log that goes on it is the first line
	return nil
}

// absolute makes the names among options independent of where the process works.
func (o Options) absolute() (Options, error) {
	for _, name := range []*string{&o.Dir, &o.From, &o.Out} {
		if *name == "" && name != &o.Dir {
			continue
		}
		abs, err := filepath.Abs(*name)
		if err != nil {
			return o, fmt.Errorf("find %s: %w", *name, err)
		}
		*name = abs
	}
	return o, nil
}

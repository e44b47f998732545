package repair

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mendel/internal/journal"
	"mendel/internal/repair/original"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
)

// A session is one process's part in a run: what is wanted, and where is told
// and kept what happens.
type session struct {
	wanted   result.Wanted // defaults filled in; of a run that goes on, its own
	known    known
	began    time.Time // the run, by wall-clock
	clock    *journal.Clock
	journal  *journal.Journal // nil: nothing is kept
	progress *setup.Progress
}

// open prepares the output directory for a run that begins or goes on. The
// result is not nil if the run has ended for good: it is its own.
func open(asked result.Wanted, more known) (*session, *result.Result, error) {
	s := &session{wanted: asked.WithDefaults(), known: more, began: time.Now(), clock: &journal.Clock{}}
	if err := s.wanted.Check(); err != nil {
		return nil, nil, err
	}
	if asked.Resume {
		if err := journal.CheckResumable(asked.Out); err != nil {
			return nil, nil, err
		}
	}
	err := result.PrepareOut(asked.Out)
	if err != nil {
		return nil, nil, err
	}
	if more.patch == nil {
		if s.journal, err = journal.Open(s.wanted, s.clock); err != nil {
			return nil, nil, err
		}
	}
	if !asked.Resume {
		s.clock.Start()
	} else if ended, err := s.takeUp(asked.Budget); err != nil || ended != nil {
		s.journal.Close()
		return nil, ended, err
	}
	s.progress = setup.NewProgress(s.journal.Recorder(s.wanted.Observer), s.wanted.Verbose, s.journal)
	s.progress.Meter.Clock = s.clock
	if moved := s.journal.Moved(); moved != "" {
		s.progress.Note("the store of earlier repairs was damaged: it is %s now", moved)
	}
	return s, nil, nil
}

// takeUp makes the session one of the latest run in the store; given is the new
// whole budget, 0 the old one. The result is not nil if that run has ended for
// good: it is its own.
func (s *session) takeUp(given time.Duration) (*result.Result, error) {
	now := s.wanted
	past, err := s.journal.Latest(now.Out)
	if err != nil {
		return nil, err
	}
	w, err := past.Wanted()
	if err != nil {
		return nil, err
	}
	w.Out, w.Observer, w.Verbose, w.Resume = now.Out, now.Observer, now.Verbose, true
	w.SearchBudget = now.SearchBudget
	w.Budget = cmp.Or(given, past.Budget())
	ended, err := past.Result(w.Budget)
	if err != nil {
		return nil, err
	}
	if ended != nil {
		text := "has ended"
		if result.LiveOf(ended).Spent {
			text = fmt.Sprintf("has spent its budget of %v, and goes on with a larger --budget only", past.Budget())
		}
		w.Observer.Printf("the repair in %s %s: this is its result", w.Out, text)
		return ended, nil
	}
	if s.known.begun, err = past.Begun(); err != nil {
		return nil, err
	}
	s.wanted, s.began = w, past.Began()
	s.clock.Hold(past.Spent())
	s.journal.Replay(past)
	return nil, nil
}

// enter enters the run in the journal, or that it goes on. A run whose source
// has changed since does not.
func (s *session) enter(env *environment) (journal.Fingerprint, error) {
	if s.journal == nil {
		return journal.Fingerprint{}, nil
	}
	prints, err := env.fingerprint()
	if err != nil {
		return journal.Fingerprint{}, err
	}
	if past := s.journal.Resumed(); past != nil {
		return s.goOn(env, past, prints)
	}
	if s.journal.OtherFormat() && !env.Fresh {
		s.progress.Printf("the latest repair in %s is stored in another format: its scores are not used", env.Out)
	}
	stored, err := journal.Store(s.wanted).Absolute()
	if err != nil {
		return journal.Fingerprint{}, err
	}
	return prints, s.journal.Begin(journal.Entry{
		Began: s.began, Fresh: env.Fresh, Budget: env.Budget, Module: env.Program.Module,
		Package: env.Target.Package, Pattern: env.Run, Go: env.Tool.Version, Options: stored, Source: prints,
	})
}

// goOn takes up where an earlier process has stopped, if the source is what it
// was, and what is below testdata what it was when its tests were run first. The
// fingerprint is that of the earlier process, so that its scores are found.
func (s *session) goOn(env *environment, past *journal.Past, prints journal.Fingerprint) (journal.Fingerprint, error) {
	before, err := past.Source()
	if err != nil {
		return journal.Fingerprint{}, err
	}
	changed := prints.ChangedSince(before)
	saved, err := past.Baseline()
	if err != nil {
		return journal.Fingerprint{}, err
	}
	if saved != nil {
		changed = append(changed, journal.TestdataChanges(saved.Testdata, env.HashTestdata())...)
	}
	if len(changed) > 0 {
		return journal.Fingerprint{}, cannotGoOn(env, changed, appliedSince(env.Out, before, prints))
	}
	known, err := s.journal.GoOn(past, env.Budget)
	if err != nil {
		return journal.Fingerprint{}, err
	}
	work, err := past.Work()
	if err != nil {
		return journal.Fingerprint{}, err
	}
	s.progress.Resume(work, known.Evaluations)
	s.journal.Going(s.progress.Observer, fmt.Sprintf("going on after %v of work: %d mutants scored, %d candidates validated are known",
		s.clock.Spent().Round(time.Second), known.Evaluations, known.Fixes+known.Rejected))
	return before, nil
}

// fingerprint takes that of the program as it was loaded.
func (env *environment) fingerprint() (journal.Fingerprint, error) {
	files, modules := env.Program.Sources()
	f := journal.NewFingerprint(env.Tool.Version)
	f.Others["the version of a module"] = result.Hash([]byte(strings.Join(modules, "\n")))
	for _, name := range []string{"GOFLAGS", "GOEXPERIMENT", "GODEBUG", "GOARCH", "CGO_ENABLED", "GOWORK"} {
		f.Others[name] = os.Getenv(name)
	}
	if env.From != "" {
		text, err := os.ReadFile(env.From)
		if err != nil {
			return f, fmt.Errorf("look whether the evidence has changed: %w", err)
		}
		f.Others[cmp.Or(env.FromName, filepath.Base(env.From))] = result.Hash(text)
	}
	module := env.Program.Module
	for _, name := range []string{"go.mod", "go.sum", "vendor/modules.txt"} {
		files = append(files, result.InModule(module, name))
	}
	for _, name := range files {
		if loaded := env.Program.File(name); loaded != nil {
			f.Add(module, name, loaded.Source)
		} else if err := f.Read(module, name); err != nil {
			return f, err
		}
	}
	return f, nil
}

// judging identifies what scores hold for: the source and the way of judging,
// which depends on who has seen the original fail.
func (env *environment) judging(prints journal.Fingerprint, base *original.Baseline) (string, error) {
	checked := []bool{base.Checked != nil, base.Failed == 0, base.Leaks}
	if base.Checked != nil {
		checked = append(checked, base.CheckerFailed())
	}
	if len(base.Forced) > 0 {
		checked = append(checked, true, true, true) // mutants are judged under what was forced, too
	}
	return journal.Judging(prints, base.Testdata, env.Target.Package, env.Run, env.Tags, env.Flags,
		env.Count, env.Timeout, env.NoRace, env.NoNoise, checked)
}

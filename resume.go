package mendel

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"mendel/checker/sched"
	"mendel/internal/store"
)

// judges is the version of all that scores of mutants depend on: the operators,
// the checker, noise, and what makes a score of what they show. Whoever changes
// any of that raises it, so that no earlier score is used again.
const judges = 1

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
	o.known = r.o.known
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
	res.out, res.printed, res.spent = o.Out, run.Report, run.Status == store.OutOfBudget
	text := "has ended"
	if res.spent {
		text = fmt.Sprintf("has spent its budget of %v, and goes on with a larger --budget only", seconds(run.Budget))
	}
	o.Observer.Printf("the repair in %s %s: this is its result", o.Out, text)
	return res, nil
}

// enter enters the run in the journal, or that it goes on. A run whose source
// has changed since does not.
func (r *repairer) enter() error {
	if r.journal == nil {
		return nil
	}
	source, err := r.fingerprint()
	if err != nil {
		return err
	}
	r.prints = source
	if run := r.journal.resumed(); run != nil {
		var before map[string]string
		if err := json.Unmarshal(run.Source, &before); err != nil {
			return fmt.Errorf("read what the repair in %s was begun with: %w", r.o.Out, err)
		}
		if changed := changes(before, source); len(changed) > 0 {
			return fmt.Errorf("the repair in %s cannot go on, because %s since it was begun: undo that, or begin another repair without --resume", r.o.Out, strings.Join(changed, ", "))
		}
		return r.goOn(run)
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
	files, err := json.Marshal(source)
	if err != nil {
		return fmt.Errorf("keep the hashes of the source: %w", err)
	}
	return r.journal.begin(&store.Run{
		Fresh: r.o.Fresh, Budget: r.o.Budget.Seconds(), Module: r.program.Module,
		Package: r.result.Target.Package, Pattern: r.o.Run, Go: r.tool.Version, Mendel: version(),
		Options: options, Source: files,
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

// fingerprint hashes all that scores depend on and options do not say, by name.
func (r *repairer) fingerprint() (map[string]string, error) {
	sum := func(text []byte) string {
		h := sha256.Sum256(text)
		return hex.EncodeToString(h[:16])
	}
	prints := map[string]string{
		"the go command": r.tool.Version, "Mendel": version(), "GOFLAGS": os.Getenv("GOFLAGS"),
	}
	for _, p := range r.program.Packages {
		for _, f := range p.Files {
			prints[f.Rel] = sum(f.Source)
		}
	}
	others := []string{"go.mod", "go.sum", "vendor/modules.txt"}
	for i := range others {
		others[i] = filepath.Join(r.program.Module, filepath.FromSlash(others[i]))
	}
	if r.o.From != "" {
		others = append(others, r.o.From)
	}
	for _, name := range others {
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("look whether the source has changed: %w", err)
		}
		prints[filepath.Base(name)] = sum(text)
	}
	return prints, nil
}

// changes words the differences of two fingerprints, sorted.
func changes(before, after map[string]string) []string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(before)) {
		switch now, ok := after[name]; {
		case !ok:
			words = append(words, name+" is gone")
		case now != before[name]:
			words = append(words, name+" has changed")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[name]; !ok {
			words = append(words, name+" is new")
		}
	}
	return words
}

// judging identifies what scores hold for: the source and the way of judging,
// which depends on who has seen the original fail.
func (r *repairer) judging(base *baseline) (string, error) {
	o := r.o
	checked := []bool{base.checked != nil, base.failed == 0, base.leaks}
	if base.checked != nil {
		checked = append(checked, base.checked.Verdict == sched.Failed)
	}
	data, err := json.Marshal([]any{
		r.prints, r.result.Target.Package, o.Run, o.Tags, o.Flags, o.Count, o.Timeout, o.NoRace, o.NoNoise, checked,
	})
	if err != nil {
		return "", fmt.Errorf("identify what scores hold for: %w", err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16]), nil
}

// version is that of this Mendel as far as scores depend on it: of the judges
// and, where it is known, of the source.
func version() string {
	v := strconv.Itoa(judges)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.modified" && s.Value == "true" {
				v += " " + s.Value
			}
		}
	}
	return v
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

package journal

import (
	"encoding/json"
	"fmt"
	"time"

	"mendel/fitness"
	"mendel/internal/result"
	"mendel/internal/store"
	"mendel/mutate"
)

// A Past is a run as an earlier process left it.
type Past struct {
	out string
	run *store.Run
}

// nothingToResume says that there is no run in a directory.
func nothingToResume(out string) error {
	return fmt.Errorf("%s holds no repair to go on with: name the --out directory of one, or begin one without --resume", out)
}

// CheckResumable refuses a directory in which nothing was stored, before
// anything is made there.
func CheckResumable(out string) error {
	if !store.Exists(out) {
		return nothingToResume(out)
	}
	return nil
}

// Latest is the latest run in the store. It is an error if there is none, or if
// it is stored in a format that is not known.
func (j *Journal) Latest(out string) (*Past, error) {
	run, err := j.store.Last()
	if err != nil {
		return nil, err
	}
	if run == nil {
		return nil, nothingToResume(out)
	}
	if err := checkFormat(out, run.Mendel); err != nil {
		return nil, err
	}
	return &Past{out, run}, nil
}

// Spent reports the time of work of the latest run in an output directory; ok
// is false if there is none to go on with.
func Spent(out string) (spent time.Duration, ok bool) {
	s, err := store.Look(out)
	if err != nil {
		return 0, false
	}
	defer func() { _ = s.Close() }() // it was only read
	run, err := s.Last()
	if err != nil || run == nil {
		return 0, false
	}
	return Seconds(run.Seconds), true
}

// Began is when the run began, by wall-clock.
func (p *Past) Began() time.Time { return p.run.Started }

// Spent is the time of work.
func (p *Past) Spent() time.Duration { return Seconds(p.run.Seconds) }

// Budget is the time that the run was given.
func (p *Past) Budget() time.Duration { return Seconds(p.run.Budget) }

// Resumed is how often it was resumed.
func (p *Past) Resumed() int { return p.run.Resumed }

// Wanted is what was asked of the run.
func (p *Past) Wanted() (result.Wanted, error) {
	var o Options
	if err := json.Unmarshal(p.run.Options, &o); err != nil {
		return result.Wanted{}, fmt.Errorf("read the options of the repair in %s: %w; begin another one without --resume", p.out, err)
	}
	w := o.Wanted()
	w.Fresh = p.run.Fresh
	return w, nil
}

// Source is the fingerprint that the run was begun with.
func (p *Past) Source() (Fingerprint, error) {
	var f Fingerprint
	if err := json.Unmarshal(p.run.Source, &f); err != nil {
		return f, fmt.Errorf("read what the repair in %s was begun with: %w", p.out, err)
	}
	return f, nil
}

// Baseline is how the original behaves; nil if that is not known yet.
func (p *Past) Baseline() (*SavedBaseline, error) {
	if len(p.run.Baseline) == 0 {
		return nil, nil
	}
	b := &SavedBaseline{}
	if err := json.Unmarshal(p.run.Baseline, b); err != nil {
		return nil, fmt.Errorf("read how the original behaves from the store: %w", err)
	}
	return b, nil
}

// Work is what was done on the run.
func (p *Past) Work() (w result.Work, err error) {
	if len(p.run.Work) == 0 {
		return w, nil
	}
	if err := json.Unmarshal(p.run.Work, &w); err != nil {
		return w, fmt.Errorf("read the work done on the repair in %s: %w", p.out, err)
	}
	return w, nil
}

// Begun are the candidates whose validation did not come to its end, as the run's result has them, the best first.
func (p *Past) Begun() (all [][]mutate.Edit, err error) {
	if len(p.run.Result) == 0 {
		return nil, nil
	}
	r := &result.Result{}
	if err := json.Unmarshal(p.run.Result, r); err != nil {
		return nil, fmt.Errorf("read the result of the repair in %s: %w; begin another one without --resume", p.out, err)
	}
	for _, f := range r.Fixes {
		if len(f.Incomplete) > 0 {
			all = append(all, f.Edits)
		}
	}
	for _, m := range r.Partial {
		if m.Score >= fitness.FullScore && len(all) == 0 {
			all = append(all, m.Edits)
		}
	}
	return all, nil
}

// Result is that of a run that has ended for good: it was done, or has spent a
// budget that is not larger now. It is nil if the run can go on.
func (p *Past) Result(budget time.Duration) (*result.Result, error) {
	outOfBudget := p.run.Status == store.OutOfBudget
	ended := p.run.Status == store.Done || outOfBudget && budget <= p.Spent()
	if !ended || len(p.run.Result) == 0 {
		return nil, nil
	}
	r := &result.Result{}
	if err := json.Unmarshal(p.run.Result, r); err != nil {
		return nil, fmt.Errorf("read the result of the repair in %s: %w; begin another one without --resume", p.out, err)
	}
	source, err := p.Source()
	if err != nil {
		return nil, err
	}
	result.Attach(r, result.Live{
		Out: p.out, Spent: outOfBudget,
		Restored: &result.Restored{Text: p.run.Report, Source: source.Files},
	})
	return r, nil
}

package mendel

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"mendel/analysis"
	"mendel/checker"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/dossier"
	"mendel/internal/report"
	"mendel/internal/store"
	"mendel/mutate"
	"mendel/validate"
)

// A keptBaseline is a baseline as it is kept, and what the repairer has got by it.
type keptBaseline struct {
	Noised    []noise.Outcome      `json:"noised"`
	Plain     []noise.Outcome      `json:"plain,omitempty"` // that the time limit was first set by
	Checked   *checker.Report      `json:"checked,omitempty"`
	Delivered []checker.Delivered  `json:"delivered,omitempty"` // belongs to Checked
	Schedules []*checker.File      `json:"schedules,omitempty"`
	Traces    map[string]keptTrace `json:"traces,omitempty"`  // by signature
	Leaks     bool                 `json:"leaks,omitempty"`   // noised runs have the leak profile
	Checker   string               `json:"checker,omitempty"` // why it takes no part
	Notes     []string             `json:"notes,omitempty"`
	Testdata  map[string]string    `json:"testdata"` // see hashTestdata; what the tests change themselves is left out
}

// A keptTrace is an execution that shows a failure of the original.
type keptTrace struct {
	Schedule checker.Schedule `json:"schedule"`
	Trace    *dossier.Trace   `json:"trace"`
	Locks    []report.LockUse `json:",omitempty"`
}

// baseline is how the original behaves: as it is known, if the run goes on, or
// by reproducing the failure, which is kept then.
func (r *repairer) baseline(ctx context.Context) (*baseline, error) {
	if run := r.journal.resumed(); run != nil && len(run.Baseline) > 0 {
		return r.recallBaseline(run.Baseline)
	}
	r.journal.news()
	testdata := r.hashTestdata()
	base, err := r.reproduce(ctx)
	r.testdata = common(testdata, r.hashTestdata())
	if err == nil {
		err = r.keepBaseline(base)
	}
	return base, err
}

// keepBaseline enters how the original behaves.
func (r *repairer) keepBaseline(b *baseline) error {
	if r.journal == nil {
		return nil
	}
	kept := keptBaseline{
		Noised: b.noised, Plain: b.plain, Checked: b.checked, Schedules: r.schedules,
		Leaks: b.leaks, Checker: r.result.Search.Checker, Notes: r.result.Notes,
		Testdata: r.testdata, Traces: map[string]keptTrace{},
	}
	if b.checked != nil {
		kept.Delivered = b.checked.Delivered
	}
	for signature, t := range r.tracer.failures {
		kept.Traces[signature] = keptTrace{t.schedule, t.trace, t.locks}
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return fmt.Errorf("keep the baseline: %w", err)
	}
	var failures []store.Failure
	for _, f := range b.failures {
		failures = append(failures, store.Failure{
			Kind: string(f.Kind), Message: f.Message, Test: f.Test, Signature: f.Signature, Seen: f.Seen, Runs: f.Runs,
		})
	}
	r.journal.write(func(run int64) error { return r.journal.store.KeepBaseline(run, data, failures) })
	r.lap()
	r.journal.enterTime()
	return nil
}

// recallBaseline brings the repairer where reproducing has brought it before.
func (r *repairer) recallBaseline(data []byte) (*baseline, error) {
	var kept keptBaseline
	if err := json.Unmarshal(data, &kept); err != nil {
		return nil, fmt.Errorf("read how the original behaves from the store: %w", err)
	}
	b := &baseline{noised: kept.Noised, plain: kept.Plain, checked: kept.Checked, leaks: kept.Leaks}
	r.schedules, r.result.Search.Checker = kept.Schedules, kept.Checker
	r.tracer.failures = map[string]traced{}
	for signature, t := range kept.Traces {
		r.tracer.failures[signature] = traced{t.Schedule, t.Trace, t.Locks}
	}
	if kept.Leaks {
		c := r.noiseConfig()
		c.LeakProfile = true
		h, err := noise.New(c)
		if err != nil {
			return nil, err
		}
		if err := r.exchange(h); err != nil {
			return nil, err
		}
	}
	r.harness.Calibrate(b.plain)
	r.harness.Calibrate(b.noised)
	if b.checked != nil {
		b.checked.Delivered = kept.Delivered
		if err := r.newExplorer(); err != nil {
			return nil, err
		}
	}
	b.summarise()
	err := r.keepAsked(b)
	r.result.Notes = kept.Notes // those noted again since among them
	return b, err
}

// keepFindings enters what is used concurrently.
func (r *repairer) keepFindings() {
	if r.journal == nil {
		return
	}
	var all []store.Finding
	types, functions, variables := r.narrowing.Findings()
	for _, list := range [][]analysis.Finding{types, functions, variables} {
		for _, f := range list {
			var reasons []string
			for _, why := range f.Reasons {
				reasons = append(reasons, fmt.Sprintf("%s: %s", why.Source, why.Detail))
			}
			file := f.Pos.Filename
			if known := r.program.File(file); known != nil {
				file = known.Rel
			}
			all = append(all, store.Finding{
				Kind: string(f.Kind), Name: f.Name, Place: fmt.Sprintf("%s:%d", file, f.Pos.Line), Reasons: strings.Join(reasons, "\n"),
			})
		}
	}
	r.journal.write(func(run int64) error { return r.journal.store.KeepFindings(run, all) })
}

// scores are the evaluations that a journal knows and keeps.
type scores struct {
	*journal
	judging string
}

var _ fitness.Memory = scores{}

// Recall finds an evaluation of this run, or of an earlier one of the same
// source, unless the run is a fresh one. What an earlier run did not get to the
// end of for lack of time, or through no fault of the mutant, is tried again.
func (s scores) Recall(hash string) (fitness.Record, bool) {
	var r fitness.Record
	data, run, ok, err := s.store.Evaluation(s.judging, hash)
	if err == nil && ok {
		err = json.Unmarshal(data, &r)
	}
	own := run == s.id()
	usable := own || !s.isFresh() && r.Observations.Broken == "" && !r.Observations.TimedOut
	if err != nil || !ok || !usable {
		s.clock.start()
		return fitness.Record{}, false
	}
	return r, true
}

// Keep enters an evaluation.
func (s scores) Keep(m *mutate.Mutant, r fitness.Record) error {
	s.news()
	kept, err := keptMutant(m.Hash, m.Edits)
	if err != nil {
		return err
	}
	record, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode a score: %w", err)
	}
	e := store.Evaluation{
		Mutant: kept, Judging: s.judging, Seconds: s.clock.spent().Seconds(),
		Score: r.Result.Score, Runs: r.Result.Runs, Passes: r.Result.Passes, Verdict: string(r.Result.Verdict),
		Schedules: r.Result.Schedules, Refused: r.Result.Refused, Record: record,
	}
	s.write(func(run int64) error {
		e.Run = run
		return s.store.KeepEvaluation(e)
	})
	return nil
}

// verdicts are the validations that a journal knows and keeps.
type verdicts struct{ *journal }

var _ validate.Memory = verdicts{}

// Recall finds a validation of this run. Those of others rest on how the
// original behaved then, so they are made again.
func (v verdicts) Recall(hash string) (validate.Record, bool) {
	var r validate.Record
	data, ok, err := v.store.Validation(v.id(), hash)
	if err == nil && ok {
		err = json.Unmarshal(data, &r)
	}
	if err != nil || !ok {
		v.news()
		return validate.Record{}, false
	}
	return r, true
}

// Keep enters a validation.
func (v verdicts) Keep(candidate *mutate.Mutant, r validate.Record) error {
	kept, err := keptMutant(candidate.Hash, candidate.Edits)
	if err != nil {
		return err
	}
	e := store.Validation{Mutant: kept, Seconds: v.clock.spent().Seconds(), Reason: describe(r.Edits)}
	if r.Rejected != nil {
		e.Stage, e.Reason = string(r.Rejected.Stage), r.Rejected.Reason
	}
	if e.Record, err = json.Marshal(r); err != nil {
		return fmt.Errorf("encode a validation: %w", err)
	}
	v.write(func(run int64) error {
		e.Run = run
		return v.store.KeepValidation(e)
	})
	return nil
}

func keptMutant(hash string, edits []mutate.Edit) (store.Mutant, error) {
	data, err := json.Marshal(edits)
	if err != nil {
		return store.Mutant{}, fmt.Errorf("encode the edits of a mutant: %w", err)
	}
	return store.Mutant{Hash: hash, Words: describe(edits), Edits: data}, nil
}

package journal

import (
	"encoding/json"
	"fmt"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/dossier"
	"mendel/internal/report"
	"mendel/internal/result"
	"mendel/internal/store"
	"mendel/mutate"
	"mendel/validate"
)

// A SavedBaseline is how the original behaves, as it is stored, and what was made on the way.
type SavedBaseline struct {
	Noised    []noise.Outcome       `json:"noised"`
	Plain     []noise.Outcome       `json:"plain,omitempty"` // that the time limit was first set by
	Checked   *checker.Report       `json:"checked,omitempty"`
	Delivered []checker.Delivered   `json:"delivered,omitempty"` // belongs to Checked
	Schedules []*checker.File       `json:"schedules,omitempty"`
	Traces    map[string]SavedTrace `json:"traces,omitempty"` // by signature
	Suspects  []dossier.Suspect     `json:"suspects,omitempty"`
	Leaks     bool                  `json:"leaks,omitempty"`    // noised runs have the leak profile
	Standing  []string              `json:"standing,omitempty"` // goroutines that are left waiting anyway and do not count
	Apart     []evidence.Apart      `json:"apart,omitempty"`    // how tests fail for reasons of their own
	Checker   string                `json:"checker,omitempty"`  // why it takes no part
	Notes     []string              `json:"notes,omitempty"`
	Forced    json.RawMessage       `json:"forced,omitempty"` // interleavings that fail the original
	Testdata  map[string]string     `json:"testdata"`         // see hashTestdata; what the tests change themselves is left out
}

// A SavedTrace is an execution that shows a failure of the original.
type SavedTrace struct {
	Schedule checker.Schedule `json:"schedule"`
	Trace    *dossier.Trace   `json:"trace"`
	Locks    []report.LockUse `json:",omitempty"`
}

// SaveBaseline enters how the original behaves, and its failures.
func (j *Journal) SaveBaseline(b SavedBaseline, failures []store.FailureRow) error {
	data, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("keep the baseline: %w", err)
	}
	j.write(func(run int64) error { return j.store.KeepBaseline(run, data, failures) })
	j.SaveTime()
	return nil
}

// SaveFindings enters what is used concurrently.
func (j *Journal) SaveFindings(all []store.Finding) {
	j.write(func(run int64) error { return j.store.KeepFindings(run, all) })
}

// Scores are the evaluations that the store knows and keeps, judged in one way.
func (j *Journal) Scores(judging string) fitness.Memory { return scores{j, judging} }

// Validations are the validations that the store knows and keeps.
func (j *Journal) Validations() validate.Memory { return verdicts{j} }

// scores are the evaluations that a journal knows and keeps.
type scores struct {
	*Journal
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
		s.clock.Start()
		return fitness.Record{}, false
	}
	return r, true
}

// Keep enters an evaluation.
func (s scores) Keep(m *mutate.Mutant, r fitness.Record) error {
	s.GoLive()
	kept, err := keptMutant(m.Hash, m.Edits)
	if err != nil {
		return err
	}
	record, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode a score: %w", err)
	}
	e := store.Evaluation{
		Mutant: kept, Judging: s.judging, Seconds: s.clock.Spent().Seconds(),
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
type verdicts struct{ *Journal }

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
		v.GoLive()
		return validate.Record{}, false
	}
	if r.Stopped() {
		v.GoLive() // it goes on
	}
	return r, true
}

// Keep enters a validation.
func (v verdicts) Keep(candidate *mutate.Mutant, r validate.Record) error {
	kept, err := keptMutant(candidate.Hash, candidate.Edits)
	if err != nil {
		return err
	}
	e := store.Validation{Mutant: kept, Seconds: v.clock.Spent().Seconds(), Reason: result.Describe(r.Edits)}
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
	return store.Mutant{Hash: hash, Words: result.Describe(edits), Edits: data}, nil
}

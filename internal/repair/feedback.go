package repair

import (
	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/evolve"
	"mendel/fitness"
	"mendel/internal/repair/original"
	"mendel/mutate"
	"mendel/validate"
)

// An observation is a mutant whose failures may name what was not known to be
// concurrent.
type observation struct {
	mutant *mutate.Mutant
	result fitness.Result
}

// collect takes down what an event may teach.
func (s *searchRun) collect(e evolve.Event) {
	if e.Mutant != nil && len(e.Result.Samples) > 0 {
		s.feedback = append(s.feedback, observation{e.Mutant, e.Result})
	}
}

// collectRefuted takes down what a candidate failed by that had a full score.
func (s *searchRun) collectRefuted(c candidate, why rejection) {
	if why.Failure == nil {
		return
	}
	failures := []evidence.Failure{*why.Failure}
	s.refuted[c.mutant.Hash] = failures
	s.feedback = append(s.feedback, observation{why.Mutant, fitness.Result{Samples: failures}})
}

// collectObjections takes down what scenarios show against a fix.
func (s *searchRun) collectObjections(c candidate, fix *validate.Fix) {
	var failures []evidence.Failure
	for _, o := range fix.Quality.Scenarios.Objections() {
		failures = append(failures, o.Failure.Failure)
	}
	if len(failures) == 0 {
		return
	}
	s.refuted[c.mutant.Hash] = failures
	s.feedback = append(s.feedback, observation{fix.Mutant, fitness.Result{Samples: failures}})
}

// learn extends the narrowing, and with it the edits, by what the failures of a
// generation's mutants revealed. It waits for the generation's end, and takes
// them in their order in the search: what is planned, flagged and validated
// while scores arrive must not depend on which arrived first.
func (s *searchRun) learn() {
	observations := s.feedback
	s.feedback = nil
	added := 0
	for _, o := range observations {
		source := analysis.Dynamic
		if o.result.Verdict != "" {
			source = original.ByChecker
		}
		for _, f := range o.result.Samples {
			added += s.narrowing.Learn(source, originalLines(o.mutant, f))
		}
	}
	if added == 0 {
		return
	}
	s.saveFindings(s.narrowing)
	if edits := s.space.Extend(); len(edits) > 0 {
		s.Progress.Step("failures of mutants add %d findings and %d edits", added, len(edits))
	}
}

// widen lists more edits, farther from the evidence.
func (s *searchRun) widen() bool {
	before := len(s.space.Edits())
	if !s.space.Widen() {
		return false
	}
	s.Progress.Step("nearly all of %d edits were tried alone: %d more", before, len(s.space.Edits())-before)
	return true
}

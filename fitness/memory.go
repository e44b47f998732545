package fitness

// Results that outlive the process. An evaluator asks its memory before it
// evaluates, and gives it each new result. The sources learn from a recalled
// evaluation what they learnt from the real one, so that the search goes on alike.

import (
	"cmp"
	"fmt"

	"mendel/checker"
	"mendel/mutate"
)

// A Memory keeps evaluations beyond the life of an Evaluator. It is called by
// several goroutines at once.
type Memory interface {
	// Recall finds what is known of a source by its hash.
	Recall(hash string) (r Record, ok bool)
	// Keep is called with each new evaluation before its result is used. Its
	// error becomes that of the evaluation.
	Keep(m *mutate.Mutant, r Record) error
}

// A Record is an evaluation as it is kept; it goes through JSON unchanged.
type Record struct {
	Result       Result       `json:"result"`
	Observations Observations `json:"learnt"`
}

// Observations are what a Source learns from scoring a mutant, beside the score.
type Observations struct {
	Schedules []checker.Schedule `json:"schedules,omitempty"` // counterexamples
	Ended     bool               `json:"ended,omitempty"`     // executions passed within the bound on steps
	TimedOut  bool               `json:"timedOut,omitempty"`  // it had to be ended, or blocked outside control
	CutOff    bool               `json:"cutOff,omitempty"`    // no execution ended within the bound on steps, and none is known to do so
	Broken    string             `json:"broken,omitempty"`    // why it could not be explored at all, through no fault of its own
}

// add adds what another source has observed.
func (o *Observations) add(p Observations) {
	o.Schedules = append(o.Schedules, p.Schedules...)
	o.Ended, o.TimedOut, o.CutOff = o.Ended || p.Ended, o.TimedOut || p.TimedOut, o.CutOff || p.CutOff
	o.Broken = cmp.Or(o.Broken, p.Broken)
}

// recall finds the result of a mutant in memory; ok is false if it is unknown.
func (e *Evaluator) recall(m *mutate.Mutant) (r Result, ok bool) {
	if e.memory == nil {
		return Result{}, false
	}
	known, ok := e.memory.Recall(m.Hash)
	if !ok {
		return Result{}, false
	}
	for _, s := range e.sources {
		s.Learn(m, known.Observations)
	}
	known.Result.Recalled = true
	return known.Result, true
}

// keep passes an evaluation to the memory.
func (e *Evaluator) keep(m *mutate.Mutant, r Record) error {
	if e.memory == nil {
		return nil
	}
	if err := e.memory.Keep(m, r); err != nil {
		return fmt.Errorf("keeping the score of mutant %.12s: %w", m.Hash, err)
	}
	return nil
}

// Learn takes in what exploring a mutant has shown.
func (s *CheckerSource) Learn(m *mutate.Mutant, o Observations) {
	if o.Broken != "" && !s.o.Alone {
		s.switchOff("it fails: " + o.Broken)
	}
	s.mu.Lock()
	s.ended = s.ended || o.Ended
	for _, schedule := range o.Schedules {
		s.fresh = append(s.fresh, counterexample{m.Hash, m.Edits, schedule})
	}
	s.mu.Unlock()
	if o.TimedOut {
		s.countTimeout()
	}
	if o.CutOff {
		s.countCutOff()
	}
}

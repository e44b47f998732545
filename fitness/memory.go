package fitness

// Results that outlive the process: an evaluator asks its memory before it
// evaluates and tells it what it has found. A recalled evaluation leaves the
// sources as the real one did, so that those after it go on alike.

import (
	"fmt"

	"mendel/checker"
	"mendel/mutate"
)

// A Memory keeps evaluations beyond the life of an Evaluator. It is called by
// several goroutines at once.
type Memory interface {
	// Recall finds what is known of a source by its hash.
	Recall(hash string) (r Record, ok bool)
	// Keep is told of each evaluation that was made, before its result is used.
	// An error ends the evaluation with it.
	Keep(m *mutate.Mutant, r Record) error
}

// A Record is an evaluation as it is kept; it goes through JSON unchanged.
type Record struct {
	Result Result `json:"result"`
	Learnt Learnt `json:"learnt"`
}

// Learnt is what a CheckerSource learns from exploring a mutant.
type Learnt struct {
	Schedules []checker.Schedule `json:"schedules,omitempty"` // that the mutant fails
	Ended     bool               `json:"ended,omitempty"`     // executions passed within the bound on steps
	TimedOut  bool               `json:"timedOut,omitempty"`  // it had to be ended, or blocked outside control
	Broken    string             `json:"broken,omitempty"`    // why it could not be explored at all, through no fault of its own
}

// recall takes the result of a mutant from memory; ok is false if it is unknown.
func (e *Evaluator) recall(m *mutate.Mutant) (r Result, ok bool) {
	if e.memory == nil {
		return Result{}, false
	}
	known, ok := e.memory.Recall(m.Hash)
	if !ok {
		return Result{}, false
	}
	for _, s := range e.sources {
		if c, isChecker := s.(*CheckerSource); isChecker {
			c.learn(m, known.Learnt)
		}
	}
	known.Result.Recalled = true
	return known.Result, true
}

// keep tells the memory of an evaluation.
func (e *Evaluator) keep(m *mutate.Mutant, r Result, l Learnt) error {
	if e.memory == nil {
		return nil
	}
	if err := e.memory.Keep(m, Record{r, l}); err != nil {
		return fmt.Errorf("keeping the score of mutant %.12s: %w", m.Hash, err)
	}
	return nil
}

// learn takes in what exploring a mutant has shown.
func (s *CheckerSource) learn(m *mutate.Mutant, l Learnt) {
	if l.Broken != "" && !s.o.Alone {
		s.switchOff("it fails: " + l.Broken)
	}
	s.mu.Lock()
	s.ended = s.ended || l.Ended
	for _, schedule := range l.Schedules {
		s.fresh = append(s.fresh, refuted{m.Hash, m.Edits, schedule})
	}
	s.mu.Unlock()
	if l.TimedOut {
		s.countTimeout()
	}
}

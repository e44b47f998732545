package repair

import (
	"cmp"
	"slices"
	"time"

	"mendel/evolve"
	"mendel/fitness"
	"mendel/internal/dossier"
	"mendel/mutate"
)

// A history is how a search went: its generations, and what became of the
// mutants that each operator made. The search tells it one event after the other.
type history struct {
	began       time.Time
	original    float64 // score
	generations []dossier.Generation
	operators   map[string]*dossier.OperatorCount
	made        map[string]*dossier.OperatorCount // the operator's, by hash of a mutant with a full score
	open        bool                              // the last generation is not complete
}

func newHistory(began time.Time, original float64) *history {
	return &history{began: began, original: original, operators: map[string]*dossier.OperatorCount{}, made: map[string]*dossier.OperatorCount{}}
}

// seconds are those since the search began.
func (h *history) seconds() float64 {
	if h == nil {
		return 0
	}
	return time.Since(h.began).Seconds()
}

// observe takes in an event.
func (h *history) observe(e evolve.Event) {
	if !h.open {
		h.generations = append(h.generations, dossier.Generation{Scores: []float64{}})
		h.open = true
	}
	g := &h.generations[len(h.generations)-1]
	g.Number, g.Best, g.Mean, g.Evaluations, g.At = e.Generation, e.Best, e.Mean, e.Evaluations, h.seconds()
	if e.Done {
		h.open = false
		return
	}
	if e.Mutant == nil || len(e.Mutant.Edits) == 0 {
		return // the original
	}
	g.Scores = append(g.Scores, e.Result.Score)
	if e.Operator != "" {
		h.count(e)
	}
}

// correct sets when the generation that ended last did so, in seconds since the
// search began: it is only repeated, and really ended then.
func (h *history) correct(at float64) { h.generations[len(h.generations)-1].At = at }

// count takes in what became of a mutant that an operator made.
func (h *history) count(e evolve.Event) {
	r, c := e.Result, h.operators[e.Operator]
	if c == nil {
		c = &dossier.OperatorCount{Operator: e.Operator}
		h.operators[e.Operator] = c
	}
	c.Tried++
	switch {
	case r.Refused != "":
		c.Refused++
	case r.Score >= fitness.FullScore:
		c.Full++
		c.Better++
		h.made[e.Mutant.Hash] = c
	case r.Score > h.original:
		c.Better++
	case r.Score < h.original:
		c.Worse++
	}
}

// fixed takes in that a mutant has become a fix. One that the search has not
// come to counts for no operator, nor does what validation does to it.
func (h *history) fixed(m *mutate.Mutant) {
	if h == nil {
		return
	}
	if c := h.made[m.Hash]; c != nil {
		c.Fixes++
	}
}

// counts are the operators' outcomes, the most often tried first.
func (h *history) counts() []dossier.OperatorCount {
	all := []dossier.OperatorCount{}
	for _, c := range h.operators {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b dossier.OperatorCount) int {
		return cmp.Or(cmp.Compare(b.Tried, a.Tried), cmp.Compare(a.Operator, b.Operator))
	})
	return all
}

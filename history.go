package mendel

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
	open        bool // the last generation is not complete
}

func newHistory(began time.Time, original float64) *history {
	return &history{began: began, original: original, operators: map[string]*dossier.OperatorCount{}}
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
		h.count(e.Operator, e.Result)
	}
}

// count takes in what became of a mutant whose latest edit an operator made.
func (h *history) count(operator string, r fitness.Result) {
	c := h.of(operator)
	c.Tried++
	switch {
	case r.Refused != "":
		c.Refused++
	case r.Score >= fitness.FullScore:
		c.Full++
		c.Better++
	case r.Score > h.original:
		c.Better++
	case r.Score < h.original:
		c.Worse++
	}
}

func (h *history) of(operator string) *dossier.OperatorCount {
	c := h.operators[operator]
	if c == nil {
		c = &dossier.OperatorCount{Operator: operator}
		h.operators[operator] = c
	}
	return c
}

// counts are the operators' outcomes, the most often tried first; each fix
// counts for every operator that has a part in it.
func (h *history) counts(fixes [][]mutate.Edit) []dossier.OperatorCount {
	all := []dossier.OperatorCount{}
	by := map[string]int{}
	for _, edits := range fixes {
		seen := map[string]bool{}
		for _, e := range edits {
			if !seen[e.Operator] {
				seen[e.Operator] = true
				by[e.Operator]++
				h.of(e.Operator)
			}
		}
	}
	for _, c := range h.operators {
		told := *c
		told.Fixes = by[c.Operator]
		all = append(all, told)
	}
	slices.SortFunc(all, func(a, b dossier.OperatorCount) int {
		return cmp.Or(cmp.Compare(b.Tried, a.Tried), cmp.Compare(a.Operator, b.Operator))
	})
	return all
}

package mendel

import (
	"mendel/analysis"
	"mendel/evolve"
	"mendel/fitness"
	"mendel/mutate"
)

// A lesson is a mutant whose failures may name what was not known to be concurrent.
type lesson struct {
	mutant *mutate.Mutant
	result fitness.Result
}

// hear takes down what an event may teach.
func (h *hunt) hear(e evolve.Event) {
	if e.Mutant != nil && len(e.Result.Samples) > 0 {
		h.lessons = append(h.lessons, lesson{e.Mutant, e.Result})
	}
}

// learn extends the narrowing, and with it the edits, by what the failures of a
// generation's mutants revealed. It waits for the generation's end, and takes
// them in their order in the search: what is planned, flagged and validated
// while scores arrive must not depend on which arrived first.
func (h *hunt) learn() {
	lessons := h.lessons
	h.lessons = nil
	added := 0
	for _, l := range lessons {
		source := analysis.Dynamic
		if l.result.Verdict != "" {
			source = byChecker
		}
		for _, f := range l.result.Samples {
			added += h.narrowing.Merge(source, originalLines(l.mutant, f))
		}
	}
	if added == 0 {
		return
	}
	h.keepFindings()
	if edits := h.space.Extend(); len(edits) > 0 {
		h.step("failures of mutants add %d findings and %d edits", added, len(edits))
	}
}

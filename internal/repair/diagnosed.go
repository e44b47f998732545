package repair

import (
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

// A diagnosis is a fault that was found, and a function in which it may be mended.
type diagnosis struct {
	fault          evidence.Fault
	file, function string
}

// nearlySuspicious is the part of the first place's suspicion that others must have to be
// diagnosed, too. Guessed.
const nearlySuspicious = 0.6

// diagnoses are the faults of the ranked places, with the functions around these and their
// partners. For a data race there are none, see faultNames.
func diagnoses(base *baseline) (all []diagnosis) {
	if base.kind == evidence.Race || len(base.suspects) == 0 {
		return nil
	}
	add := func(d diagnosis) {
		if d.function != "" && !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	for _, s := range base.suspects {
		if s.Suspiciousness < nearlySuspicious*base.suspects[0].Suspiciousness {
			continue
		}
		add(diagnosis{s.Fault, s.Place.File, s.Place.Func})
		if s.Partner != nil {
			add(diagnosis{s.Fault, s.Partner.File, s.Partner.Func})
		}
	}
	return all
}

// mends reports whether an edit, or a part of it, is one of an operator that mends a
// diagnosed fault, in a function where it may be mended.
func (s *scope) mends(all []diagnosis, e mutate.Edit) bool {
	if len(e.Parts) > 0 {
		return slices.ContainsFunc(e.Parts, func(part mutate.Edit) bool { return s.mends(all, part) })
	}
	op := s.space.Operator(e.Operator)
	return op != nil && slices.ContainsFunc(all, func(d diagnosis) bool {
		return d.file == e.File && d.function == e.Func && slices.Contains(op.Faults, d.fault)
	})
}

package removeinner

import (
	_ "embed"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator removes the inner of two nested critical sections.
var Operator = &mutate.Operator{
	Name:    "removeinner",
	Doc:     doc,
	CORE:    "RSAS",
	Prior:   map[evidence.Kind]float64{evidence.Deadlock: 3, evidence.Blocked: 3, evidence.Race: 0.2},
	Shrinks: true,
	Edits:   edits,
	Apply:   mutate.RemoveSection,
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	sections := fn.Sections()
	for i, inner := range sections {
		outer := around(sections[:i], inner)
		if outer == nil {
			continue
		}
		e, ok := fn.Removal("removeinner", inner)
		if !ok {
			continue
		}
		e.Other = fn.ID(outer.Acquire)
		if outer.SameLock(inner) && (inner.Read || !outer.Read) {
			e.Flags = nil // the outer section guards what the inner did
			e.Note = outer.Lock.Expr + " is held already"
		}
		out = append(out, e)
	}
	return out
}

// around is the section nearest around another that is held when the other
// is entered; one on the same lock before any.
func around(outer []*mutate.Section, inner *mutate.Section) *mutate.Section {
	var nearest *mutate.Section
	for _, s := range outer {
		if !s.Encloses(inner) {
			continue
		}
		if s.SameLock(inner) {
			return s
		}
		nearest = s
	}
	return nearest
}

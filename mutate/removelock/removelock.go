package removelock

import (
	_ "embed"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/locked"
)

//go:embed doc.go
var doc string

// Operator removes the lock of a section.
var Operator = &mutate.Operator{
	Name:  "removelock",
	Doc:   doc,
	CORE:  "RAV RSIM RSM RSAS",
	Prior: prior,
	Forms: map[string]map[evidence.Kind]float64{
		method: prior,
		body:   prior,
		inner:  {evidence.Deadlock: 3, evidence.Blocked: 3, evidence.Race: 0.2},
	},
	NoFault: "it takes a lock away: what mends a fault of locks keeps them",
	Shrinks: true,
	Edits:   edits,
	Apply:   removeSection,
}

var prior = map[evidence.Kind]float64{evidence.Deadlock: 2, evidence.Blocked: 2, evidence.Race: 0.2}

// Forms of an edit: what its section covers.
const (
	statement = "statement"
	method    = "method"
	body      = "body"
	inner     = "inner"
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	sections := fn.Sections()
	for i, s := range sections {
		outer := around(sections[:i], s)
		form := formOf(fn, s, outer)
		if form == "" {
			continue
		}
		e, ok := removal(fn, "removelock", s)
		if !ok {
			continue
		}
		e.Form = form
		if outer != nil {
			e.Other = fn.ID(outer.Acquire)
			if outer.SameLock(s) && (s.Read || !outer.Read) {
				e.Flags = nil // the outer section guards what the inner did
				e.Note = outer.Lock.Expr + " is held already"
			}
		}
		out = append(out, e)
	}
	return out
}

// formOf is the form of a section's removal; "" if none fits.
func formOf(fn *mutate.Function, s, outer *mutate.Section) string {
	switch {
	case outer != nil:
		return inner
	case s.Whole && s.Deferred && locked.ByReceiver(fn, s):
		return method
	case s.Final != nil && len(s.Body) == 1:
		return statement
	case s.Whole:
		return body
	}
	return ""
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

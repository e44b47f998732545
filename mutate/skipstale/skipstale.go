package skipstale

import (
	_ "embed"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator stores what was loaded only where nobody has changed what it stands for.
var Operator = &mutate.Operator{
	Name: "skipstale",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.TestFailure: 4, evidence.Panic: 0.5, evidence.Race: 0.1,
		evidence.Deadlock: 0.05, evidence.Blocked: 0.1, evidence.Timeout: 0.2,
	},
	Faults: []evidence.Fault{evidence.CheckThenAct, evidence.LostUpdate, evidence.AtomicityViolation},
	Needs:  "store of what was loaded without the lock, beside methods that drop or replace it",
	Edits:  edits,
	Apply:  apply,
}

// Forms of the edit.
const (
	formGeneration = "generation"
	formFlight     = "flight"
	formOwn        = "own" // what the value stores in is safe by itself
)

const note = "what was loaded before a change is out of date"

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range stales(fn) {
		out = append(out, s.edit())
	}
	for _, o := range owns(fn) {
		out = append(out, o.edit())
	}
	return out
}

func (s *stale) edit() mutate.Edit {
	e := s.fn.NewEdit("skipstale", s.group[0], s.group...)
	e.Form, e.Other, e.Note = s.form(), s.fn.ID(s.load), note
	e.Reach = 0 // nothing races
	for _, d := range s.drops {
		e.Heat = max(e.Heat, nearby*s.fn.Narrowing.HottestIn(d.fn))
	}
	if !s.dropped() {
		e.Doubt(0.3) // others only store: the later one may well win
	}
	return e
}

func (s *stale) form() string {
	if s.flight != nil {
		return formFlight
	}
	return formGeneration
}

// nearby is what an edit has of the heat of the functions that it changes.
const nearby = 0.95

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no function around the place")
	}
	for _, o := range owns(fn) {
		if first := o.stores[0]; fn.ID(first.group[0]) == e.Node && e.Form == formOwn {
			return o.apply(m, e)
		}
	}
	for _, s := range stales(fn) {
		if fn.ID(s.group[0]) == e.Node && s.form() == e.Form {
			return s.apply(m, e)
		}
	}
	return mutate.Refuse(e, "nothing is stored there that may be out of date")
}

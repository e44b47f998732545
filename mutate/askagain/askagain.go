package askagain

import (
	_ "embed"
	"go/ast"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator asks in a critical section what an earlier one has asked.
var Operator = &mutate.Operator{
	Name: "askagain",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.TestFailure: 4, evidence.Panic: 4, evidence.Race: 0.5,
		evidence.Deadlock: 1, evidence.Blocked: 1.5, evidence.Timeout: 1.5,
	},
	Faults: []string{evidence.CheckThenAct, evidence.LostUpdate, evidence.DoubleClose, evidence.AtomicityViolation},
	Edits:  edits,
	Apply:  apply,
}

const note = "others may have come in between: the question again"

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, q := range questions(fn) {
		e := fn.NewEdit("askagain", q.next.Acquire, slices.Concat(q.first.Body, q.next.Body)...)
		e.Other, e.Lock, e.Note = fn.ID(q.test), &q.next.Lock, note
		out = append(out, e)
	}
	return out
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	s, err := m.Section(e)
	if err != nil {
		return err
	}
	for _, q := range questions(s.Fn) {
		if q.next.Acquire == s.Acquire && s.Fn.ID(q.test) == e.Other {
			return q.apply(m, e)
		}
	}
	return mutate.Refuse(e, "there is no question to ask again")
}

func (q *question) apply(m *mutate.Mutation, e mutate.Edit) error {
	var behind ast.Stmt = q.next.Acquire
	if q.next.Deferred {
		behind = q.next.Releases[0]
	}
	anchor := m.StmtOf(e.File, behind)
	if anchor == nil {
		return mutate.Refuse(e, "another edit changed the second section")
	}
	return m.InsertSnippet(e.File, anchor, true, "// "+e.Note+"\n"+q.text())
}

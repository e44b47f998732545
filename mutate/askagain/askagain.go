package askagain

import (
	_ "embed"
	"go/ast"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/locked"
	"mendel/mutate/internal/sectionedit"
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
	Faults: []evidence.Fault{evidence.CheckThenAct, evidence.LostUpdate, evidence.DoubleClose, evidence.AtomicityViolation},
	Needs:  "second section of a lock that relies on what was asked in an earlier one",
	Edits:  edits,
	Apply:  apply,
}

// What stands above the repeated questions.
const (
	note  = "others may have come in between: the question again"
	notes = "others may have come in between: the questions again"
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	asked := questions(fn)
	for _, q := range asked {
		e := fn.NewEdit("askagain", q.next.Acquire, slices.Concat(q.first.Body, q.next.Body)...)
		e.Other, e.Lock, e.Note = fn.ID(q.test), &q.next.Lock, note
		out = append(out, e)
	}
	for _, w := range wholes(fn, asked) {
		e := fn.NewEdit("askagain", w.next.Acquire, slices.Concat(w.asked, w.next.Body)...)
		e.Form, e.Other, e.Lock, e.Note = formWhole, fn.ID(w.list[w.first]), &w.next.Lock, notes
		out = append(out, e)
	}
	for _, a := range alones(fn) {
		if e, ok := a.edit(); ok {
			out = append(out, e)
		}
	}
	return out
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == formAlone {
		fn := m.Function(e.File, e.Node)
		if fn == nil {
			return mutate.Refuse(e, "there is no function around the place")
		}
		for _, a := range alones(fn) {
			if fn.ID(a.list[a.end]) == e.Node {
				return a.apply(m, e)
			}
		}
		return mutate.Refuse(e, "there is nothing that one at a time could do")
	}
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	asked := questions(s.Fn)
	if e.Form == formWhole {
		for _, w := range wholes(s.Fn, asked) {
			if w.next.Acquire == s.Acquire && s.Fn.ID(w.list[w.first]) == e.Other {
				return w.apply(m, e)
			}
		}
	}
	for _, q := range asked {
		if e.Form == "" && q.next.Acquire == s.Acquire && s.Fn.ID(q.test) == e.Other {
			return q.apply(m, e)
		}
	}
	return mutate.Refuse(e, "there is no question to ask again")
}

func (q *question) apply(m *mutate.Mutation, e mutate.Edit) error {
	return insert(m, e, q.next, q.next.Deferred, q.text())
}

func (w *whole) apply(m *mutate.Mutation, e mutate.Edit) error {
	variant := ""
	if w.call != nil {
		var err error
		if variant, err = locked.Variant(m, e, w.call.To); err != nil {
			return err
		}
	}
	return insert(m, e, w.next, w.behindDefer(), w.text(variant))
}

// insert puts code at the beginning of a section, maybe behind its deferred release.
func insert(m *mutate.Mutation, e mutate.Edit, into *mutate.Section, deferred bool, text string) error {
	var behind ast.Stmt = into.Acquire
	if deferred {
		behind = into.Releases[0]
	}
	anchor := m.StmtOf(e.File, behind)
	if anchor == nil {
		return mutate.Refuse(e, "another edit changed the second section")
	}
	return m.InsertSnippet(e.File, anchor, true, "// "+e.Note+"\n"+text)
}

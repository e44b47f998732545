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
		if q.left == nil && surplusOf(fn, q.between(), q.next) != nil {
			e.Flags = append(e.Flags, mutate.Discards)
		}
		out = append(out, e)
	}
	for _, w := range wholes(fn, asked) {
		e := fn.NewEdit("askagain", w.next.Acquire, slices.Concat(w.asked, w.next.Body)...)
		e.Form, e.Other, e.Lock, e.Note = formWhole, fn.ID(w.list[w.first]), &w.next.Lock, notes
		if w.left == nil && surplusOf(fn, w.between(), w.next) != nil {
			e.Flags = append(e.Flags, mutate.Discards)
		}
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
	if err := insert(m, e, q.next, q.next.Deferred, leaders(q.fn, q.between(), q.next), q.text()); err != nil {
		return err
	}
	return explicit(m, e, q.fn, q.next, q.left)
}

func (w *whole) apply(m *mutate.Mutation, e mutate.Edit) error {
	variant := ""
	if w.call != nil {
		var err error
		if variant, err = locked.Variant(m, e, w.call.To); err != nil {
			return err
		}
	}
	if err := insert(m, e, w.next, w.behindDefer(), w.leaders(), w.text(variant)); err != nil {
		return err
	}
	return explicit(m, e, w.fn, w.next, w.left)
}

// leaders is the statement of the later section behind which the questions stand, since what leaves there leaves because
// something went wrong before; nil: they stand at its beginning. A function that begins again asks at once.
func (w *whole) leaders() ast.Stmt {
	if len(w.kept) > 0 {
		return nil
	}
	return leaders(w.fn, w.between(), w.next)
}

// insert puts code at the beginning of a section, maybe behind its deferred release, or behind one of its statements.
func insert(m *mutate.Mutation, e mutate.Edit, into *mutate.Section, deferred bool, first ast.Stmt, text string) error {
	var behind ast.Stmt = into.Acquire
	if deferred {
		behind = into.Releases[0]
	}
	if first != nil {
		behind = first
	}
	anchor := m.StmtOf(e.File, behind)
	if anchor == nil {
		return mutate.Refuse(e, "another edit changed the second section")
	}
	return m.InsertSnippet(e.File, anchor, true, "// "+e.Note+"\n"+text)
}

package signalearly

import (
	_ "embed"
	"slices"
	"strconv"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/syncops"
)

//go:embed doc.go
var doc string

// Operator signals before exits that forget to.
var Operator = &mutate.Operator{
	Name: "signalearly",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Blocked: 4, evidence.Deadlock: 4, evidence.Timeout: 3,
		evidence.Race: 0.2, evidence.Panic: 0.6, evidence.TestFailure: 1,
	},
	Faults:   []evidence.Fault{evidence.ReceiverAlone},
	Needs:    "exit without the signal that other paths of the function give",
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

// The ways to signal, as Edit.Form.
const (
	formExit = "exit" // before the statement Node
	formEnd  = "end"  // at the end of the function Node
	formDrop = "drop" // where a value is dropped, in the loop or case Node

	formReply = "reply" // the same, to who has sent the value
)

// maxExits bounds the exits of one signal: where more lack it, it is no signal
// of every path. Chosen, not measured.
const maxExits = 5

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range signals(fn) {
		out = append(out, s.edits(fn)...)
	}
	return append(out, dropped(fn)...)
}

// edits lists the edits of all exits that lack the signal.
func (s *signal) edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, exit := range s.exits(fn) {
		if s.all.Reaches(fn, exit) || !exits.Plain(fn, exit) || !scope.Means(fn, s.On, exit.Pos()) {
			continue
		}
		text, ok := s.text(fn, exit)
		if !ok {
			continue
		}
		e := fn.NewEdit("signalearly", exit, exit)
		e.Form, e.Expr, e.Other, e.Group = formExit, text, fn.ID(s.Stmt), s.group(fn)
		s.warm(fn, &e)
		out = append(out, e)
	}
	if e, ok := s.atEnd(fn); ok {
		out = append(out, e)
	}
	if len(out) > maxExits {
		return nil
	}
	return out
}

// atEnd is the edit that signals where the function runs to its end.
func (s *signal) atEnd(fn *mutate.Function) (mutate.Edit, bool) {
	list := fn.Body.List
	last := list[len(list)-1]
	if s.loop != nil || exits.Terminates(fn, last) || s.all.Within(fn, list) || !scope.Means(fn, s.On, fn.Body.Rbrace) {
		return mutate.Edit{}, false
	}
	text, ok := s.text(fn, nil)
	if !ok {
		return mutate.Edit{}, false
	}
	e := fn.NewEdit("signalearly", fn.Node, last)
	e.Form, e.Expr, e.Other, e.Group = formEnd, text, fn.ID(s.Stmt), s.group(fn)
	s.warm(fn, &e)
	return e, true
}

// warm gives an edit the heat of what waits for the signal; see [syncops.Heat].
func (s *signal) warm(fn *mutate.Function, e *mutate.Edit) {
	if !fn.Started() {
		e.Heat *= 0.6
	}
	if s.channel != nil {
		e.Heat = syncops.Heat(fn, e.Heat, slices.Concat(s.channel.Receives, s.channel.Ranges)...)
		if s.Kind == syncops.Close {
			e.Doubt(undeferred)
		}
		return
	}
	e.Heat = syncops.WaitHeat(fn, e.Heat)
	if s.Kind == syncops.Done {
		e.Doubt(undeferred)
	}
}

// undeferred is the belief in Done or a close: one deferred call, package deferdone's or
// deferclose's, serves all exits. Chosen, not measured.
const undeferred = 0.7

// group is that of all edits which give the signal.
func (s *signal) group(fn *mutate.Function) string {
	return fn.File.Rel + " " + strconv.Itoa(fn.ID(s.Stmt))
}

// together lists, for each signal that a method gives, the edits of the other
// methods that lack it, and the edit of all.
func together(w *mutate.Whole) []mutate.Edit {
	var out []mutate.Edit
	for _, fn := range w.Functions {
		for _, s := range signals(fn) {
			if s.helper == "" {
				continue
			}
			parts, beside := s.edits(fn), neighbours(w, fn, s)
			out = append(out, beside...)
			if len(beside) > 0 && len(parts)+len(beside) > 1 {
				out = append(out, mutate.Composite("signalearly", slices.Concat(parts, beside)...))
			}
		}
	}
	return out
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	switch e.Form {
	case formDrop:
		return applyDrop(m, e)
	case formReply:
		return applyReply(m, e)
	case formEnd:
		return m.Append(e.File, e.Node, e.Expr)
	}
	return m.InsertSnippet(e.File, m.Stmt(e.File, e.Node), false, e.Expr)
}

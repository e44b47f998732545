package mutate

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"sync"
)

// A Decline is why an operator makes no edit in a function.
type Decline struct {
	Operator string `json:"operator"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Func     string `json:"function"`
	Reason   string `json:"reason"` // one clause, without a full stop
}

// A hearing is what an operator says that is asked about some functions.
type hearing struct {
	operator  string
	functions []*Function
	mu        sync.Mutex
	said      []Decline
}

// Decline notes why an operator, which is listing its edits, makes none at a node that it
// looked at: a precondition is not met. It is heard while somebody asks; see [Space.Declines].
// What operators remember between calls is no place for it.
func (fn *Function) Decline(at ast.Node, format string, args ...any) {
	if fn.space == nil { // it is a mutant's
		return
	}
	h := fn.space.hearing.Load()
	if h == nil || !slices.Contains(h.functions, fn) {
		return
	}
	d := Decline{Operator: h.operator, File: fn.File.Rel, Line: fn.line(at.Pos()), Func: fn.Name, Reason: fmt.Sprintf(format, args...)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slices.Contains(h.said, d) {
		h.said = append(h.said, d)
	}
}

// Declines asks operators why they have no edit in a declared function and its literals: what
// they say of the places that they looked at, or that nothing there is what they edit.
// Operators that have edits there, and such as there are not, are left out.
func (s *Space) Declines(file, function string, operators []string) (all []Decline) {
	s.mu.Lock()
	defer s.mu.Unlock()
	inside := func(name string) bool { return name == function || strings.HasPrefix(name, function+".") }
	var functions []*Function
	for _, fn := range s.functions[file] {
		if inside(fn.Name) {
			functions = append(functions, fn)
		}
	}
	here := func(e *Edit) bool { return e.File == file && inside(e.Func) }
	for _, name := range operators {
		op := s.byName[name]
		switch {
		case op == nil || slices.ContainsFunc(s.edits, func(e Edit) bool { return e.Operator == name && anyOf(&e, here) }):
		case len(functions) == 0:
			all = append(all, Decline{Operator: name, File: file, Func: function, Reason: "the function may not be edited: it is a test's, generated, or of another module"})
		default:
			all = append(all, s.declines(op, functions)...)
		}
	}
	return all
}

// anyOf reports whether something is so of an edit or of a part of it.
func anyOf(e *Edit, is func(*Edit) bool) bool {
	return is(e) || slices.ContainsFunc(e.Parts, func(part Edit) bool { return anyOf(&part, is) })
}

// declines asks one operator about the functions of a declaration. s.mu is held.
func (s *Space) declines(op *Operator, functions []*Function) []Decline {
	h := &hearing{operator: op.Name, functions: functions}
	s.hearing.Store(h)
	defer s.hearing.Store(nil)
	s.narrowing.note(func() {
		if op.Edits != nil {
			for _, fn := range functions {
				s.editsOf(op, fn)
			}
		}
		if op.Together != nil {
			whole := &Whole{Program: s.program, Narrowing: s.narrowing, Functions: s.last.functions, space: s, list: s.listed}
			s.guarded(Panic{Operator: op.Name, Doing: "Together"}, func() { op.Together(whole) })
		}
	})
	s.narrowing.remembered.Clear()
	if len(h.said) == 0 {
		functions[0].Decline(functions[0].Node, "there is no %s", op.Needs)
	}
	return h.said
}

// listed are the edits of an operator that are no composites, by function. s.mu is held.
func (s *Space) listed(operator string) (edits []Edit) {
	for _, e := range s.edits {
		if e.Operator == operator && len(e.Parts) == 0 {
			edits = append(edits, e)
		}
	}
	return edits
}

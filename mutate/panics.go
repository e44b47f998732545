package mutate

import (
	"fmt"
	"runtime/debug"
)

// A Panic is a panic of an operator: a defect of it, never the end of a repair.
// The space goes on as if the operator had nothing to offer there.
type Panic struct {
	Operator string
	Doing    string // what it was asked: "Edits", "Together", "Close", "Apply", or "Mutant" of what it made
	File     string // module-relative; "" where it was asked about the whole program
	Func     string // like File
	Message  string // what it panicked with
	Stack    string // of the goroutine that panicked
}

func (p Panic) String() string {
	if p.File == "" {
		return fmt.Sprintf("operator %s panicked in %s: %s", p.Operator, p.Doing, p.Message)
	}
	return fmt.Sprintf("operator %s panicked in %s at %s (%s): %s", p.Operator, p.Doing, p.Func, p.File, p.Message)
}

// OnPanic has a space report the panics of operators, each operator's first at
// each place. The function may be called by several goroutines at once, and must
// not ask the space anything.
func OnPanic(report func(Panic)) Option {
	return func(s *Space) { s.report = report }
}

// guarded runs a part of an operator. It returns false if that panicked.
func (s *Space) guarded(at Panic, run func()) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			at.Message, at.Stack = fmt.Sprint(r), string(debug.Stack())
			s.panicked(at)
		}
	}()
	run()
	return true
}

// panicked reports a panic, unless the operator's at the place is known.
func (s *Space) panicked(f Panic) {
	place := Panic{Operator: f.Operator, Doing: f.Doing, File: f.File, Func: f.Func}
	s.panicsMu.Lock()
	known := s.panics[place]
	if s.panics == nil {
		s.panics = make(map[Panic]bool)
	}
	s.panics[place] = true
	s.panicsMu.Unlock()
	if !known && s.report != nil {
		s.report(f)
	}
}

// blamed is where a set of edits is to blame together, by the first one's place.
func blamed(edits []Edit) Panic {
	at := Panic{Doing: "Mutant"}
	for i, e := range edits {
		if i == 0 {
			at.Operator, at.File, at.Func = e.Operator, e.File, e.Func
		} else {
			at.Operator += "+" + e.Operator
		}
	}
	return at
}

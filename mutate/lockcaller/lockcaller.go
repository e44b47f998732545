package lockcaller

import (
	_ "embed"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/internal/locking"
)

//go:embed doc.go
var doc string

// Operator puts calls that use the same variables into one section of their caller.
var Operator = &mutate.Operator{
	Name:   "lockcaller",
	Doc:    doc,
	Prior:  map[evidence.Kind]float64{evidence.Race: 2, evidence.TestFailure: 4, evidence.Panic: 3, evidence.Deadlock: 0.3, evidence.Blocked: 0.3},
	Faults: []evidence.Fault{evidence.MissingLock, evidence.AtomicityViolation, evidence.InconsistentRead},
	Needs:  "pair of calls of functions that use the same shared variables",
	Adds:   true,
	Edits:  edits,
	Apply:  addlock.Operator.Apply,
}

// Guessed:
const (
	maxLocks  = 2   // existing locks tried for one section
	discount  = 0.9 // of the heat of the hottest line reached: it is not here
	loopOnly  = 0.7 // where it is one call in a loop
	maxNamed  = 4   // callees that a note names
	maxPerFun = 6   // edits in one function
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range spans(fn) {
		if fn.Started() && everything(fn, s) {
			continue // addlock's
		}
		for _, l := range locks(fn, s) {
			if len(out) == maxPerFun {
				return out
			}
			if e, ok := section(fn, s, l); ok {
				out = append(out, e)
			}
		}
	}
	return out
}

// everything reports whether a span is all that a function does, or its one loop.
func everything(fn *mutate.Function, s *span) bool {
	if locking.All(fn, s.list, s.first, s.last) {
		return true
	}
	loops := 0
	for _, stmt := range fn.Body.List {
		switch stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loops++
		}
	}
	switch s.stmts()[0].(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return loops == 1 && fn.Body.List[0] == s.list[0]
	}
	return false
}

// section makes the edit: the whole body with a deferred release if the span
// is all of it, otherwise the statements of the span; with a return right
// behind, if the section needs that to end in one.
func section(fn *mutate.Function, s *span, l analysis.Lock) (e mutate.Edit, ok bool) {
	start := func(at ast.Node, covered []ast.Stmt) {
		e = fn.NewEdit("lockcaller", at, covered...)
		e.Lock, e.Note, e.Vars = &l, note(s), s.names(fn)
		e.Heat = max(e.Heat, s.heat*discount)
		if s.calls < 2 {
			e.Doubt(loopOnly)
		}
	}
	if locking.Lockable(fn) && locking.All(fn, s.list, s.first, s.last) {
		start(fn.Node, fn.Body.List)
		if locking.Fits(fn, e) {
			return e, true
		}
	}
	for last := s.last; last <= s.last+1 && last < len(s.list); last++ {
		covered := s.list[s.first : last+1]
		start(covered[0], covered)
		e.Count = len(covered)
		if locking.Fits(fn, e) {
			return e, true
		}
	}
	return e, false
}

// note says what is made one step: "generate, taken and record use l.number together".
func note(s *span) string {
	var names []string
	for _, u := range s.concerned() {
		if u.call != nil && !slices.Contains(names, u.callee) {
			names = append(names, u.callee)
		}
	}
	what := s.variable()
	switch n := len(names); {
	case n == 1 && s.calls > 1:
		return fmt.Sprintf("all calls of %s here use the same %s", names[0], what)
	case n == 1 && len(s.uses) > 1 && s.direct():
		return fmt.Sprintf("%s uses %s, too", names[0], what)
	case n == 1:
		return fmt.Sprintf("%s uses %s each time", names[0], what)
	case n > maxNamed:
		names = append(names[:maxNamed-1:maxNamed-1], fmt.Sprintf("%d more", n-maxNamed+1))
	}
	last := len(names) - 1
	return fmt.Sprintf("%s and %s use %s together", strings.Join(names[:last], ", "), names[last], what)
}

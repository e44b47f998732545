package syncops

import (
	"go/ast"
	"go/token"
	"iter"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// Given are the statements of a function that give one signal, such as all that close
// one channel.
type Given []mutate.Statement

// Reaches reports whether the signal may have been given when an exit is reached:
// in front of it in one of the lists around it.
func (g Given) Reaches(fn *mutate.Function, exit ast.Stmt) bool {
	for _, st := range fn.Statements() {
		if syntax.Within(exit, st.Stmt) && g.Within(fn, st.List[:st.Index]) {
			return true
		}
	}
	return false
}

// Within reports whether some consecutive statements may give the signal and run
// on to their end.
func (g Given) Within(fn *mutate.Function, list []ast.Stmt) bool {
	for _, stmt := range list {
		for _, given := range g {
			if syntax.Within(given.Stmt, stmt) && !ends(fn, stmt, given) {
				return true
			}
		}
	}
	return false
}

// ends reports whether a path through a statement of a signal leaves an outer
// statement before its end: one of the lists around it, up to the outer
// statement, goes on to what does not come back.
func ends(fn *mutate.Function, outer ast.Stmt, given mutate.Statement) bool {
	for _, st := range fn.Statements() {
		if st.Stmt == outer || !syntax.Within(st.Stmt, outer) || !syntax.Within(given.Stmt, st.Stmt) {
			continue
		}
		if last := st.List[len(st.List)-1]; leaves(fn, last) {
			return true
		}
	}
	return false
}

// leaves reports whether a statement leaves the function, the goroutine or the iteration of a loop.
func leaves(fn *mutate.Function, s ast.Stmt) bool {
	if b, ok := s.(*ast.BranchStmt); ok {
		return b.Tok == token.CONTINUE || b.Tok == token.GOTO
	}
	return exits.Terminates(fn, s)
}

// Behind lists the statements that run behind one of the signal's on the way to the end
// of the function; ok is false if that way leads into another turn of a loop.
func Behind(fn *mutate.Function, given mutate.Statement) (rest []ast.Stmt, ok bool) {
	broken := false // a break leads out of what is around
	for st := range outwards(fn, given) {
		loop, breakable := leftBy(st.Stmt)
		switch {
		case st.Stmt == given.Stmt:
		case broken && !breakable:
			continue
		case !broken && loop:
			return nil, false
		}
		broken = false
		tail := st.List[st.Index+1:]
		rest = append(rest, tail...)
		if len(tail) == 0 {
			continue
		}
		last := tail[len(tail)-1]
		if b, branch := last.(*ast.BranchStmt); branch {
			if b.Tok != token.BREAK || b.Label != nil {
				return nil, false
			}
			broken = true
		} else if exits.Terminates(fn, last) {
			return rest, true
		}
	}
	return rest, true
}

// outwards goes over a statement and those around it, from the inside out.
func outwards(fn *mutate.Function, from mutate.Statement) iter.Seq[mutate.Statement] {
	return func(yield func(mutate.Statement) bool) {
		for _, st := range slices.Backward(fn.Statements()) {
			if syntax.Within(from.Stmt, st.Stmt) && !yield(st) {
				return
			}
		}
	}
}

// Missed reports whether the function may be left without the signal: there is a way to
// an exit, or to its end, on which it is not given. That two conditions belong together
// is not seen.
func (g Given) Missed(fn *mutate.Function) bool {
	list := fn.Body.List
	if !exits.Terminates(fn, list[len(list)-1]) && !g.surely(fn, list) {
		return true
	}
	return slices.ContainsFunc(exits.Of(fn, list...), func(exit ast.Stmt) bool { return !g.before(fn, exit) })
}

// before reports whether the signal is given on every way to a statement.
func (g Given) before(fn *mutate.Function, s ast.Stmt) bool {
	return slices.ContainsFunc(fn.Statements(), func(st mutate.Statement) bool {
		return syntax.Within(s, st.Stmt) && g.surely(fn, st.List[:st.Index])
	})
}

// surely reports whether each way through some consecutive statements to their end gives
// the signal.
func (g Given) surely(fn *mutate.Function, list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		if l, ok := s.(*ast.LabeledStmt); ok {
			s = l.Stmt
		}
		switch s := s.(type) {
		case *ast.ForStmt:
			return s.Cond == nil && !slices.ContainsFunc(exits.Of(fn, s.Body.List...), func(exit ast.Stmt) bool {
				b, ok := exit.(*ast.BranchStmt)
				return ok && b.Tok == token.BREAK && !g.before(fn, b)
			})
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.BlockStmt:
			return exhaustive(s) && !slices.ContainsFunc(mutate.Lists(s), func(list []ast.Stmt) bool {
				return !g.surely(fn, list) && (len(list) == 0 || !exits.Terminates(fn, list[len(list)-1]))
			})
		}
		return slices.ContainsFunc(g, func(st mutate.Statement) bool { return st.Stmt == s })
	})
}

// exhaustive reports whether one of the lists in a statement always runs.
func exhaustive(s ast.Stmt) bool {
	clauses := func(b *ast.BlockStmt) bool {
		return slices.ContainsFunc(b.List, func(s ast.Stmt) bool { c, ok := s.(*ast.CaseClause); return ok && c.List == nil })
	}
	switch s := s.(type) {
	case *ast.IfStmt:
		inner, chained := s.Else.(*ast.IfStmt)
		return s.Else != nil && (!chained || exhaustive(inner))
	case *ast.SwitchStmt:
		return clauses(s.Body)
	case *ast.TypeSwitchStmt:
		return clauses(s.Body)
	}
	return true
}

// leftBy reports whether a statement is a loop, and whether a break may leave it.
func leftBy(s ast.Stmt) (loop, breakable bool) {
	if l, ok := s.(*ast.LabeledStmt); ok {
		s = l.Stmt
	}
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true, true
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return false, true
	}
	return false, false
}

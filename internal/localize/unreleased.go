package localize

import (
	"fmt"
	"go/ast"
	"slices"

	"mendel/analysis/evidence"
	"mendel/checker/sched"
)

// A lock may be held by a function that has returned: the exit by which it left is the
// fault, whoever waits, the goroutine that holds it among them.

// acquisition is where a goroutine got a lock that it holds at the end: the last of several for reading that
// it has not released.
func (x *execution) acquisition(g int, lock int32) (at sched.Frame) {
	if list := x.holds[hold{g, lock}]; len(list) > 0 {
		return list[len(list)-1]
	}
	return at
}

// leftLocked reports whether a goroutine has left the function in which it took a lock, and
// the function unlocks it elsewhere: it is not there to hand the lock to its caller.
func (x *examiner) leftLocked(own *execution, g int, lock int32) bool {
	got := own.acquisition(g, lock)
	if got.Function == "" || !x.src.unlocks(siteOf(got)) {
		return false
	}
	stack, known := own.stackAtEnd(g)
	return known && !slices.ContainsFunc(stack, func(f sched.Frame) bool { return f.Function == got.Function })
}

// stackAtEnd is where a goroutine is when an execution has failed; known is false if that
// was not recorded. One that has ended is nowhere.
func (x *execution) stackAtEnd(g int) (stack []sched.Frame, known bool) {
	if _, ended := x.end(g); ended {
		return nil, true
	}
	if x.Failure == nil || g >= len(x.Goroutines) {
		return nil, false
	}
	for _, p := range slices.Concat(x.Failure.Places, x.Failure.Waiting) {
		if p.Goroutine == x.Goroutines[g] && len(p.Stack) > 0 {
			return p.Stack, true
		}
	}
	return nil, false
}

// notReleased is a lock that a function has left locked.
func (x *examiner) notReleased(hold, wait suspect, own *execution, g int, w waiter) []suspect {
	got := own.acquisition(g, w.obj)
	hold.fault, wait.fault = evidence.LockNotReleased, evidence.LockNotReleased
	hold.says = fmt.Sprintf("locks %s, and the function returns without unlocking it; it is waited for at %s", hold.variable, x.src.rel(w.at))
	wait.says = fmt.Sprintf("waits for %s, which the function that locked it at %s has left locked", hold.variable, x.src.rel(siteOf(got)))
	hold.score, wait.score = tookAndLeft, waitsForLeft
	list := []suspect{hold, wait}
	if exit := x.src.exit(own.lastIn(g, got)); exit != (site{}) {
		left := hold
		left.at, left.does, left.score = exit, "return", leftWithLock
		left.says = fmt.Sprintf("returns with %s locked since %s; it is waited for at %s", hold.variable, x.src.rel(siteOf(got)), x.src.rel(w.at))
		list = append(list, left)
	}
	return list
}

// lastIn is the last place in a function at which a goroutine was seen after it took a lock
// there.
func (x *execution) lastIn(g int, got sched.Frame) (last site) {
	for _, e := range x.Events {
		if e.G == g && e.Frame.Function == got.Function && e.Frame.File == got.File {
			last = siteOf(e.Frame)
		}
	}
	return last
}

// unlocks reports whether the function around a place that takes a lock unlocks the same
// one somewhere.
func (s *sources) unlocks(at site) bool {
	lock := s.lock(at)
	body := s.body(at)
	if lock == "" || body == nil {
		return false
	}
	f := s.program.File(at.file)
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			l, method, ok := s.program.LockOf(f, call)
			found = ok && l.Expr == lock && (method == "Unlock" || method == "RUnlock")
		}
		return !found
	})
	return found
}

// body is that of the innermost function around a place; nil: there is none.
func (s *sources) body(at site) (body *ast.BlockStmt) {
	f := s.program.File(at.file)
	if f == nil {
		return nil
	}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if n == nil || at.line < s.line(n.Pos()) || at.line > s.line(n.End()) {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			body = n.Body
		case *ast.FuncLit:
			body = n.Body
		}
		return true
	})
	return body
}

// exit is the first return of a function that comes after a place in it; zero: there is
// none.
func (s *sources) exit(after site) (exit site) {
	body := s.body(after)
	if body == nil {
		return site{}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if _, literal := n.(*ast.FuncLit); literal {
			return false
		}
		if r, ok := n.(*ast.ReturnStmt); ok && exit == (site{}) && s.line(r.Pos()) >= after.line {
			exit = site{after.file, s.line(r.Pos())}
		}
		return true
	})
	return exit
}

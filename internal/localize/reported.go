package localize

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/checker"
)

// A test may report by its own time-out, or by a value that is missing, that goroutines do
// not go on. Then the state that it reports is what has to be explained.

// reported explains what goroutines wait for when a test fails. Without a time-out only
// locks count that nobody is going to release: whoever waits otherwise may just be idle.
func (x *examiner) reported(f *checker.Failure, own *execution, all []*execution) []suspect {
	failure := f
	if own.Failure != nil {
		failure = own.Failure
	}
	list := own.waitersAt(failure.Waiting)
	if len(list) == 0 || len(failure.Places) == 0 {
		return nil
	}
	over := x.overdue(f, own)
	list = slices.DeleteFunc(list, func(w waiter) bool {
		return w.locks() && !x.stuck(w, list, own) || !w.locks() && !over
	})
	found, score := append(x.waitsForLocks(list, own, all), x.waitsForOthers(list, own, all)...), anotherCannotMove
	if over {
		score = testWaitedToTheEnd
	}
	for i := range found {
		found[i].score *= score
	}
	return found
}

// overdue reports whether a test failed because a time of its own was over, or because it
// has counted goroutines that are left: something does not go on, and that nobody waits for it
// is not the fault.
func (x *examiner) overdue(f *checker.Failure, own *execution) bool {
	if own.Failure != nil {
		f = own.Failure
	}
	if f.Kind != evidence.TestFailure || len(f.Places) == 0 {
		return false
	}
	at := siteOfPlace(f.Places[0])
	return x.src.timedOut(at) || x.src.counts(at)
}

// stuck reports whether nobody is going to release the lock that a goroutine waits for: its
// owner has ended, has left the function that took it, or waits as well.
func (x *examiner) stuck(w waiter, list []waiter, own *execution) bool {
	owner, _ := own.owner(w.obj)
	if owner < 0 {
		return false
	}
	_, ended := own.end(owner)
	return ended || x.leftLocked(own, owner, w.obj) || slices.ContainsFunc(list, func(o waiter) bool { return o.g == owner })
}

// timedOut reports whether a place is reached when a time is over: in a case of a select
// that receives from a timer or a context, or where one was asked.
func (s *sources) timedOut(at site) bool {
	f := s.program.File(at.file)
	if f == nil {
		return false
	}
	over := false
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if n == nil || over || at.line < s.line(n.Pos()) || at.line > s.line(n.End()) {
			return false
		}
		if clause, ok := n.(*ast.CommClause); ok && clause.Comm != nil {
			ast.Inspect(clause.Comm, func(n ast.Node) bool {
				if e, ok := n.(*ast.UnaryExpr); ok && f.Package.Info != nil {
					over = over || tells(f.Package.Info, e.X)
				}
				return !over
			})
		}
		return true
	})
	return over
}

// counts reports whether the function around a place asks how many goroutines there are.
func (s *sources) counts(at site) bool {
	f, body := s.program.File(at.file), s.body(at)
	return body != nil && syntax.Any(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		fn := syntax.Callee(f.Package.Info, call.Fun)
		return fn != nil && fn.FullName() == "runtime.NumGoroutine"
	})
}

// tells reports whether a channel tells that a time is over: it has a time.Time, or is that
// of a context.
func tells(info *types.Info, channel ast.Expr) bool {
	c, ok := info.TypeOf(channel).(*types.Chan)
	if !ok {
		return false
	}
	if named, ok := c.Elem().(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time" && named.Obj().Name() == "Time" {
		return true
	}
	call, ok := ast.Unparen(channel).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && fn.Pkg() != nil && fn.Pkg().Path() == "context" && fn.Name() == "Done"
}

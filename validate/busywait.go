package validate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Loops that spin: they can turn for ever without waiting for anything and
// without doing any work. Loops over values, and those that count, come to an
// end; a call of a function is work, for what it does is not looked at.

// turnsFreely tells whether a loop can.
func (r *deedReader) turnsFreely(s *ast.ForStmt) bool {
	if s.Post != nil || s.Cond != nil && r.waits(s.Cond) {
		return false
	}
	end := r.listEnd(s.Body.List)
	return end.through || end.again
}

// An ending is how control can come to the end of a statement without having
// waited or worked.
type ending struct {
	through bool // to the next statement
	again   bool // to the next turn of the loop
}

func (a ending) or(b ending) ending { return ending{a.through || b.through, a.again || b.again} }

func (r *deedReader) listEnd(list []ast.Stmt) ending {
	end := ending{through: true}
	for _, s := range list {
		if !end.through {
			break
		}
		next := r.end(s)
		end.through, end.again = next.through, end.again || next.again
	}
	return end
}

func (r *deedReader) end(s ast.Stmt) ending {
	switch s := s.(type) {
	case nil:
		return ending{through: true}
	case *ast.BlockStmt:
		return r.listEnd(s.List)
	case *ast.LabeledStmt:
		return r.end(s.Stmt)
	case *ast.BranchStmt:
		return ending{again: s.Tok == token.CONTINUE && (s.Label == nil || s.Label.Name == r.label)}
	case *ast.ReturnStmt:
		return ending{}
	case *ast.IfStmt:
		if !r.end(s.Init).through || r.waits(s.Cond) {
			return ending{}
		}
		return r.listEnd(s.Body.List).or(r.end(s.Else))
	case *ast.SelectStmt:
		return r.selectEnd(s)
	case *ast.SwitchStmt:
		if !r.end(s.Init).through || s.Tag != nil && r.waits(s.Tag) {
			return ending{}
		}
		return r.caseEnd(s.Body)
	case *ast.TypeSwitchStmt:
		return r.caseEnd(s.Body)
	case *ast.ForStmt, *ast.RangeStmt:
		return ending{through: !r.waits(s)}
	}
	return ending{through: !r.waits(s)}
}

// selectEnd is that of the default case: the others wait, or work.
func (r *deedReader) selectEnd(s *ast.SelectStmt) (end ending) {
	for _, c := range s.Body.List {
		if c := c.(*ast.CommClause); c.Comm == nil {
			end = r.listEnd(c.Body)
			end.through = end.through || endsWithBreak(c.Body)
		}
	}
	return end
}

// caseEnd is that of any of the cases, or none.
func (r *deedReader) caseEnd(body *ast.BlockStmt) ending {
	end := ending{through: true}
	for _, c := range body.List {
		end = end.or(r.listEnd(c.(*ast.CaseClause).Body))
	}
	return end
}

// endsWithBreak tells whether statements end with a break without label, which leaves
// the select around them.
func endsWithBreak(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	b, ok := list[len(list)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.BREAK && b.Label == nil
}

// waits tells whether a statement or expression waits or works.
func (r *deedReader) waits(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SendStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.SelectStmt:
			found = found || !hasDefault(n)
		case *ast.RangeStmt:
			if t := r.info.TypeOf(n.X); t != nil {
				_, channel := t.Underlying().(*types.Chan)
				found = found || channel
			}
		case *ast.CallExpr:
			found = found || r.works(n)
		}
		return !found
	})
	return found
}

// works tells whether a call waits or gets on: not so a look at an atomic
// variable, a lock taken or given back, and a hint to the scheduler. Setting an
// atomic variable does: a loop that repeats it until it succeeds lets others
// get on whenever it does not.
func (r *deedReader) works(call *ast.CallExpr) bool {
	if r.info.Types[call.Fun].IsType() {
		return false
	}
	switch callee := r.callee(call).(type) {
	case *types.Builtin:
		return callee.Name() == "panic" // len, cap and the like
	case *types.Func:
		switch callee.Name() {
		case "Load", "LoadInt32", "LoadInt64", "LoadUint32", "LoadUint64", "LoadUintptr", "LoadPointer":
			return !isPackage(callee, "sync/atomic")
		case "Lock", "Unlock", "RLock", "RUnlock", "TryLock", "TryRLock":
			return false
		case "Gosched":
			return !isPackage(callee, "runtime")
		case "Now", "Since", "Until":
			return !isPackage(callee, "time")
		case "Err":
			return !isPackage(callee, "context")
		}
	}
	return true
}

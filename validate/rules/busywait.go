package rules

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
)

// Busy waits: loops that can go round for ever without waiting for anything and
// without doing any work. Loops over values, and those that count, come to an
// end. A call of a function is work: its body is not looked at.

// isBusyWait reports whether a loop can be one.
func (r *effectCollector) isBusyWait(s *ast.ForStmt) bool {
	if s.Post != nil || s.Cond != nil && r.waits(s.Cond) {
		return false
	}
	end := r.listEnd(s.Body.List)
	return end.through || end.again
}

// An ending says how control can leave a statement without having waited or
// worked.
type ending struct {
	through bool // to the next statement
	again   bool // to the next iteration of the loop
}

func (a ending) or(b ending) ending { return ending{a.through || b.through, a.again || b.again} }

func (r *effectCollector) listEnd(list []ast.Stmt) ending {
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

func (r *effectCollector) end(s ast.Stmt) ending {
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

// selectEnd is the ending of the default case: the other cases wait or work.
func (r *effectCollector) selectEnd(s *ast.SelectStmt) (end ending) {
	for _, c := range s.Body.List {
		if c := c.(*ast.CommClause); c.Comm == nil {
			end = r.listEnd(c.Body)
			end.through = end.through || endsWithBreak(c.Body)
		}
	}
	return end
}

// caseEnd is the ending of any case, or of none.
func (r *effectCollector) caseEnd(body *ast.BlockStmt) ending {
	end := ending{through: true}
	for _, c := range body.List {
		end = end.or(r.listEnd(c.(*ast.CaseClause).Body))
	}
	return end
}

// endsWithBreak reports whether statements end with a break without label, which leaves
// the select around them.
func endsWithBreak(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	b, ok := list[len(list)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.BREAK && b.Label == nil
}

// waits reports whether a statement or expression waits or works.
func (r *effectCollector) waits(n ast.Node) bool {
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
			found = found || !syntax.HasDefault(n)
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

// works reports whether a call waits or works. Reading an atomic variable,
// acquiring or releasing a lock, and a hint to the scheduler are neither. Setting
// an atomic variable is work: if a loop repeats it until it succeeds, each
// failure means that another goroutine has succeeded.
func (r *effectCollector) works(call *ast.CallExpr) bool {
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

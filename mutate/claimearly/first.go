package claimearly

import (
	"go/ast"
	"go/token"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// A first is the section that tests the flag, with what is tested in it.
type first struct {
	lock    analysis.Lock
	read    bool
	acquire ast.Stmt
	section []ast.Stmt // the statements under the lock
	anchor  ast.Stmt   // the flag is set before it: the release, or the return of a literal
	result  ast.Expr   // what the literal returns, if it is no constant
	list    []ast.Stmt // that the section, or the call of its literal, is in
	end     int        // the index in list of what ends it
	lit     *ast.FuncLit
	asked   *asked // what a function is asked for; nil: the section is here
}

// firsts lists the sections that end within a statement list, in source order.
func firsts(fn *mutate.Function) []first {
	var out []first
	for _, st := range fn.Statements() {
		if f, ok := released(fn, st); ok {
			out = append(out, f)
			continue
		}
		if f, ok := inLiteral(fn, st); ok {
			out = append(out, f)
		}
		if f, ok := inFunction(fn, st); ok {
			out = append(out, f)
		}
	}
	return out
}

// released is the section that a statement of a list ends, which begins in the list.
func released(fn *mutate.Function, st mutate.Statement) (f first, ok bool) {
	lock, method, ok := lockCall(fn, st.Stmt)
	if !ok || method != "Unlock" && method != "RUnlock" {
		return f, false
	}
	for i := st.Index - 1; i >= 0; i-- {
		s := st.List[i]
		other, how, isLock := lockCall(fn, s)
		if !isLock {
			other, how, isLock = tried(fn, s)
		}
		if !isLock || other.Key != lock.Key || other.Expr != lock.Expr {
			continue
		}
		if how == "Unlock" || how == "RUnlock" || (how == "RLock" || how == "TryRLock") != (method == "RUnlock") {
			return f, false
		}
		f = first{lock: lock, read: method == "RUnlock", acquire: s, section: st.List[i+1 : st.Index], anchor: st.Stmt, list: st.List, end: st.Index}
		return f, len(f.section) > 0 && (!f.read || how == "RLock")
	}
	return f, false
}

// tried is the lock that a statement leaves unless it gets it: if !mu.TryLock() { return }.
func tried(fn *mutate.Function, s ast.Stmt) (lock analysis.Lock, method string, ok bool) {
	check, ok := s.(*ast.IfStmt)
	if !ok || check.Init != nil || check.Else != nil || !leaving(fn, check.Body.List) {
		return lock, "", false
	}
	not, ok := ast.Unparen(check.Cond).(*ast.UnaryExpr)
	if !ok || not.Op != token.NOT {
		return lock, "", false
	}
	call, ok := ast.Unparen(not.X).(*ast.CallExpr)
	if !ok {
		return lock, "", false
	}
	lock, method, ok = fn.Program.LockCall(fn.File, call)
	return lock, method, ok && (method == "TryLock" || method == "TryRLock")
}

// inLiteral is the section of a function literal that a statement calls for its result.
func inLiteral(fn *mutate.Function, st mutate.Statement) (f first, ok bool) {
	lit := calledFor(st.Stmt)
	if lit == nil || len(lit.Body.List) < 3 {
		return f, false
	}
	list := lit.Body.List
	lock, method, ok := lockCall(fn, list[0])
	release, how, deferred := deferredCall(fn, list[1])
	if !ok || method != "Lock" || !deferred || how != "Unlock" || release.Key != lock.Key || release.Expr != lock.Expr {
		return f, false
	}
	ret, ok := list[len(list)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return f, false
	}
	f = first{lock: lock, acquire: list[0], section: list[2 : len(list)-1], anchor: ret, list: st.List, end: st.Index, lit: lit}
	if fn.File.Package.Info.Types[ret.Results[0]].Value == nil {
		f.result = ret.Results[0]
	}
	return f, true
}

// calledFor is the literal that a statement calls for what it assigns, or checks; nil: none.
func calledFor(s ast.Stmt) *ast.FuncLit {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 && len(s.Lhs) == 1 {
			e = s.Rhs[0]
		}
	case *ast.IfStmt:
		e = s.Cond
	}
	if not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		e = not.X
	}
	if call, ok := e.(*ast.CallExpr); ok {
		lit, _ := ast.Unparen(call.Fun).(*ast.FuncLit)
		return lit
	}
	return nil
}

// lockCall is the lock and method of a statement that only calls one.
func lockCall(fn *mutate.Function, s ast.Stmt) (lock analysis.Lock, method string, ok bool) {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return lock, "", false
	}
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok {
		return lock, "", false
	}
	return fn.Program.LockCall(fn.File, call)
}

// deferredCall is the same of a statement that defers it.
func deferredCall(fn *mutate.Function, s ast.Stmt) (lock analysis.Lock, method string, ok bool) {
	d, ok := s.(*ast.DeferStmt)
	if !ok {
		return lock, "", false
	}
	return fn.Program.LockCall(fn.File, d.Call)
}

// leaving reports whether statements end by leaving the function or the iteration.
func leaving(fn *mutate.Function, list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	last := list[len(list)-1]
	b, branch := last.(*ast.BranchStmt)
	return branch && (b.Tok == token.CONTINUE || b.Tok == token.BREAK && b.Label != nil) || exits.Terminates(fn, last)
}

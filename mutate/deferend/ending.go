package deferend

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// An ending is what a function does behind a call of others' code.
type ending struct {
	call     *ast.CallExpr
	stmts    []ast.Stmt // to be deferred
	constant bool       // what the only call is given is the same before
	failed   ast.Expr   // the error that the call sets, and others may read; nil: none
}

// others is the call of others' code in a simple statement; nil: there is none.
func others(info *types.Info, s ast.Stmt) (found *ast.CallExpr) {
	switch s.(type) {
	case *ast.ExprStmt, *ast.AssignStmt:
	default:
		return nil
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if found == nil && ofOthers(info, n) {
				found = n
			}
		}
		return found == nil
	})
	return found
}

// ofOthers reports whether a call is one of a function value, or of an interface's method.
func ofOthers(info *types.Info, call *ast.CallExpr) bool {
	if tv := info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return false
	}
	if _, lit := ast.Unparen(call.Fun).(*ast.FuncLit); lit {
		return false
	}
	f := syntax.Callee(info, call.Fun)
	if f == nil {
		return true
	}
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type()) && (f.Pkg() == nil || f.Pkg().Path() != "context" && f.Pkg().Path() != "sync")
}

// recovers reports whether a function recovers from panics by itself.
func recovers(info *types.Info, body *ast.BlockStmt) bool {
	return syntax.Any(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && syntax.Builtin(info, call) == "recover"
	})
}

// sectionCall is the call of others' code in a section that ends where the function does, or right before it
// returns; nil: there is none, or it is deferred already.
func sectionCall(fn *mutate.Function, s *mutate.Section) (found *ast.CallExpr) {
	if s.Deferred || s.Final == nil || s.Again || !s.CanDefer() {
		return nil
	}
	end := slices.Index(s.List, s.Final)
	if end < 0 || !onlyReturns(fn, s.List[end+1:]) {
		return nil
	}
	for _, b := range s.Body {
		ast.Inspect(b, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				if found == nil && ofOthers(fn.File.Package.Info, n) {
					found = n
				}
			}
			return found == nil
		})
	}
	return found
}

// onlyReturns reports whether statements only return what needs no call.
func onlyReturns(fn *mutate.Function, stmts []ast.Stmt) bool {
	if len(stmts) > 1 {
		return false
	}
	for _, s := range stmts {
		ret, ok := s.(*ast.ReturnStmt)
		if !ok || syntax.Any(ret, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				return syntax.Builtin(fn.File.Package.Info, n) == "" && !fn.File.Package.Info.Types[n.Fun].IsType()
			case *ast.UnaryExpr:
				return n.Op == token.ARROW
			}
			return false
		}) {
			return false
		}
	}
	return true
}

// slotOf is how a function gives back a slot behind the call of the statement with an index, that it took before;
// nil: it does not.
func slotOf(fn *mutate.Function, i int) *ending {
	info := fn.File.Package.Info
	call := others(info, fn.Body.List[i])
	if call == nil {
		return nil
	}
	end := len(fn.Body.List)
	if end > i+1 {
		if _, ok := fn.Body.List[end-1].(*ast.ReturnStmt); ok {
			end--
		}
	}
	if !onlyReturns(fn, fn.Body.List[end:]) || end == i+1 {
		return nil
	}
	last := fn.Body.List[end-1]
	ch, receives := tokenOf(info, last)
	if ch == nil || !took(info, fn.Body.List[:i], ch, !receives) {
		return nil
	}
	found := &ending{call: call, stmts: []ast.Stmt{last}}
	for _, s := range fn.Body.List[i+1 : end-1] {
		if !endsEarly(fn, s, ch, receives, found) {
			return nil
		}
	}
	return found
}

// tokenOf is the channel of a statement that receives from one, or sends a constant; nil: it is none.
func tokenOf(info *types.Info, s ast.Stmt) (ch ast.Expr, receives bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if u, ok := ast.Unparen(s.X).(*ast.UnaryExpr); ok && u.Op == token.ARROW && syntax.Plain(u.X) {
			return u.X, true
		}
	case *ast.SendStmt:
		lit, empty := ast.Unparen(s.Value).(*ast.CompositeLit)
		if (info.Types[s.Value].Value != nil || empty && len(lit.Elts) == 0) && syntax.Plain(s.Chan) {
			return s.Chan, false
		}
	}
	return nil, false
}

// took reports whether one of some statements, or a case of a select that they are, receives from a channel, or sends
// to it.
func took(info *types.Info, stmts []ast.Stmt, ch ast.Expr, receives bool) bool {
	is := func(s ast.Stmt) bool {
		c, r := tokenOf(info, s)
		return c != nil && r == receives && types.ExprString(c) == types.ExprString(ch)
	}
	return slices.ContainsFunc(stmts, func(s ast.Stmt) bool {
		if sel, ok := s.(*ast.SelectStmt); ok {
			return slices.ContainsFunc(sel.Body.List, func(c ast.Stmt) bool { return c.(*ast.CommClause).Comm != nil && is(c.(*ast.CommClause).Comm) })
		}
		return is(s)
	})
}

// endsEarly notes the statements that give the slot back in front of a return; ok is false where one stands elsewhere.
func endsEarly(fn *mutate.Function, s ast.Stmt, ch ast.Expr, receives bool, found *ending) (ok bool) {
	ok = true
	for _, st := range fn.Statements() {
		if !syntax.Within(st.Stmt, ast.Node(s)) {
			continue
		}
		c, r := tokenOf(fn.File.Package.Info, st.Stmt)
		_, returns := st.Stmt.(*ast.ReturnStmt)
		switch {
		case returns:
			ok = ok && st.Index > 0 && slices.Contains(found.stmts, st.List[st.Index-1])
		case c != nil && types.ExprString(c) == types.ExprString(ch):
			if r != receives || st.Index+1 >= len(st.List) {
				return false
			}
			if _, before := st.List[st.Index+1].(*ast.ReturnStmt); !before {
				return false
			}
			found.stmts = append(found.stmts, st.Stmt)
		}
	}
	return ok
}

// tailOf is all that a function does behind the call of the statement with an index, if that wakes others and
// may be deferred; nil: not so.
func tailOf(fn *mutate.Function, i int) *ending {
	info, s := fn.File.Package.Info, fn.Body.List[i]
	call := others(info, s)
	if call == nil {
		return nil
	}
	rest := fn.Body.List[i+1:]
	var returned *ast.ReturnStmt
	if n := len(rest); n > 0 {
		if ret, ok := rest[n-1].(*ast.ReturnStmt); ok {
			returned, rest = ret, rest[:n-1]
		}
	}
	if returned != nil && !onlyReturns(fn, []ast.Stmt{returned}) {
		return nil
	}
	t := &tailing{fn: fn, declared: declaredBy(info, s)}
	for _, s := range rest {
		if !t.statement(s) {
			return nil
		}
	}
	if !t.wakes || t.held != 0 || returned != nil && t.sets(returned) {
		return nil
	}
	e := &ending{call: call, stmts: rest, failed: failedBy(fn, s), constant: t.constant(rest)}
	return e
}

// declaredBy are the variables that a statement declares.
func declaredBy(info *types.Info, s ast.Stmt) map[types.Object]bool {
	declared := make(map[types.Object]bool)
	if a, ok := s.(*ast.AssignStmt); ok {
		for _, lhs := range a.Lhs {
			if id, ok := lhs.(*ast.Ident); ok && info.Defs[id] != nil {
				declared[info.Defs[id]] = true
			}
		}
	}
	return declared
}

// failedBy is the error in a field that a statement sets by its call; nil: there is none.
func failedBy(fn *mutate.Function, s ast.Stmt) ast.Expr {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN {
		return nil
	}
	for _, lhs := range a.Lhs {
		sel, ok := lhs.(*ast.SelectorExpr)
		if ok && syntax.Plain(sel) && types.Identical(fn.File.Package.Info.TypeOf(sel), types.Universe.Lookup("error").Type()) {
			return sel
		}
	}
	return nil
}

// A tailing looks at what comes behind a call.
type tailing struct {
	fn       *mutate.Function
	declared map[types.Object]bool // by the call's statement
	set      []types.Object        // variables that it sets
	held     int                   // locks that it has taken
	wakes    bool
}

// statement reports whether a statement is one of those that end something.
func (t *tailing) statement(s ast.Stmt) bool {
	info := t.fn.File.Package.Info
	if syntax.Any(s, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && t.declared[info.Uses[id]]
	}) {
		return false
	}
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			ch, _ := tokenOf(info, s)
			return ch != nil
		}
		return t.call(call)
	case *ast.SendStmt:
		ch, _ := tokenOf(info, s)
		return ch != nil
	case *ast.IncDecStmt:
		t.noteSet(s.X)
		return true
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE || !t.later(s) {
			return false
		}
		for _, lhs := range s.Lhs {
			t.noteSet(lhs)
		}
		return true
	case *ast.IfStmt:
		if s.Init != nil || s.Else != nil {
			return false
		}
		return !slices.ContainsFunc(s.Body.List, func(s ast.Stmt) bool { return !t.statement(s) })
	}
	return false
}

// later reports whether what an assignment calls may be called later as well: no function of the package, and of
// others' code only what takes nothing, such as a clock.
func (t *tailing) later(s *ast.AssignStmt) bool {
	info := t.fn.File.Package.Info
	return !syntax.Any(s, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || syntax.Builtin(info, call) != "" || info.Types[call.Fun].IsType() {
			return false
		}
		if ofOthers(info, call) {
			return len(call.Args) > 0
		}
		f := syntax.Callee(info, call.Fun)
		return f != nil && f.Pkg() == t.fn.File.Package.Types
	})
}

// noteSet notes what an assignment sets.
func (t *tailing) noteSet(lhs ast.Expr) {
	if id, ok := ast.Unparen(lhs).(*ast.Ident); ok {
		if o := t.fn.File.Package.Info.Uses[id]; o != nil {
			t.set = append(t.set, o)
		}
	}
}

// sets reports whether the tail sets what is returned.
func (t *tailing) sets(ret *ast.ReturnStmt) bool {
	return syntax.Any(ret, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && slices.Contains(t.set, t.fn.File.Package.Info.Uses[id])
	})
}

// call reports whether a call ends something.
func (t *tailing) call(call *ast.CallExpr) bool {
	info := t.fn.File.Package.Info
	switch syntax.Builtin(info, call) {
	case "close":
		t.wakes = true
		return true
	case "delete":
		return true
	}
	if l, method, ok := t.fn.Program.LockOf(t.fn.File, call); ok && l.Key != "" {
		switch method {
		case "Lock", "RLock":
			t.held++
			return true
		case "Unlock", "RUnlock":
			t.held--
			return t.held >= 0
		}
	}
	f := syntax.Callee(info, call.Fun)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync" {
		return false
	}
	switch f.Name() {
	case "Done", "Signal", "Broadcast":
		t.wakes = true
		return true
	}
	return false
}

// constant reports whether the only statement is a call that is given the same before.
func (t *tailing) constant(stmts []ast.Stmt) bool {
	if len(stmts) != 1 {
		return false
	}
	x, ok := stmts[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	return ok && !slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !syntax.Plain(e) })
}

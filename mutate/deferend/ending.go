package deferend

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/analysis/taken"
	"mendel/mutate"
)

// An ending is what a function does behind a call of others' code.
type ending struct {
	call     *ast.CallExpr
	stmts    []ast.Stmt // to be deferred
	constant bool       // what the only call is given is the same before
	at       ast.Stmt   // before which it is deferred; nil: before the call
	key      string     // of what is given back
	failed   ast.Expr   // the error that the call sets, and others may read; nil: none
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
				if found == nil && taken.OfOthers(fn.File.Package.Info, n) {
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

// slotOf is how a function gives back behind the call of a statement what it took before; nil: it does not, or goes on
// behind that.
func slotOf(fn *mutate.Function, st mutate.Statement, risks []taken.Risk) *ending {
	for _, r := range risks {
		if r.List[r.At] != st.Stmt || !atEnd(fn, r.List[r.Give+1:], r.Node) {
			continue
		}
		found := &ending{call: r.Call, stmts: []ast.Stmt{r.List[r.Give]}, key: r.Key}
		if !endsEarly(fn, r.List[r.At+1:r.Give], r.Op, found) {
			continue
		}
		found.constant = given(fn, r)
		if first := r.List[r.From]; r.From < r.At && known(fn, r, first) && !leaves(fn, r.List[r.From:r.At], r.Op) {
			found.at = first
		}
		return found
	}
	return nil
}

// atEnd reports whether a function only returns behind some statements, the last of the list of a node.
func atEnd(fn *mutate.Function, rest []ast.Stmt, owner ast.Node) bool {
	if !onlyReturns(fn, rest) {
		return false
	}
	if len(rest) > 0 || owner == ast.Node(fn.Body) {
		return true
	}
	path := syntax.Path(fn.Body, owner)
	for i := len(path) - 1; i >= 0; i-- {
		switch path[i].(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
			return false
		}
		list := syntax.ListOf(path[i])
		if len(list) == 0 || syntax.IsClause(list[0]) {
			continue
		}
		inner := owner
		if i+1 < len(path) {
			inner = path[i+1]
		}
		at := slices.IndexFunc(list, func(s ast.Stmt) bool { return ast.Node(s) == inner })
		if !onlyReturns(fn, list[at+1:]) {
			return false
		}
		if at+1 < len(list) {
			return true
		}
	}
	return true
}

// given reports whether what gives back is a call that may be deferred itself: its arguments are the same before.
func given(fn *mutate.Function, r taken.Risk) bool {
	x, ok := r.List[r.Give].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	return ok && !slices.ContainsFunc(call.Args, func(e ast.Expr) bool {
		return !syntax.Constant(fn.File.Package.Info, e) && (!syntax.Plain(e) || fn.Reassigns(types.ExprString(e), r.List[r.From:r.Give]...))
	})
}

// known reports whether all that what gives back names is known before a statement.
func known(fn *mutate.Function, r taken.Risk, at ast.Stmt) bool {
	return !syntax.Any(r.List[r.Give], func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		v, isVar := fn.File.Package.Info.Uses[id].(*types.Var)
		return isVar && !v.IsField() && at.Pos() <= v.Pos() && v.Pos() < r.List[r.Give].Pos()
	})
}

// leaves reports whether some statements may return, or give back.
func leaves(fn *mutate.Function, list []ast.Stmt, give taken.Op) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		return syntax.Any(s, func(n ast.Node) bool {
			s, ok := n.(ast.Stmt)
			if !ok {
				return false
			}
			if _, returns := s.(*ast.ReturnStmt); returns {
				return true
			}
			o, ok := taken.OpOf(fn.File.Package.Info, s)
			return ok && o.Key == give.Key
		})
	})
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

// endsEarly notes the statements that give something back in front of a return; ok is false where one stands elsewhere.
func endsEarly(fn *mutate.Function, list []ast.Stmt, give taken.Op, found *ending) (ok bool) {
	ok = true
	for _, st := range fn.Statements() {
		if !slices.ContainsFunc(list, func(s ast.Stmt) bool { return syntax.Within(st.Stmt, ast.Node(s)) }) {
			continue
		}
		o, is := taken.OpOf(fn.File.Package.Info, st.Stmt)
		_, returns := st.Stmt.(*ast.ReturnStmt)
		switch {
		case returns:
			ok = ok && st.Index > 0 && slices.Contains(found.stmts, st.List[st.Index-1])
		case is && o.Key == give.Key:
			if !o.Like(give) || st.Index+1 >= len(st.List) {
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

// tailOf is all that a function does behind the call of a statement, if that wakes others, or takes from a count to
// which it has added, and may be deferred; nil: not so.
func tailOf(fn *mutate.Function, st mutate.Statement) *ending {
	info, s := fn.File.Package.Info, st.Stmt
	call := taken.Others(info, s)
	if call == nil || !atEnd(fn, returnOf(st.List), st.Owner) {
		return nil
	}
	rest := st.List[st.Index+1:]
	var returned *ast.ReturnStmt
	if n := len(rest); n > 0 {
		if ret, ok := rest[n-1].(*ast.ReturnStmt); ok {
			returned, rest = ret, rest[:n-1]
		}
	}
	if returned != nil && !onlyReturns(fn, []ast.Stmt{returned}) {
		return nil
	}
	t := &tailing{fn: fn, declared: declaredBy(info, s), before: st.List[:st.Index], around: append(syntax.Path(fn.Body, st.Owner), st.Owner), several: len(rest) > 1}
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

// returnOf is the return at the end of a list; empty: there is none.
func returnOf(list []ast.Stmt) []ast.Stmt {
	if n := len(list); n > 0 {
		if _, ok := list[n-1].(*ast.ReturnStmt); ok {
			return list[n-1:]
		}
	}
	return nil
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
	before   []ast.Stmt            // statements of the list in front of the call
	around   []ast.Node            // the nodes around, with that of the list
	several  bool                  // statements come behind the call
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
		if o, ok := taken.OpOf(info, s); ok && o.Counts() && t.several {
			take, _ := taken.TakenBefore(info, t.before, t.around, o)
			t.wakes = t.wakes || take != nil
		}
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
		if taken.OfOthers(info, call) {
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
	if l, method, ok := t.fn.Program.LockCall(t.fn.File, call); ok && l.Key != "" {
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

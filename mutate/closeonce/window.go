package closeonce

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/locks/callers"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locking"
	"mendel/mutate/internal/syncops"
)

// A window is what a function does from the question whether a channel is closed to the close:
// two goroutines may both be in it.
type window struct {
	closing
	fn    *mutate.Function
	at    mutate.Statement // the question, in the list that has the close
	stmts []ast.Stmt       // from the question to the close
	flag  *types.Var       // what is asked instead of the channel, and set in the window; or nil
	bare  bool             // the function does nothing in that list but close
}

// window finds the question before a close; ok is false if there is none, or the function
// runs once, or under a lock.
func (c closing) window(fn *mutate.Function) (w window, ok bool) {
	if _, plain := c.Stmt.(*ast.ExprStmt); !plain {
		return w, false
	}
	all := fn.Statements()
	i := slices.IndexFunc(all, func(st mutate.Statement) bool { return st.Stmt == c.Stmt })
	if i < 0 {
		return w, false
	}
	at := all[i]
	for from := at.Index - 1; from >= 0; from-- {
		w = window{closing: c, fn: fn, at: at, stmts: at.List[from : at.Index+1]}
		w.at.Stmt, w.at.Index = at.List[from], from
		w.bare = len(w.stmts) == 2 && at.Index == len(at.List)-1
		if !w.asks(w.at.Stmt) {
			continue
		}
		once, again := syncops.Once(fn, fn.Path(c.On))
		return w, (!once || again) && !w.locked() && !fn.Reassigns(types.ExprString(c.On), w.stmts...)
	}
	return w, false
}

// asks reports whether a statement leaves if the channel is closed, and does nothing else.
func (w *window) asks(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.SelectStmt:
		body, ok := polled(s, func(e ast.Expr) bool { return w.same(e, w.On) })
		return ok && leaves(body)
	case *ast.IfStmt:
		return s.Init == nil && s.Else == nil && leaves(s.Body.List) && (w.asksHelper(s.Cond) || w.asksFlag(s.Cond))
	}
	return false
}

func (w *window) same(a, b ast.Expr) bool { return syntax.Same(w.fn.File.Package.Info, a, b) }

// polled is what a select does when a channel is closed; ok is false if it has other cases, or
// does something when the channel is not.
func polled(s *ast.SelectStmt, is func(ast.Expr) bool) (body []ast.Stmt, ok bool) {
	if len(s.Body.List) != 2 {
		return nil, false
	}
	open := false
	for _, c := range s.Body.List {
		clause := c.(*ast.CommClause)
		if clause.Comm == nil {
			open = len(clause.Body) == 0
			continue
		}
		comm, isExpr := clause.Comm.(*ast.ExprStmt)
		if !isExpr {
			return nil, false
		}
		receive, isUnary := ast.Unparen(comm.X).(*ast.UnaryExpr)
		if !isUnary || !is(receive.X) {
			return nil, false
		}
		body, ok = clause.Body, true
	}
	return body, ok && open
}

// leaves reports whether the last of some statements returns or goes on with a loop.
func leaves(body []ast.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	switch s := body[len(body)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE
	}
	return false
}

// asksHelper reports whether a condition is the call of a function that does nothing but say
// whether the channel is closed.
func (w *window) asksHelper(cond ast.Expr) bool {
	info := w.fn.File.Package.Info
	call, ok := ast.Unparen(cond).(*ast.CallExpr)
	if !ok {
		return false
	}
	f := syntax.Callee(info, call.Fun)
	if f == nil {
		return false
	}
	helper := w.fn.Declaration(f)
	if helper == nil || len(helper.Body.List) == 0 {
		return false
	}
	in := helper.File.Package.Info
	on, isField := ast.Unparen(w.On).(*ast.SelectorExpr)
	var is func(ast.Expr) bool
	switch method, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr); {
	case len(call.Args) == 1 && w.same(call.Args[0], w.On) && f.Signature().Params().Len() == 1:
		param := f.Signature().Params().At(0)
		is = func(e ast.Expr) bool { return syntax.Is(in, e, param) }
	case len(call.Args) == 0 && isField && method != nil && w.same(method.X, on.X) && f.Signature().Recv() != nil:
		field, recv := syntax.Field(info, on), f.Signature().Recv()
		is = func(e ast.Expr) bool {
			sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
			return ok && field != nil && syntax.Field(in, sel) == field && syntax.Is(in, sel.X, recv)
		}
	default:
		return false
	}
	s, ok := helper.Body.List[0].(*ast.SelectStmt)
	return ok && tells(s, helper.Body.List[1:], is)
}

// tells reports whether a select, and what is behind it, return true if a channel is closed and
// false if it is not.
func tells(s *ast.SelectStmt, rest []ast.Stmt, is func(ast.Expr) bool) bool {
	open := rest
	for _, c := range s.Body.List {
		clause := c.(*ast.CommClause)
		if clause.Comm == nil && len(clause.Body) > 0 {
			open = clause.Body
			continue
		}
		if clause.Comm == nil {
			continue
		}
		comm, ok := clause.Comm.(*ast.ExprStmt)
		if !ok || !returns(clause.Body, "true") {
			return false
		}
		receive, ok := ast.Unparen(comm.X).(*ast.UnaryExpr)
		if !ok || !is(receive.X) {
			return false
		}
	}
	return len(s.Body.List) == 2 && syntax.HasDefault(s) && returns(open, "false")
}

// returns reports whether statements only return a constant.
func returns(body []ast.Stmt, constant string) bool {
	if len(body) != 1 {
		return false
	}
	ret, ok := body[0].(*ast.ReturnStmt)
	return ok && len(ret.Results) == 1 && types.ExprString(ret.Results[0]) == constant
}

// beside reports whether a variable belongs to what the channel belongs to, so that there is one for
// each channel.
func (w *window) beside(x ast.Expr) bool {
	info := w.fn.File.Package.Info
	on, field := ast.Unparen(w.On).(*ast.SelectorExpr)
	sel, other := ast.Unparen(x).(*ast.SelectorExpr)
	if field && other && syntax.Field(info, on) != nil && syntax.Field(info, sel) != nil {
		return w.same(sel.X, on.X)
	}
	v, ch := syntax.Variable(info, x), syntax.Variable(info, w.On)
	return v != nil && ch != nil && syntax.PackageLevel(v) && syntax.PackageLevel(ch)
}

// asksFlag reports whether a condition is a variable beside the channel that the window sets to true.
func (w *window) asksFlag(cond ast.Expr) bool {
	info := w.fn.File.Package.Info
	set := func(s ast.Stmt) bool {
		a, ok := s.(*ast.AssignStmt)
		return ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && w.same(a.Lhs[0], cond) && types.ExprString(a.Rhs[0]) == "true"
	}
	if flag, ok := atomicCall(info, cond, "Load"); ok {
		cond = flag
		set = func(s ast.Stmt) bool { x, v, ok := stored(info, s); return ok && w.same(x, flag) && v == "true" }
	}
	v := syntax.Variable(info, cond)
	if v == nil || !w.beside(cond) || !slices.ContainsFunc(w.stmts[1:], set) {
		return false
	}
	w.flag = v.Origin()
	return true
}

// locked reports whether a lock is held from the question to the close, here or by all callers.
func (w *window) locked() bool {
	after := w.fn.HeldAt(w.Stmt)
	for _, l := range w.fn.HeldAt(w.at.Stmt) {
		if slices.ContainsFunc(after, func(o analysis.Lock) bool { return o.Key == l.Key }) {
			return true
		}
	}
	return slices.ContainsFunc(w.fn.Program.Locks(w.fn.File, w.at.Stmt), func(l analysis.Lock) bool {
		lock, ok := held.LockAt(w.fn, l, w.at.Stmt.Pos())
		return ok && callers.EntryOf(w.fn.Locks(), w.fn.Locks().Of(w.fn.Node), lock, false) != held.Unheld
	})
}

// disturbs says why the window cannot be under a lock, or "".
func (w *window) disturbs() string {
	if held.Waits(w.fn, analysis.Lock{}, w.stmts...) {
		return "what is between the question and the close may wait"
	}
	foreign := false
	for _, s := range w.stmts {
		syntax.Now(s, func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			foreign = foreign || ok && w.fn.MayWait(call)
		})
	}
	if foreign {
		return "code of users is called between the question and the close"
	}
	if _, ok := locking.Plan(w.fn, w.at, len(w.stmts)); !ok {
		return "no section goes from the question to the close"
	}
	return ""
}

// sure reports whether the source alone shows that the window is what is wrong: whoever closes
// the channel asks, and nothing else asks the flag without a lock.
func (w *window) sure() bool {
	for _, u := range w.channel.Closes {
		if u.Test {
			continue
		}
		if _, ok := windowOf(u); !ok {
			return false
		}
	}
	return w.flag == nil || isAtomic(w.flag.Type()) || len(usesOf(w.fn, w.flag)) == 2 // the question and the answer
}

// windowOf is the window before a close.
func windowOf(u mutate.ChannelUse) (w window, ok bool) {
	if u.Fn == nil {
		return w, false
	}
	for _, c := range closings(u.Fn) {
		if c.Stmt == u.Stmt {
			return c.window(u.Fn)
		}
	}
	return w, false
}

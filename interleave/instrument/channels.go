package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// receive rewrites <-c.
func (r *rewriter) receive(u *ast.UnaryExpr, function string) {
	r.Put(u.OpPos, u.OpPos+2, r.call(function, r.site(u, "receive", u.X)))
	r.walk(u.X)
	r.Close(u.OpPos, u.X.End(), ")")
}

// selects rewrites a select statement: the goroutine is told before it what it may
// do, and in each case what it has done.
func (r *rewriter) selects(s *ast.SelectStmt) {
	at := s.Pos()
	if r.labelled == ast.Stmt(s) {
		at = r.label
	}
	for _, clause := range s.Body.List {
		c := clause.(*ast.CommClause)
		r.comm(at, c)
		all(r, c.Body)
	}
}

// comm puts the hooks of one case of a select.
func (r *rewriter) comm(at token.Pos, c *ast.CommClause) {
	poll := func(function string, ch ast.Expr, operation string) (site int, ok bool) {
		if !pure(ch) || r.Line(ch) == "" {
			return 0, false
		}
		site = r.site(c.Comm, operation, ch)
		r.Insert(at, r.call(function, site)+r.Line(ch)+"); ")
		return site, true
	}
	if s, ok := c.Comm.(*ast.SendStmt); ok {
		if site, ok := poll("PollSend", s.Chan, "send"); ok {
			r.Insert(c.Colon+1, " "+r.call("Selected", site)+r.Line(s.Chan)+");")
		}
		return
	}
	u, got := received(c.Comm)
	if u == nil {
		return
	}
	site, ok := poll("Poll", u.X, "receive")
	if !ok {
		return
	}
	closed := "true" // it is not told whether the channel is closed
	if a, assigns := c.Comm.(*ast.AssignStmt); !assigns {
		closed = fmt.Sprintf("%sOk%d", r.name, site)
		r.Insert(c.Comm.Pos(), "_, "+closed+" := ")
	} else if id, named := got.(*ast.Ident); got != nil && named && id.Name != "_" {
		closed = id.Name
	} else if got == nil && a.Tok == token.DEFINE {
		closed = fmt.Sprintf("%sOk%d", r.name, site)
		r.Insert(a.Lhs[0].End(), ", "+closed)
	}
	r.Insert(c.Colon+1, " "+r.call("Received", site)+r.Line(u.X)+", "+closed+");")
}

// received is the receive of a case, and what is told whether the channel is open;
// nil if nothing is.
func received(s ast.Stmt) (u *ast.UnaryExpr, ok ast.Expr) {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
		if len(s.Lhs) == 2 {
			ok = s.Lhs[1]
		}
	default:
		return nil, nil
	}
	u, _ = ast.Unparen(e).(*ast.UnaryExpr)
	return u, ok
}

// ranges rewrites a range statement. One over a channel becomes a loop that receives.
func (r *rewriter) ranges(s *ast.RangeStmt) {
	t := r.info.TypeOf(s.X)
	_, isChan := under(t).(*types.Chan)
	switch {
	case isChan && s.Tok != token.ASSIGN && pure(s.X) && r.Line(s.X) != "":
		from := s.Range
		value := "_"
		if s.Key != nil {
			from, value = s.Key.Pos(), r.Line(s.Key)
		}
		site := r.site(s, "receive", s.X)
		more := fmt.Sprintf("%sMore%d", r.name, site)
		call := r.call("From2", site) + r.Line(s.X) + ")"
		r.Put(from, s.X.End(), fmt.Sprintf("%s, %s := %s; %s; %s, %s = %s", value, more, call, more, value, more, call))
	case isMap(t):
		r.around(s.X, "MapR", "read")
	default:
		r.walk(s.X)
	}
	r.walk(s.Body)
}

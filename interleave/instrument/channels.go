package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"mendel/internal/rewrite/operations"
)

// receive rewrites <-c.
func (r *rewriter) receive(op operations.Operation) {
	function := "From"
	if op.Pair {
		function = "From2"
	}
	u := op.Node.(*ast.UnaryExpr)
	r.Put(u.OpPos, u.OpPos+2, r.call(function, r.site(u, "receive", u.X)))
	r.Close(u.OpPos, u.X.End(), ")")
}

// selects rewrites a select statement: the goroutine is told before it what it may do,
// when the channels are evaluated, and in each case what it has done. What is known of
// the channels stands in variables around it, in a switch, to which a label belongs then.
//
//	select {
//	case v := <-c:
//	}
//	switch z1 := OfCase(1); { default: select {
//	case v, ok := <-Poll(&z1, c): z1.Received(ok);
//	}}
func (r *rewriter) selects(s *ast.SelectStmt) {
	var names, cases []string
	for _, clause := range s.Body.List {
		if site := r.comm(clause.(*ast.CommClause)); site > 0 {
			names = append(names, r.numbered("Case", site))
			cases = append(cases, fmt.Sprintf("%s.OfCase(%d)", r.name, site))
		}
	}
	if len(names) > 0 {
		r.Around(s.Pos(), s.End(), "switch "+strings.Join(names, ", ")+" := "+strings.Join(cases, ", ")+"; { default: ", " }")
	}
}

// comm puts the hooks of one case of a select; its site is 0 if it is the default.
func (r *rewriter) comm(c *ast.CommClause) (site int) {
	if s, ok := c.Comm.(*ast.SendStmt); ok {
		site = r.site(c.Comm, "send", s.Chan)
		name := r.numbered("Case", site)
		r.Around(s.Chan.Pos(), s.Chan.End(), r.name+".PollSend(&"+name+", ", ")")
		r.Insert(c.Colon+1, " "+name+".Selected();")
		return site
	}
	u := operations.Received(c.Comm)
	if u == nil {
		return 0
	}
	site = r.site(c.Comm, "receive", u.X)
	name := r.numbered("Case", site)
	r.Around(u.X.Pos(), u.X.End(), r.name+".Poll(&"+name+", ", ")")
	r.Insert(c.Colon+1, " "+name+".Received("+r.open(c.Comm, site)+");")
	return site
}

// open is the variable that tells in a case whether its channel is open.
func (r *rewriter) open(comm ast.Stmt, site int) string {
	name := r.numbered("Ok", site)
	a, assigns := comm.(*ast.AssignStmt)
	switch {
	case !assigns:
		r.Insert(comm.Pos(), "_, "+name+" := ")
		return name
	case len(a.Lhs) == 1 && a.Tok == token.DEFINE:
		r.Insert(a.Lhs[0].End(), ", "+name)
		return name
	case len(a.Lhs) == 2:
		if id, ok := a.Lhs[1].(*ast.Ident); ok && id.Name != "_" {
			return id.Name
		}
	}
	return "true" // it is not told
}

// numbered is a name that no other site has.
func (r *rewriter) numbered(what string, site int) string {
	return fmt.Sprintf("%s%s%d", r.name, what, site)
}

// ranges rewrites a range over a channel to a loop that receives.
//
//	for v := range c {
//	for z, v, ok := RangeOver(1, c); ok; v, ok = z.Next() {
func (r *rewriter) ranges(s *ast.RangeStmt) {
	from, value, first := s.Range, "_", ""
	site := r.site(s, "receive", s.X)
	over, more := r.numbered("Over", site), r.numbered("More", site)
	if s.Key != nil {
		from, value = s.Key.Pos(), r.Line(s.Key)
	}
	if s.Key != nil && s.Tok == token.ASSIGN && value != "_" {
		first, value = " "+r.Between(s.Key.Pos(), s.Key.End())+" = "+r.numbered("Value", site)+";", r.numbered("Value", site)
	}
	r.Put(from, s.X.Pos(), fmt.Sprintf("%s, %s, %s := %s", over, value, more, r.call("RangeOver", site)))
	r.Close(from, s.X.End(), fmt.Sprintf("); %s; %s, %s = %s.Next()", more, value, more, over))
	if first != "" {
		r.Insert(s.Body.Lbrace+1, first)
	}
}

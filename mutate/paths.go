package mutate

import (
	"go/ast"
	"go/token"
)

// paths follows the control flow of statements by their structure; a loop's body is
// followed once. S is what is known on the paths to a point, the zero S says that
// there are none; the functions know what statements do to it.
type paths[S any] struct {
	join    func(a, b S) S
	stmt    func(s ast.Stmt, at S) S // one statement; nil: an absent one
	block   func(list []ast.Stmt, at S) S
	leaf    func(n ast.Node, at S)                // reads what has no control flow
	assigns func(s *ast.RangeStmt, at S)          // is told of the key and the value of a loop
	turn    func(to *target[S], n ast.Node, at S) // ends an iteration, at a continue or the loop itself
	targets []*target[S]                          // of break and continue, innermost last
}

// A target is a loop, switch or select that a break or continue may name.
type target[S any] struct {
	label  string
	stmt   ast.Stmt
	loop   bool
	post   ast.Stmt // of a loop; nil: none
	found  S        // at the head of a loop
	breaks S
}

// compound follows a statement that has others in it; label names it. ok is false
// for any other statement.
func (p *paths[S]) compound(stmt ast.Stmt, label string, at S) (out S, ok bool) {
	to := &target[S]{label: label, stmt: stmt}
	switch s := stmt.(type) {
	case *ast.BlockStmt:
		return p.block(s.List, at), true
	case *ast.LabeledStmt:
		if out, ok := p.compound(s.Stmt, s.Label.Name, at); ok {
			return out, true
		}
		return p.stmt(s.Stmt, at), true
	case *ast.IfStmt:
		at = p.stmt(s.Init, at)
		p.exprs(at, s.Cond)
		then := p.block(s.Body.List, at)
		if s.Else == nil {
			return p.join(then, at), true
		}
		return p.join(then, p.stmt(s.Else, at)), true
	case *ast.ForStmt:
		at = p.stmt(s.Init, at)
		p.exprs(at, s.Cond)
		to.post = s.Post
		return p.loop(to, s.Body, s.Cond != nil, at), true
	case *ast.RangeStmt:
		p.exprs(at, s.X)
		p.assigns(s, at)
		return p.loop(to, s.Body, true, at), true
	case *ast.SwitchStmt:
		at = p.stmt(s.Init, at)
		p.exprs(at, s.Tag)
		return p.clauses(to, s.Body.List, false, at), true
	case *ast.TypeSwitchStmt:
		at = p.stmt(s.Init, at)
		p.leaf(s.Assign, at)
		return p.clauses(to, s.Body.List, false, at), true
	case *ast.SelectStmt:
		return p.clauses(to, s.Body.List, true, at), true
	}
	return at, false
}

func (p *paths[S]) exprs(at S, exprs ...ast.Expr) {
	for _, e := range exprs {
		if e != nil {
			p.leaf(e, at)
		}
	}
}

// loop follows a loop; ends says that it may end at its head.
func (p *paths[S]) loop(to *target[S], body *ast.BlockStmt, ends bool, at S) S {
	to.loop, to.found = true, at
	p.targets = append(p.targets, to)
	p.turn(to, to.stmt, p.block(body.List, at))
	p.targets = p.targets[:len(p.targets)-1]
	if ends {
		return p.join(to.breaks, at)
	}
	return to.breaks
}

// clauses follows the cases of a switch or select; exhaustive says that one of
// them is always taken, as is true of a select and of a switch with a default.
func (p *paths[S]) clauses(to *target[S], list []ast.Stmt, exhaustive bool, at S) S {
	p.targets = append(p.targets, to)
	var out, through S
	for _, clause := range list {
		var body []ast.Stmt
		in := p.join(at, through)
		switch c := clause.(type) {
		case *ast.CaseClause:
			exhaustive = exhaustive || c.List == nil
			p.exprs(at, c.List...)
			body = c.Body
		case *ast.CommClause:
			in = p.stmt(c.Comm, in)
			body = c.Body
		}
		end := p.block(body, in)
		var none S
		through = none
		if n := len(body); n > 0 && isFallthrough(body[n-1]) {
			through = end
			continue
		}
		out = p.join(out, end)
	}
	p.targets = p.targets[:len(p.targets)-1]
	if !exhaustive {
		out = p.join(out, at)
	}
	return p.join(out, to.breaks)
}

// branch follows a break, continue or fallthrough, which clauses passes on; ok is
// false where the branch leaves all that is followed.
func (p *paths[S]) branch(s *ast.BranchStmt, at S) (out S, ok bool) {
	if s.Tok == token.FALLTHROUGH {
		return at, true
	}
	for i := len(p.targets) - 1; i >= 0 && s.Tok != token.GOTO; i-- {
		to := p.targets[i]
		switch {
		case s.Label != nil && s.Label.Name != to.label, s.Tok == token.CONTINUE && !to.loop:
			continue
		case s.Tok == token.BREAK:
			to.breaks = p.join(to.breaks, at)
		default:
			p.turn(to, s, at)
		}
		return out, true
	}
	return out, false
}

func isFallthrough(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// Package paths follows the control flow of statements by their structure, for whoever knows what
// a statement does to what is known on the paths to it.
package paths

import (
	"go/ast"
	"go/token"
)

// Paths follows the statements of a function; a loop's body is
// followed once. S is what is known on the paths to a point, the zero S says that
// there are none; the functions know what statements do to it.
type Paths[S any] struct {
	Join    func(a, b S) S
	Stmt    func(s ast.Stmt, at S) S // one statement; nil: an absent one
	Block   func(list []ast.Stmt, at S) S
	Leaf    func(n ast.Node, at S)                // reads what has no control flow
	Assigns func(s *ast.RangeStmt, at S)          // is told of the key and the value of a loop
	Turn    func(to *Target[S], n ast.Node, at S) // ends an iteration, at a continue or the loop itself
	Targets []*Target[S]                          // of break and continue, innermost last
}

// A Target is a loop, switch or select that a break or continue may name.
type Target[S any] struct {
	Stmt   ast.Stmt
	Post   ast.Stmt // of a loop; nil: none
	Found  S        // at the head of a loop
	Breaks S
	label  string
	loop   bool
}

// Compound follows a statement that has others in it; label names it. ok is false
// for any other statement.
func (p *Paths[S]) Compound(stmt ast.Stmt, label string, at S) (out S, ok bool) {
	to := &Target[S]{label: label, Stmt: stmt}
	switch s := stmt.(type) {
	case *ast.BlockStmt:
		return p.Block(s.List, at), true
	case *ast.LabeledStmt:
		if out, ok := p.Compound(s.Stmt, s.Label.Name, at); ok {
			return out, true
		}
		return p.Stmt(s.Stmt, at), true
	case *ast.IfStmt:
		at = p.Stmt(s.Init, at)
		p.exprs(at, s.Cond)
		then := p.Block(s.Body.List, at)
		if s.Else == nil {
			return p.Join(then, at), true
		}
		return p.Join(then, p.Stmt(s.Else, at)), true
	case *ast.ForStmt:
		at = p.Stmt(s.Init, at)
		p.exprs(at, s.Cond)
		to.Post = s.Post
		return p.loop(to, s.Body, s.Cond != nil, at), true
	case *ast.RangeStmt:
		p.exprs(at, s.X)
		p.Assigns(s, at)
		return p.loop(to, s.Body, true, at), true
	case *ast.SwitchStmt:
		at = p.Stmt(s.Init, at)
		p.exprs(at, s.Tag)
		return p.clauses(to, s.Body.List, false, at), true
	case *ast.TypeSwitchStmt:
		at = p.Stmt(s.Init, at)
		p.Leaf(s.Assign, at)
		return p.clauses(to, s.Body.List, false, at), true
	case *ast.SelectStmt:
		return p.clauses(to, s.Body.List, true, at), true
	}
	return at, false
}

func (p *Paths[S]) exprs(at S, exprs ...ast.Expr) {
	for _, e := range exprs {
		if e != nil {
			p.Leaf(e, at)
		}
	}
}

// loop follows a loop; ends says that it may end at its head.
func (p *Paths[S]) loop(to *Target[S], body *ast.BlockStmt, ends bool, at S) S {
	to.loop, to.Found = true, at
	p.Targets = append(p.Targets, to)
	p.Turn(to, to.Stmt, p.Block(body.List, at))
	p.Targets = p.Targets[:len(p.Targets)-1]
	if ends {
		return p.Join(to.Breaks, at)
	}
	return to.Breaks
}

// clauses follows the cases of a switch or select; exhaustive says that one of
// them is always taken, as is true of a select and of a switch with a default.
func (p *Paths[S]) clauses(to *Target[S], list []ast.Stmt, exhaustive bool, at S) S {
	p.Targets = append(p.Targets, to)
	var out, through S
	for _, clause := range list {
		var body []ast.Stmt
		in := p.Join(at, through)
		switch c := clause.(type) {
		case *ast.CaseClause:
			exhaustive = exhaustive || c.List == nil
			p.exprs(at, c.List...)
			body = c.Body
		case *ast.CommClause:
			in = p.Stmt(c.Comm, in)
			body = c.Body
		}
		end := p.Block(body, in)
		var none S
		through = none
		if n := len(body); n > 0 && isFallthrough(body[n-1]) {
			through = end
			continue
		}
		out = p.Join(out, end)
	}
	p.Targets = p.Targets[:len(p.Targets)-1]
	if !exhaustive {
		out = p.Join(out, at)
	}
	return p.Join(out, to.Breaks)
}

// Branch follows a break, continue or fallthrough, which clauses passes on; ok is
// false where the branch leaves all that is followed.
func (p *Paths[S]) Branch(s *ast.BranchStmt, at S) (out S, ok bool) {
	if s.Tok == token.FALLTHROUGH {
		return at, true
	}
	for i := len(p.Targets) - 1; i >= 0 && s.Tok != token.GOTO; i-- {
		to := p.Targets[i]
		switch {
		case s.Label != nil && s.Label.Name != to.label, s.Tok == token.CONTINUE && !to.loop:
			continue
		case s.Tok == token.BREAK:
			to.Breaks = p.Join(to.Breaks, at)
		default:
			p.Turn(to, s, at)
		}
		return out, true
	}
	return out, false
}

func isFallthrough(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

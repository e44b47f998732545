package mutate

import (
	"strings"

	"github.com/dave/dst"
)

// Writes makes a section of an RWMutex's read side one of its write side. A
// section that writes already stays as it is.
func (p *Placed) Writes() error {
	if !p.Read {
		return nil
	}
	acquire, err := p.node(p.Acquire)
	if err != nil {
		return err
	}
	nodes := []dst.Stmt{acquire}
	for _, r := range p.Releases {
		n, err := p.node(r)
		if err != nil {
			return err
		}
		nodes = append(nodes, n)
	}
	for _, n := range nodes {
		sel := methodOf(n)
		if sel == nil || !strings.HasPrefix(sel.Sel.Name, "R") {
			return Refuse(p.e, "%s is not released in the usual way", p.Lock.Expr)
		}
		sel.Sel.Name = strings.TrimPrefix(sel.Sel.Name, "R")
	}
	return nil
}

// methodOf is the method that a statement calls, at once or deferred; nil if
// it is no such call.
func methodOf(s dst.Stmt) *dst.SelectorExpr {
	var call *dst.CallExpr
	switch s := s.(type) {
	case *dst.ExprStmt:
		call, _ = s.X.(*dst.CallExpr)
	case *dst.DeferStmt:
		call = s.Call
	}
	if call == nil {
		return nil
	}
	sel, _ := call.Fun.(*dst.SelectorExpr)
	return sel
}

package sectionedit

import (
	"go/ast"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/internal/tree"
)

// Writes makes a section of an RWMutex's read side one of its write side, Reads
// the reverse. A section of that side already stays as it is.
func (p *Section) Writes() error { return p.side(false) }

// Reads is described at Writes.
func (p *Section) Reads() error { return p.side(true) }

func (p *Section) side(read bool) error {
	if p.Read == read {
		return nil
	}
	nodes, err := p.calls()
	if err != nil {
		return err
	}
	for _, n := range nodes {
		sel := methodOf(n)
		if sel == nil || usual(sel) && strings.HasPrefix(sel.Sel.Name, "R") == read {
			return mutate.Refuse(p.e, "%s is not released in the usual way", p.Lock.Expr)
		}
	}
	for i, n := range nodes {
		sel := methodOf(n)
		if !usual(sel) { // a helper, which knows one side only
			if err := p.m.Recall(p.e.File, n, p.Lock, method(i, read)); err != nil {
				return err
			}
		} else if read {
			sel.Sel.Name = "R" + sel.Sel.Name
		} else {
			sel.Sel.Name = strings.TrimPrefix(sel.Sel.Name, "R")
		}
	}
	return nil
}

// calls are the statements of the edited tree that acquire and release the lock.
func (p *Section) calls() ([]dst.Stmt, error) {
	all := append([]ast.Stmt{p.Acquire}, p.Releases...)
	if p.InLiteral != nil {
		all = []ast.Stmt{p.Acquire, p.InLiteral}
	}
	var nodes []dst.Stmt
	for _, s := range all {
		n, err := p.Node(s)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// Relock makes the section one of another lock, or of its read side.
func (p *Section) Relock(l analysis.Lock, read bool) error {
	nodes, err := p.calls()
	if err != nil {
		return err
	}
	for i, n := range nodes {
		if methodOf(n) == nil {
			return mutate.Refuse(p.e, "%s is not released in the usual way", p.Lock.Expr)
		}
		if err := p.m.Recall(p.e.File, n, l, method(i, read)); err != nil {
			return err
		}
	}
	return nil
}

// usual reports whether a call of a section is one of the lock itself, not of a helper that makes that call.
func usual(sel *dst.SelectorExpr) bool {
	switch sel.Sel.Name {
	case "Lock", "Unlock", "RLock", "RUnlock":
		return true
	}
	return false
}

// method is the lock's method that the call with a number makes: the first one takes the lock, the others release it.
func method(at int, read bool) string {
	name := "Unlock"
	if at == 0 {
		name = "Lock"
	}
	if read {
		name = "R" + name
	}
	return name
}

// methodOf is the method that a statement calls, at once or deferred; nil if
// it is no such call.
func methodOf(s dst.Stmt) *dst.SelectorExpr {
	if call := tree.CallOf(s); call != nil {
		sel, _ := call.Fun.(*dst.SelectorExpr)
		return sel
	}
	return nil
}

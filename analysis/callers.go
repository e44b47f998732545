package analysis

import (
	"go/ast"
	"go/token"
)

// A CallSite is a place of the module at which a function may be called in its
// caller's goroutine.
type CallSite struct {
	Caller ast.Node  // the declaration or literal that calls
	Lparen token.Pos // of the call; of a loop over a function, where the loop begins
}

// Callers lists the places at which a declaration or literal may be called, in
// source order. It is the other side of [Program.Callees].
func (p *Program) Callers(fn ast.Node) []CallSite {
	to := p.index().byNode[fn]
	if to == nil {
		return nil
	}
	var sites []CallSite
	for _, e := range p.calls().in[to] {
		if !e.spawn {
			sites = append(sites, CallSite{e.from.node, e.pos})
		}
	}
	return sites
}

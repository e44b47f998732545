package localize

import (
	"fmt"
	"go/ast"
	"strings"

	"mendel/analysis/evidence"
)

// A route is a call by which a place was reached: how often with the lock, and how
// often without, and how far away the call is.
type route struct {
	with, without int
	depth         int // 1: of the function of the place
}

// came notes the calls that led to an access.
func (g *guarding) came(a access, guarded bool) {
	if g.routes == nil {
		g.routes = map[site]*route{}
	}
	seen := map[site]bool{a.at: true}
	for depth, frame := range a.stack {
		at := siteOf(frame)
		if seen[at] {
			continue
		}
		seen[at] = true
		r := g.routes[at]
		if r == nil {
			r = &route{depth: depth}
			g.routes[at] = r
		}
		r.depth = min(r.depth, depth)
		if guarded {
			r.with++
		} else {
			r.without++
		}
	}
}

// unlockedCalls are the calls by which a place is reached without the lock, where
// others reach it with the lock: of those that never hold it the nearest ones.
func (x *examiner) unlockedCalls(s suspect, g *guarding) []suspect {
	if g.guarded == g.total {
		return nil
	}
	if g.guarded == 0 {
		return x.exportedCallers(s, g)
	}
	nearest := 0
	for at, r := range g.routes {
		if r.with == 0 && x.src.inside(at) && !x.src.test(at) && (nearest == 0 || r.depth < nearest) {
			nearest = r.depth
		}
	}
	var list []suspect
	for _, at := range keyed(g.routes) {
		if r := g.routes[at]; r.with == 0 && r.depth == nearest && nearest > 0 && x.src.inside(at) && !x.src.test(at) {
			call := s
			call.at, call.does, call.score, call.fault = at, "call", callsUnlocked, evidence.MissingLock
			call.partner, call.partnerDoes = s.at, s.does
			call.says = fmt.Sprintf("calls what %ss %s at %s without the lock that other callers hold", s.does, s.variable, x.src.rel(s.at))
			list = append(list, call)
		}
	}
	return list
}

// exportedCallers are the calls by which exported functions reach a place in one that is
// not, where it is never reached with the lock that other places hold: it is for the
// former to lock, as a rule. They come behind the place, unless several failures lead to
// them.
func (x *examiner) exportedCallers(s suspect, g *guarding) []suspect {
	if s.fault != evidence.MissingLock || ast.IsExported(lastName(x.src.function(s.at, ""))) {
		return nil
	}
	var list []suspect
	for _, at := range keyed(g.routes) {
		if !x.src.inside(at) || x.src.test(at) || !ast.IsExported(lastName(x.src.function(at, ""))) {
			continue
		}
		call := s
		call.at, call.does, call.score = at, "call", s.score*exportedCaller
		call.partner, call.partnerDoes = s.at, s.does
		call.says = fmt.Sprintf("calls what %ss %s at %s, without the lock that other places hold", s.does, s.variable, x.src.rel(s.at))
		list = append(list, call)
	}
	return list
}

// lastName is the name of a function without its receiver.
func lastName(function string) string { return function[strings.LastIndexByte(function, '.')+1:] }

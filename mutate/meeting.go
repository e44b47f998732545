package mutate

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"mendel/analysis/syntax"
)

// meeting are the functions that meet one with heat at a channel or a condition
// variable or put several of them together, and those among them that do so with one which a failure names.
func (s *Space) meeting() (near, nearNamed map[*Function]bool) {
	hot, named := make(map[*Function]bool), make(map[*Function]bool)
	for _, list := range s.functions {
		for _, fn := range list {
			if fn.heat() > 0 {
				hot[fn] = true
				if fn.named() {
					named[fn] = true
				}
			}
		}
	}
	return s.meetingOf(hot), s.meetingOf(named)
}

func (s *Space) meetingOf(hot map[*Function]bool) map[*Function]bool {
	near := make(map[*Function]bool)
	s.nearChannels(near, hot)
	s.nearConditions(near, hot)
	nearSections(near, hot)
	return near
}

// nearChannels adds the functions that operate on a channel which a function
// with heat operates on, too: a sender waits for what its receivers do.
func (s *Space) nearChannels(near, hot map[*Function]bool) {
	for _, c := range s.channels().All() {
		uses := c.Uses()
		if !slices.ContainsFunc(uses, func(u ChannelUse) bool { return hot[u.Fn] }) {
			continue
		}
		for _, u := range uses {
			if u.Fn != nil {
				near[u.Fn] = true
			}
		}
	}
}

// nearSections adds the functions that call functions with heat whose sections are of one lock, several or one
// several times: each call may be right by itself, and what comes between two of them wrong.
func nearSections(near, hot map[*Function]bool) {
	type combined struct {
		by   *Function
		lock string
	}
	calls := make(map[combined]int)
	for fn := range hot {
		locks := make(map[string]bool)
		for _, s := range fn.Sections() {
			locks[s.Lock.Key] = true
		}
		if len(locks) == 0 {
			continue
		}
		for _, from := range fn.Callers() {
			if from.File.Test {
				continue
			}
			for _, c := range from.Calls(from.Body.List...) {
				if c.To != fn {
					continue
				}
				for key := range locks {
					calls[combined{from, key}]++
				}
			}
		}
	}
	for c, n := range calls {
		if n > 1 {
			near[c.by] = true
		}
	}
}

// nearConditions adds the functions that use a condition variable which a function
// with heat uses, too: who waits for it is woken by the others.
func (s *Space) nearConditions(near, hot map[*Function]bool) {
	met := make(map[*types.Var]bool)
	for fn := range hot {
		maps.Insert(met, maps.All(conditions.Of(fn)))
	}
	if len(met) == 0 {
		return
	}
	for _, list := range s.functions {
		for _, fn := range list {
			for v := range conditions.Of(fn) {
				if met[v] {
					near[fn] = true
				}
			}
		}
	}
}

// conditions are the condition variables, fields included, whose methods a function
// calls by their name.
var conditions = NewFact(func(fn *Function) map[*types.Var]bool {
	found := make(map[*types.Var]bool)
	syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		if sel := syntax.MethodOf(fn.File.Package.Info, call, "*sync.Cond"); sel != nil {
			if v := syntax.Variable(fn.File.Package.Info, sel.X); v != nil {
				found[v.Origin()] = true
			}
		}
	})
	return found
})

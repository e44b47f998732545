package locks

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"mendel/analysis/syntax"
)

// A channelUses is where a channel is sent to and closed.
type channelUses struct{ sends, closes []Use }

// channelsOf are the uses of channels among those of all variables, by key.
func channelsOf(byKey map[string][]Use) map[string]*channelUses {
	found := make(map[string]*channelUses)
	places := make(map[*Func]map[ast.Expr]token.Token)
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		for _, u := range byKey[key] {
			if !isChannel(u) {
				continue
			}
			if places[u.In] == nil {
				places[u.In] = sentOrClosed(u.In)
			}
			what, ok := places[u.In][ast.Unparen(u.At)]
			if !ok {
				continue
			}
			if found[key] == nil {
				found[key] = &channelUses{}
			}
			if what == token.ARROW {
				found[key].sends = append(found[key].sends, u)
			} else {
				found[key].closes = append(found[key].closes, u)
			}
		}
	}
	return found
}

func isChannel(u Use) bool {
	t := u.In.info().TypeOf(u.At)
	return t != nil && isChan(t)
}

// sentOrClosed are the channels that a function's own text sends to (ARROW) or closes.
func sentOrClosed(fn *Func) map[ast.Expr]token.Token {
	found := make(map[ast.Expr]token.Token)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SendStmt:
			found[ast.Unparen(n.Chan)] = token.ARROW
		case *ast.CallExpr:
			if syntax.Builtin(fn.info(), n) == "close" && len(n.Args) == 1 {
				found[ast.Unparen(n.Args[0])] = token.ILLEGAL
			}
		}
		return true
	})
	return found
}

// closing finds sends that have left the lock under which their channel is closed, where all were under it: it may
// be closed before they have sent. Whoever closes may wait for them instead.
func (c *comparison) closing() {
	was, now := channelsOf(c.was), channelsOf(c.now)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		before, after := was[key], now[key]
		if before == nil || len(before.sends) == 0 || len(before.closes) == 0 || len(after.closes) == 0 {
			continue
		}
		common := c.before.inAll(slices.Concat(before.sends, before.closes))
		if len(common) == 0 {
			continue
		}
		kept := c.after.inAll(after.closes)
		for _, send := range after.sends {
			locks := c.after.locksAt(send)
			if slices.ContainsFunc(kept, func(k string) bool { return slices.Contains(locks, k) }) || awaited(send, after.closes) || recovers(send.In) {
				continue
			}
			c.report(ClosedUnder, send, "%s is sent to without %s, under which it is closed: it may be closed by then", send.Name, shortKey(common[0]))
		}
	}
}

// inAll are the locks that are held at all of some uses.
func (m *View) inAll(uses []Use) (keys []string) {
	for i, u := range uses {
		locks := m.locksAt(u)
		if i == 0 {
			keys = locks
		}
		keys = slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return !slices.Contains(locks, k) })
	}
	return keys
}

// awaited reports whether each close waits, before it, for a wait group to which a send's function adds.
func awaited(send Use, closes []Use) bool {
	adds := groups(send.In, "Add", send.At.Pos())
	return !slices.ContainsFunc(closes, func(u Use) bool {
		waits := groups(u.In, "Wait", u.At.Pos())
		return !slices.ContainsFunc(waits, func(g *types.Var) bool { return slices.Contains(adds, g) })
	})
}

// groups are the wait groups, by the field or variable, of which a function calls a method before a place.
func groups(fn *Func, method string, before token.Pos) (found []*types.Var) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() > before {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != method {
			return true
		}
		if f := syntax.Callee(fn.info(), call.Fun); f != nil && f.FullName() == "(*sync.WaitGroup)."+method {
			if v := syntax.Variable(fn.info(), sel.X); v != nil {
				found = append(found, v.Origin())
			}
		}
		return true
	})
	return found
}

// recovers reports whether a function has a call that recovers from a panic of its own.
func recovers(fn *Func) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && syntax.Builtin(fn.info(), call) == "recover"
	})
}

package changes

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/guards"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/waits"
	"mendel/analysis/syntax"
)

// A channelUses is where a channel is sent to and closed.
type channelUses struct{ sends, closes []access.Use }

// channelsOf are the uses of channels among those of all variables, by key.
func channelsOf(byKey map[string][]access.Use) map[string]*channelUses {
	found := make(map[string]*channelUses)
	places := make(map[*program.Func]map[ast.Expr]token.Token)
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

func isChannel(u access.Use) bool {
	t := u.In.Info().TypeOf(u.At)
	return t != nil && waits.IsChan(t)
}

// sentOrClosed are the channels that a function's own text sends to (ARROW) or closes.
func sentOrClosed(fn *program.Func) map[ast.Expr]token.Token {
	found := make(map[ast.Expr]token.Token)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SendStmt:
			found[ast.Unparen(n.Chan)] = token.ARROW
		case *ast.CallExpr:
			if syntax.Builtin(fn.Info(), n) == "close" && len(n.Args) == 1 {
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
		common := inAll(c.before, slices.Concat(before.sends, before.closes))
		if len(common) == 0 {
			continue
		}
		kept := inAll(c.after, after.closes)
		for _, send := range after.sends {
			locks := guards.LocksHeld(c.after, send)
			if slices.ContainsFunc(kept, func(k string) bool { return slices.Contains(locks, k) }) || awaited(send, after.closes) || recovers(send.In) {
				continue
			}
			c.report(ClosedUnder, send, "%s is sent to without %s, under which it is closed: it may be closed by then", send.Name, shortKey(common[0]))
		}
	}
}

// inAll are the locks that are held at all of some uses.
func inAll(m *locks.View, uses []access.Use) (keys []string) {
	for i, u := range uses {
		locks := guards.LocksHeld(m, u)
		if i == 0 {
			keys = locks
		}
		keys = slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return !slices.Contains(locks, k) })
	}
	return keys
}

// awaited reports whether each close waits, before it, for a wait group to which a send's function adds.
func awaited(send access.Use, closes []access.Use) bool {
	adds := groups(send.In, "Add", send.At.Pos())
	return !slices.ContainsFunc(closes, func(u access.Use) bool {
		waits := groups(u.In, "Wait", u.At.Pos())
		return !slices.ContainsFunc(waits, func(g *types.Var) bool { return slices.Contains(adds, g) })
	})
}

// groups are the wait groups, by the field or variable, of which a function calls a method before a place.
func groups(fn *program.Func, method string, before token.Pos) (found []*types.Var) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() > before {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != method {
			return true
		}
		if f := syntax.Callee(fn.Info(), call.Fun); f != nil && f.FullName() == "(*sync.WaitGroup)."+method {
			if v := syntax.Variable(fn.Info(), sel.X); v != nil {
				found = append(found, v.Origin())
			}
		}
		return true
	})
	return found
}

// recovers reports whether a function has a call that recovers from a panic of its own.
func recovers(fn *program.Func) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && syntax.Builtin(fn.Info(), call) == "recover"
	})
}

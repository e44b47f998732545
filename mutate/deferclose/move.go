package deferclose

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/syncops"
)

// restarts is what an edit keeps of its belief where users of the package might run the
// function again for the same channel. Chosen, not measured.
const restarts = 0.6

// A closing is a channel that a function closes on some of its paths only.
type closing struct {
	syncops.Named
	calls syncops.Given // the statements that close it
}

// skippedCloses lists the closes of a function that some way out of it skips, a panic that
// it recovers among them, and that can be deferred.
func skippedCloses(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, c := range closings(fn) {
		once, again := closesOnce(fn, c.Named)
		behind, ok := syncops.Since(fn, c.Expr)
		if !once || !ok || !c.calls.Missed(fn) && !recovers(fn) || !c.last(fn, behind) || !removable(fn, c.calls) {
			continue
		}
		e := edit(fn, formMove, c.calls[0].Stmt, behind, c.Named)
		e.Group = fn.File.Rel + " " + fn.Name
		if again {
			e.Doubt(restarts)
		}
		out = append(out, e)
	}
	return out
}

// closings lists the channels that a function, and nobody else, closes without deferring
// it, in source order.
func closings(fn *mutate.Function) []*closing {
	var found []*closing
	at := make(map[mutate.Path]*closing)
	for _, st := range fn.Statements() {
		op, ok := syncops.Of(fn, st.Stmt)
		if _, plain := st.Stmt.(*ast.ExprStmt); !ok || !plain || op.Kind != syncops.Close {
			continue
		}
		p, ch := fn.Path(op.On), fn.Channel(op.On)
		if p.Root == nil || ch == nil {
			continue
		}
		if at[p] == nil {
			at[p] = &closing{Named: syncops.Named{Channel: ch, Expr: op.On, Text: types.ExprString(op.On)}}
			found = append(found, at[p])
		}
		at[p].calls = append(at[p].calls, st)
	}
	return slices.DeleteFunc(found, func(c *closing) bool { // two channels may be taken for one
		return slices.ContainsFunc(c.Closes, func(u mutate.ChannelUse) bool {
			return !slices.ContainsFunc(found, func(c *closing) bool {
				return slices.ContainsFunc(c.calls, func(st mutate.Statement) bool { return st.Stmt == u.Stmt })
			})
		})
	})
}

// closesOnce reports whether a function may close a channel each time it ends: it does
// not run again for the same one. again: users of the package might run it so.
func closesOnce(fn *mutate.Function, ch syncops.Named) (once, again bool) {
	if len(syncops.In(fn, ch.Makes)) > 0 {
		return true, false
	}
	if once, again = syncops.Once(fn, fn.Path(ch.Expr)); !once || !fn.Started() && !syncops.Produces(fn, ch.Channel) {
		return false, false // who does not send may find it closed
	}
	// Who sends behind the call would panic.
	return !slices.ContainsFunc(ch.Sends, func(u mutate.ChannelUse) bool {
		return u.Fn != nil && slices.Contains(fn.Callers(), u.Fn)
	}), again
}

// sendsAlone reports whether all sends to a channel are in a function or in others that
// only it calls.
func sendsAlone(fn *mutate.Function, ch syncops.Named) bool {
	return !slices.ContainsFunc(ch.Sends, func(u mutate.ChannelUse) bool { return !syncops.For(fn, u) })
}

// recovers reports whether a function defers a literal that recovers.
func recovers(fn *mutate.Function) bool {
	return slices.ContainsFunc(fn.Statements(), func(st mutate.Statement) bool {
		d, ok := st.Stmt.(*ast.DeferStmt)
		if !ok {
			return false
		}
		lit, ok := d.Call.Fun.(*ast.FuncLit)
		return ok && syntax.Any(lit.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			return ok && syntax.Builtin(fn.File.Package.Info, call) == "recover"
		})
	})
}

// lastSend is the last statement of a function's body in which it sends, or calls who
// sends for it; waits says that the function may wait for others behind it.
func lastSend(fn *mutate.Function, ch syncops.Named) (sent ast.Stmt, waits bool) {
	for _, s := range fn.Body.List {
		sends := slices.ContainsFunc(ch.Sends, func(u mutate.ChannelUse) bool {
			return u.Fn == fn && syntax.Within(u.Node, s) || u.Fn != fn && slices.ContainsFunc(fn.Calls(s), func(c mutate.Call) bool { return syncops.For(c.To, u) })
		})
		switch {
		case sends:
			sent, waits = s, false
		case sent != nil:
			waits = waits || waitsIn(fn, s)
		}
	}
	return sent, waits
}

// last reports whether nothing that may wait is behind a close: it would wait for who
// waits for the close, if that were deferred. The deferred call stands behind a statement,
// if there is one.
func (c *closing) last(fn *mutate.Function, behind ast.Stmt) bool {
	return !slices.ContainsFunc(c.calls, func(st mutate.Statement) bool {
		rest, ok := syncops.Behind(fn, st)
		return !ok || behind != nil && st.Stmt.Pos() < behind.Pos() || slices.ContainsFunc(rest, func(s ast.Stmt) bool { return waitsIn(fn, s) })
	})
}

// waitsIn reports whether a statement may wait for another goroutine.
func waitsIn(fn *mutate.Function, s ast.Stmt) (found bool) {
	syntax.Now(s, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || fn.MayWait(n)
		case *ast.SendStmt, *ast.SelectStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.RangeStmt:
			found = found || syncops.IsChan(fn, n.X)
		}
	})
	return found
}

// removable reports whether closes can be taken out: none of them is alone in an if whose
// condition does something.
func removable(fn *mutate.Function, calls syncops.Given) bool {
	return !slices.ContainsFunc(calls, func(st mutate.Statement) bool {
		if len(st.List) > 1 {
			return false
		}
		around, ok := emptied(fn, st)
		return ok && around == nil
	})
}

// emptied is the if that has nothing to do without a close, ok; nil if it must stay.
func emptied(fn *mutate.Function, st mutate.Statement) (around *ast.IfStmt, ok bool) {
	for _, outer := range fn.Statements() {
		s, is := outer.Stmt.(*ast.IfStmt)
		if !is || ast.Node(s.Body) != st.Owner {
			continue
		}
		if s.Else != nil || s.Init != nil || acts(s.Cond) {
			return nil, true
		}
		return s, true
	}
	return nil, false
}

// acts reports whether an expression may do more than have a value.
func acts(e ast.Expr) bool {
	return syntax.Any(e, func(n ast.Node) bool {
		u, unary := n.(*ast.UnaryExpr)
		_, call := n.(*ast.CallExpr)
		return call || unary && u.Op == token.ARROW
	})
}

// move takes the closes out and defers one.
func move(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no function around the place")
	}
	for _, c := range closings(fn) {
		if c.Text != e.Expr {
			continue
		}
		for _, st := range c.calls {
			var gone dst.Stmt = m.StmtOf(e.File, st.Stmt)
			if around, ok := emptied(fn, st); ok && len(st.List) == 1 {
				gone = m.StmtOf(e.File, around)
			}
			if err := m.Remove(e.File, gone); err != nil {
				return err
			}
		}
		return syncops.InsertSince(m, e, "defer close("+e.Expr+")")
	}
	return mutate.Refuse(e, "there is no close")
}

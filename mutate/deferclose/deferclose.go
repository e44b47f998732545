package deferclose

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/syncops"
)

//go:embed doc.go
var doc string

// Operator closes a channel that receivers wait to see closed.
var Operator = &mutate.Operator{
	Name: "deferclose",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Blocked: 4, evidence.Deadlock: 4, evidence.Timeout: 3,
		evidence.Race: 0.2, evidence.Panic: 0.5, evidence.TestFailure: 0.5,
	},
	Faults: []evidence.Fault{evidence.ReceiverAlone},
	Needs:  "channel that is made or sent to here, ranged over elsewhere, and not closed on every path",
	Edits:  edits,
	Apply:  apply,
}

// The ways to close, as Edit.Form.
const (
	formMove      = "move"
	formSend      = "send"
	formSender    = "sender"
	formSent      = "sent"
	formSignal    = "signal"
	formMaker     = "maker"
	formWait      = "wait"
	formGoroutine = "goroutine"
	formOwner     = "owner"
)

func edits(fn *mutate.Function) []mutate.Edit {
	out := append(skipped(fn), skippedCloses(fn)...)
	for _, ch := range syncops.Reachable(fn) {
		if len(ch.Closes) > 0 || ch.Escapes || len(ch.Receives)+len(ch.Ranges) == 0 {
			continue
		}
		switch {
		case len(ch.Sends) > 0:
			if !untilClosed(ch) {
				continue
			}
			if e, ok := bySender(fn, ch); ok {
				out = append(out, e)
			}
			out = append(out, byWaiter(fn, ch)...)
		default:
			if e, ok := bySignal(fn, ch); ok {
				out = append(out, e)
			}
		}
	}
	return append(out, byOwner(fn)...)
}

// untilClosed reports whether somebody receives again and again.
func untilClosed(ch syncops.Named) bool {
	return len(ch.Ranges) > 0 || slices.ContainsFunc(ch.Receives, func(u mutate.ChannelUse) bool { return u.Loop })
}

// skipped lists the last sends of a goroutine that an exit skips.
func skipped(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for i, s := range fn.Body.List {
		send, ok := s.(*ast.SendStmt)
		if !ok || !fn.Started() || !syntax.Constant(fn.File.Package.Info, send.Value) || len(exits.Of(fn, fn.Body.List[:i]...)) == 0 {
			continue
		}
		ch := fn.Channel(send.Chan)
		behind, ok := syncops.Since(fn, send.Chan)
		if ch == nil || !ok || len(syncops.In(fn, ch.Sends)) != 1 {
			continue // what signals before it leaves must not do so again
		}
		e := edit(fn, formSend, s, behind, syncops.Named{Channel: ch, Expr: send.Chan, Text: types.ExprString(send.Chan)})
		e.Expr += " <- " + types.ExprString(send.Value)
		out = append(out, e)
	}
	return out
}

// bySender is the edit that lets the only sender close.
func bySender(fn *mutate.Function, ch syncops.Named) (mutate.Edit, bool) {
	once, again := closesOnce(fn, ch)
	if !once || again || !sendsAlone(fn, ch) {
		return mutate.Edit{}, false // what others may call sends one value of many
	}
	sent, waits := lastSend(fn, ch)
	if waits { // a deferred close would come too late
		return edit(fn, formSent, sent, sent, ch), scope.Means(fn, ch.Expr, sent.End()) && !exits.Terminates(fn, sent)
	}
	behind, ok := syncops.Since(fn, ch.Expr)
	return edit(fn, formSender, fn.Node, behind, ch), ok
}

// bySignal is the edit that closes a channel nobody sends on when a goroutine
// ends, or what made it returns.
func bySignal(fn *mutate.Function, ch syncops.Named) (mutate.Edit, bool) {
	if len(syncops.In(fn, ch.Receives))+len(syncops.In(fn, ch.Ranges)) > 0 {
		return mutate.Edit{}, false
	}
	behind, ok := syncops.Since(fn, ch.Expr)
	if !ok {
		return mutate.Edit{}, false
	}
	makes := syncops.In(fn, ch.Makes)
	switch {
	case len(makes) == 0 && fn.Started() && !syncops.StartedInLoop(fn):
		return edit(fn, formSignal, fn.Node, behind, ch), true
	case len(makes) == 1 && behind != nil && stays(fn, ch):
		return edit(fn, formMaker, behind, behind, ch), true
	}
	return mutate.Edit{}, false
}

// stays reports whether a channel is a variable of the function that is neither
// returned nor part of what may be.
func stays(fn *mutate.Function, ch syncops.Named) bool {
	root := fn.Path(ch.Expr).Root
	if _, variable := ch.Expr.(*ast.Ident); !variable {
		return false
	}
	stays := true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt, *ast.CompositeLit:
			ast.Inspect(n, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				stays = stays && !(ok && fn.File.Package.Info.Uses[id] == root)
				_, literal := n.(*ast.FuncLit)
				return !literal
			})
		case *ast.AssignStmt:
			for _, r := range n.Rhs {
				stays = stays && fn.Path(r).Root != root
			}
		}
		return stays
	})
	return stays
}

// byWaiter lists the edits that close behind a wait of the function for goroutines that send.
func byWaiter(fn *mutate.Function, ch syncops.Named) []mutate.Edit {
	for _, u := range ch.Sends {
		if u.Fn == nil || u.Fn.Node == fn.Node || !u.Fn.Started() {
			return nil
		}
	}
	var out []mutate.Edit
	for _, st := range fn.Statements() {
		op, ok := syncops.Of(fn, st.Stmt)
		if _, plain := st.Stmt.(*ast.ExprStmt); !ok || !plain || op.Kind != syncops.Wait || fn.Loops(st.Stmt) || !scope.Means(fn, ch.Expr, st.Stmt.Pos()) {
			continue
		}
		own := slices.Concat(syncops.In(fn, ch.Ranges), syncops.In(fn, ch.Receives))
		if len(own) == 0 {
			out = append(out, edit(fn, formWait, st.Stmt, st.Stmt, ch))
			continue
		}
		before := st.Stmt // the first of what receives and waits, in the same list
		for _, s := range st.List {
			if s.Pos() < before.Pos() && s.Pos() <= own[0].Node.Pos() && own[0].Node.End() <= s.End() {
				before = s
			}
		}
		e := edit(fn, formGoroutine, st.Stmt, before, ch)
		e.Expr = types.ExprString(op.On) + ".Wait()\n\tclose(" + ch.Text + ")"
		if scope.Means(fn, op.On, before.Pos()) && scope.Means(fn, ch.Expr, before.Pos()) {
			out = append(out, e)
		}
	}
	return out
}

// edit makes an edit, hot if receivers of the channel wait.
func edit(fn *mutate.Function, form string, at ast.Node, behind ast.Stmt, ch syncops.Named) mutate.Edit {
	e := fn.NewEdit("deferclose", at)
	e.Form, e.Expr = form, ch.Text
	if behind != nil {
		e.Other = fn.ID(behind)
	}
	e.Heat = syncops.Heat(fn, e.Heat, slices.Concat(ch.Receives, ch.Ranges)...)
	return e
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	switch e.Form {
	case formMove:
		return move(m, e)
	case formSend:
		if err := m.Remove(e.File, m.Stmt(e.File, e.Node)); err != nil {
			return err
		}
		return syncops.InsertSince(m, e, "defer func() { "+e.Expr+" }()")
	case formWait, formSent:
		return syncops.InsertSince(m, e, "close("+e.Expr+")")
	case formGoroutine:
		return goroutine(m, e)
	case formOwner:
		return m.InsertSnippet(e.File, m.Stmt(e.File, e.Node), false, "close("+e.Expr+")")
	}
	return syncops.InsertSince(m, e, "defer close("+e.Expr+")")
}

// goroutine lets a goroutine wait for the senders and close, in the place of the
// wait or in front of what receives.
func goroutine(m *mutate.Mutation, e mutate.Edit) error {
	wait := m.Stmt(e.File, e.Node)
	if err := m.InsertSnippet(e.File, m.Stmt(e.File, e.Other), false, "go func() {\n\t"+e.Expr+"\n}()"); err != nil {
		return err
	}
	if e.Node == e.Other {
		if err := m.Remove(e.File, wait); err != nil {
			return err
		}
	}
	return nil
}

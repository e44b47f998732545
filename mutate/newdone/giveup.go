package newdone

import (
	"go/ast"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/internal/chanwait"
	"mendel/mutate/internal/syncops"
)

// A wrap is an operation of a goroutine that is given up, and the way to go on then.
type wrap struct {
	fn  *mutate.Function
	op  chanwait.Op
	way string
}

// giveUps finds the operations at which a goroutine may wait for ever when the readers
// have returned, and how each goes on; false if there are none, or one cannot be given up.
func (p *pipeline) giveUps(end chanwait.End) bool {
	p.wraps = nil
	own := p.channels()
	for _, receives := range []bool{false, true} { // what sends decides what is closed
		for _, body := range p.bodies {
			for _, op := range chanwait.Ops(body) {
				if sendsAny(op) == receives || !p.stays(body, op, own) {
					continue
				}
				ways := chanwait.Ways(body, op, end)
				if len(ways) == 0 || !chanwait.Can(body, op) {
					return false
				}
				p.wraps = append(p.wraps, wrap{body, op, preferred(body, op, ways)})
			}
		}
	}
	return len(p.wraps) > 0 && p.complete(own)
}

// complete reports whether no goroutine waits at one of the channels in the middle of a
// statement, where it cannot give up.
func (p *pipeline) complete(own []*mutate.Channel) bool {
	for _, c := range own {
		ended := slices.ContainsFunc(c.Closes, p.surely)
		for _, u := range slices.Concat(c.Sends, c.Receives, c.Ranges) {
			body := p.around(u)
			_, send := u.Node.(*ast.SendStmt)
			if !slices.Contains(p.bodies, body) || !send && ended || send && fits(c) {
				continue
			}
			if !slices.ContainsFunc(chanwait.Ops(body), func(op chanwait.Op) bool { return slices.Contains(op.Chan, u.Expr) }) {
				return false
			}
		}
	}
	return true
}

// sendsAny reports whether an operation sends to one of its channels.
func sendsAny(op chanwait.Op) bool {
	return slices.ContainsFunc(op.Chan, func(e ast.Expr) bool { return sends(op, e) })
}

// stays reports whether a goroutine may stay at an operation when the readers have
// returned: all its channels are the pipeline's own, and nothing else lets it go on.
func (p *pipeline) stays(body *mutate.Function, op chanwait.Op, own []*mutate.Channel) bool {
	for _, e := range op.Chan {
		c := body.Channel(e)
		switch {
		case !slices.Contains(own, c):
			return false
		case sends(op, e) && fits(c):
			return false
		case !sends(op, e) && slices.ContainsFunc(c.Closes, p.surely):
			return false
		}
	}
	return true
}

// fits reports whether a channel has room for all that is ever sent to it. A room that is
// no constant is believed to be for one value of each goroutine.
func fits(c *mutate.Channel) bool {
	room := int64(-1)
	for _, u := range c.Makes {
		if u.Fn == nil {
			return false
		}
		room = chanwait.Capacity(u.Fn, u.Node.(*ast.CallExpr))
		if room == 0 || len(c.Makes) > 1 {
			return false
		}
	}
	sent := int64(0)
	for i, u := range c.Sends {
		if u.Fn == nil {
			return false
		}
		if i > 0 && c.Sends[i-1].Fn == u.Fn {
			continue
		}
		n := sendsOnce(u.Fn, syncops.In(u.Fn, c.Sends))
		if n > 1 && room < 0 || n == 0 || room > 0 && syncops.StartedInLoop(u.Fn) {
			return false
		}
		sent += n
	}
	return room < 0 || sent <= room
}

// sendsOnce is how often one run of a function sends at most, 0 for any number. Sends
// behind which it returns at once exclude each other, and those that come later.
func sendsOnce(fn *mutate.Function, uses []mutate.ChannelUse) (n int64) {
	late := false // one of those comes behind another send
	for _, u := range uses {
		st := mutate.Innermost(fn.Statements(), u.Node)
		leaves := st.List != nil && st.Index+1 < len(st.List) && exits.Terminates(fn, st.List[len(st.List)-1])
		switch {
		case !leaves && fn.Loops(u.Node):
			return 0
		case !leaves:
			n++
		case n > 0 && !late:
			n, late = n+1, true
		}
	}
	return max(n, 1)
}

// surely reports whether a close is reached however the readers return.
func (p *pipeline) surely(u mutate.ChannelUse) bool {
	fn := p.around(u)
	if fn == nil {
		return false
	}
	for i, s := range fn.Body.List {
		if !syntax.Within(u.Node, s) {
			continue
		}
		switch s.(type) {
		case *ast.DeferStmt:
			return true
		case *ast.ExprStmt:
			return slices.Contains(p.bodies, fn) && len(exits.Of(fn, fn.Body.List[:i]...)) == 0 &&
				!slices.ContainsFunc(p.wraps, func(w wrap) bool { return w.fn == fn && !w.goesOn() })
		}
	}
	return false
}

// goesOn reports whether the function goes on to what is behind the statement of its body.
func (w *wrap) goesOn() bool {
	loop := w.op.Loop(w.fn)
	return w.way == chanwait.On && loop == nil || w.way == chanwait.Break && slices.Contains(w.fn.Body.List, loop)
}

// preferred is the likeliest way, or one that leads to the signals which the goroutine
// gives at its end. Where it returns anyway it goes on.
func preferred(body *mutate.Function, op chanwait.Op, ways []string) string {
	if rest := op.Stmt.List[op.Stmt.Index+1:]; len(rest) > 0 && !op.Gives() {
		if ret, ok := rest[0].(*ast.ReturnStmt); ok && len(ret.Results) == 0 {
			return chanwait.On
		}
	}
	if slices.Contains(ways, chanwait.Break) && slices.ContainsFunc(body.Body.List, func(s ast.Stmt) bool {
		o, ok := syncops.Of(body, s)
		_, deferred := s.(*ast.DeferStmt)
		return ok && !deferred && s.Pos() > op.At.End() && (o.Kind == syncops.Close || o.Kind == syncops.Done || o.Kind == syncops.Send)
	}) {
		return chanwait.Break
	}
	return ways[0]
}

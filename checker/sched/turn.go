package sched

import (
	"runtime"
	"strings"
	"time"
)

// A test may state in which order its goroutines pass some events (package order of
// Mendel). Passing one is an operation, enabled when its turn has come. So all schedules
// within the order are explored, and no others: a schedule in which the order cannot be
// kept comes to a point at which nothing can go on. It ends there as Unordered, which is
// no failure of the program.
//
// Turns of one order depend on each other, since one enables the other. Where the turn
// comes only while another goroutine is blocked, it depends on whatever others do. They
// make no happens-before edges: an order hides no race.
//
// An order that gives way lets a goroutine go on too early when nothing else can go on: any
// of those that wait, since each may have come first. That is an operation of its own
// (KindGiveWay), which comes after all that was done: no schedule has it earlier, unless
// another goroutine is blocked by other steps, which are compared with its operations
// themselves. Only those that wait for their turn, too, could have gone on in its place.

// A Turn is an event that is to be passed.
type Turn struct {
	Of   *Object     // the order's; nil: it depends on who is blocked
	What string      // "order.At(a)"
	Come func() bool // as Op.Enabled, if Of is not nil
	// Bars has the execution end as Unordered, if the turn does not come and nothing
	// can go on. Else goroutines that wait for it are blocked as others are.
	Bars bool
	// Yields has it come when nothing else can go on, before a timer that is due only after
	// so long a time; from now on, if the goroutines of the program wait for timers in
	// channels only, and if one sleeps.
	Yields        bool
	Quiet, Asleep time.Duration
	Lacks         func() string // what it waits for, for people

	given bool
}

// Given reports whether the turn came only because nothing else could go on.
func (t *Turn) Given() bool { return t.given }

// TakeTurn waits until a turn has come. The caller is under control.
func TakeTurn(t *Turn) {
	g := current()
	if g == nil || !g.scheduled() {
		return
	}
	x := g.x
	x.turns++
	x.time.turnAt = g.time.now
	op := Op{Kind: KindEvent, Obj: t.Of, Durable: true, What: t.What}
	if t.Come != nil {
		op.Enabled = func() bool { return t.given || t.Come() }
	}
	if t.Bars || t.Yields {
		g.turn = t
	}
	g.do(&op)
	g.turn = nil
	x.time.turnAt = g.time.now
	if t.given {
		x.giveWayTo(false, g.bubble)
	}
}

// A Passer is a goroutine that has passed an event.
type Passer struct{ g *goroutine }

// Passing returns the calling goroutine. Its stack is kept from now on, if it is asked
// where it is blocked.
func Passing(stack bool) Passer {
	g := current()
	if g != nil && stack {
		g.followed = true
	}
	return Passer{g}
}

// Blocked reports whether the program blocks the goroutine: at a channel, a lock, a
// condition variable, a wait group. Who waits for its turn or sleeps is not blocked.
func (p Passer) Blocked() bool {
	g := p.g
	if g == nil || g.away || g.fate.Load() != alive {
		return false
	}
	switch op := &g.pending; op.Kind {
	case KindEvent, KindGiveWay, KindSleep, KindIdle, KindReturn, KindExit:
		return false
	default:
		return op.Enabled != nil && !op.Enabled()
	}
}

// Rest notes that the goroutine has been seen blocked: so it has begun to wait, and a select
// with a default does not miss it.
func (p Passer) Rest() {
	g := current()
	if g == nil || p.g == nil {
		return
	}
	g.enter()
	p.g.rest()
	g.release()
}

// State says what the goroutine does, as the runtime would.
func (p Passer) State() string {
	switch {
	case p.g == nil || p.g.pending.Kind == KindExit:
		return "it has ended"
	case p.g.turn != nil:
		return "it waits for an event"
	}
	return p.g.state()
}

// Name is the goroutine's, see [Execution].
func (p Passer) Name() string {
	if p.g == nil {
		return ""
	}
	return p.g.x.name(p.g)
}

// Within reports whether a function that some other one accepts is on the stack of a
// goroutine that is blocked. Functions of replacements have the names of what they replace.
func (p Passer) Within(accept func(function string) bool) bool {
	if p.g == nil || len(p.g.position) == 0 {
		return false
	}
	frames := runtime.CallersFrames(p.g.position)
	for {
		frame, more := frames.Next()
		name := strings.TrimPrefix(frame.Function, home+"shim/")
		if !strings.HasPrefix(name, home) && accept(name) {
			return true
		}
		if !more {
			return false
		}
	}
}

// waitsInTurn is a goroutine that waits for its turn, in a bubble or outside of all, whose
// order bars, or yields; nil if there is none.
func (x *execution) waitsInTurn(in *Bubble, which func(*Turn) bool) *goroutine {
	if x.turns == 0 {
		return nil
	}
	for _, g := range x.alive {
		if t := g.turn; t != nil && !t.given && g.bubble == in && which(t) {
			return g
		}
	}
	return nil
}

func (t *Turn) bars() bool   { return t.Bars }
func (t *Turn) yields() bool { return t.Yields }

// giveWay lets goroutines go on that wait for their turn, in a bubble or outside of all,
// though it has not come: nothing else can go on before the clock comes to a moment that is
// too far away.
func (x *execution) giveWay(in *Bubble) bool {
	g := x.waitsInTurn(in, (*Turn).yields)
	if g == nil {
		return false
	}
	if c := x.clockOf(in); len(c.timers.heap) > 0 && x.worthwhile(g, c) {
		return false
	}
	x.giveWayTo(true, in)
	return true
}

// giveWayTo gives way to all that wait for their turn, or to none any more.
func (x *execution) giveWayTo(all bool, in *Bubble) {
	kind := KindEvent
	if all {
		kind = KindGiveWay
	}
	for _, g := range x.alive {
		if t := g.turn; t != nil && t.Yields && t.given != all && g.bubble == in {
			t.given = all
			g.pending.Kind, g.seen.Kind, g.copied = kind, kind, false
			if x.ready.keeping {
				x.reconsider(g)
			}
		}
	}
}

// worthwhile reports whether a goroutine whose order yields waits for the next timer.
func (x *execution) worthwhile(waits *goroutine, c *virtualClock) bool {
	when, ok := c.timers.earliest(x.time.fruitless > maxPassed)
	if !ok {
		return false
	}
	limit := waits.turn.Quiet
	for _, g := range x.alive {
		if g.pending.Kind == KindSleep && g.bubble == waits.bubble {
			limit = waits.turn.Asleep
		}
	}
	return when-x.time.turnAt <= limit
}

// unordered ends the execution if the order of the test keeps a goroutine waiting, in a
// bubble or outside of all, and reports whether it is over.
func (x *execution) unordered(in *Bubble) bool {
	if x.result.Failure != nil || x.waitsInTurn(in, (*Turn).bars) == nil {
		return false
	}
	if x.environment.shares != "" {
		x.failShared()
		return true
	}
	if stack := x.foreign(); stack != "" {
		x.fail(&Failure{Kind: Uncontrolled, Message: mayWake(stack)})
		return true
	}
	var waits []string
	for _, g := range x.alive {
		if t := g.turn; t != nil && t.Lacks != nil {
			waits = append(waits, t.What+" waits for "+t.Lacks())
		}
	}
	f := &Failure{Kind: Unordered, Message: "order: cannot be kept: " + strings.Join(waits, "; ") + "\n"}
	x.fail(f)
	if x.result.Failure == f {
		x.result.Spins = false
		x.blocked = append(x.blocked, x.inside()...)
	}
	return true
}

// takesTurn reports whether p is a turn whose order with another operation matters: any, if
// it depends on who is blocked, or gives way to all.
func (p *Pending) takesTurn(other *Pending) bool {
	switch {
	case p.Kind < KindEvent:
		return false
	case p.Kind == KindGiveWay || p.Obj == 0 || other.Kind == KindIdle:
		return true
	}
	return other.Obj == p.Obj
}

// alone reports whether p gives way, and so is enabled when another operation is not, unless
// that waits for its turn. See exclusiveInBubble.
func (p *Pending) alone(other *Pending) bool {
	return p.Kind == KindGiveWay && other.Kind < KindEvent && (p.Bubble == 0 || p.Bubble == other.Bubble)
}

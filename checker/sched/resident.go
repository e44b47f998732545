package sched

import (
	"slices"
	"sync/atomic"
)

// Goroutines that a program starts before its tests, in the initialisation of its
// packages or in TestMain, are there as long as the process: generators of
// numbers, workers of a default pool, servers. They, and what they start, are
// residents. A resident that waits where it waits without any test is idle, which
// is no failure of the test. One that waits elsewhere is blocked by the test.

// Residents says whether goroutines that goroutine 0 starts from now on are
// residents. It must be called by goroutine 0.
func Residents(on bool) {
	if g := current(); g != nil && g.id == 0 {
		g.x.residents = on
	}
}

// startedEarly is whether Early was ever called.
var startedEarly atomic.Bool

// StartedEarly reports whether the program has started goroutines outside any
// execution, as init functions do.
func StartedEarly() bool { return startedEarly.Load() }

// idle reports whether a blocked goroutine is a resident that waits for work.
func (x *execution) idle(g *goroutine, p *Place) bool {
	return g.resident && slices.ContainsFunc(x.options.Idle, func(q Place) bool {
		return p.What == q.What && p.File == q.File && p.Line == q.Line && slices.Equal(p.Stack, q.Stack)
	})
}

// A Standing goroutine waits in an operation (Place.What) of a function, the innermost of
// the program.
type Standing struct {
	What, Function string
}

// stands reports whether a blocked goroutine is one that the program leaves in any case.
func (x *execution) stands(p *Place) bool {
	in := p.Function
	if len(p.Stack) > 0 {
		in = p.Stack[0].Function
	}
	return slices.Contains(x.options.Standing, Standing{p.What, in})
}

// busy leaves those goroutines in x.blocked that are not idle and do not stand there anyway. If none is left,
// the test has not failed. It is called after teardown, when places are known.
func (x *execution) busy() {
	for _, g := range x.blocked {
		if !g.leaving.Load() && !g.adopted {
			g.position = nil // it never began, or was orphaned
		}
	}
	if x.result.Failure.Kind != Blocked || len(x.options.Idle)+len(x.options.Standing) == 0 {
		return
	}
	x.blocked = slices.DeleteFunc(x.blocked, func(g *goroutine) bool {
		p := x.place(g, g.pending.What)
		return x.idle(g, &p) || x.stands(&p)
	})
	if len(x.blocked) == 0 {
		x.result.Failure = nil
	}
}

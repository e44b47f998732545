package sched

import "slices"

// Goroutines that spin for ever keep an execution from coming to rest. While they
// do nothing but look, nothing changes, and who waits beside them waits for ever.

// stillSteps is how many steps in a row may do no more than look. Guessed: longer
// than loops that wait for others by counting.
const stillSteps = 20_000

// watchedSteps is for how many of them it is watched who could go on: a goroutine may
// hold a lock now and then in its loop. Guessed.
const watchedSteps = 1000

// spinning ends the execution if for long all steps were looks and no timer is set:
// with the failure of the goroutines that are blocked, or quietly after the test. Where
// a goroutine that could go on is not chosen nothing is known.
func (x *execution) spinning() bool {
	since := x.progress.rounds.step
	if len(x.time.clock.timers.heap) > 0 || x.environment.outside > 0 || len(x.alive) == 0 {
		return false
	}
	x.noteAble()
	if x.result.Steps-since < x.progress.watchTo || x.recorded() {
		return false
	}
	var blocked []*goroutine
	for _, g := range x.alive {
		if g.able < since+x.progress.watchFrom {
			blocked = append(blocked, g)
		}
	}
	ended := x.alive[0].id != 0
	if x.starves(since + x.progress.watchFrom) {
		x.result.Cut = x.result.Cut || ended
		return ended
	}
	if !ended && (len(blocked) == 0 || blocked[0].id != 0) {
		return false
	}
	x.result.Cut, x.result.Spins = true, true
	x.quiesce(blocked)
	if at := x.progress.rounds.event; x.options.Trace && at+stillShown < len(x.result.Trace) {
		x.result.Trace = x.result.Trace[:at+stillShown]
	}
	return true
}

// leastLooks is how many steps a goroutine must have made while it was watched, or its
// share of them, to have gone through its loop: with fewer it may be about to do more
// than look. Guessed.
const leastLooks = 10

// noteAble notes who could go on now, and who has made the last step.
func (x *execution) noteAble() {
	if x.result.Steps > x.progress.notedAt+watchedSteps/10 { // it is watched anew
		for _, g := range x.goroutines {
			g.looks = 0
		}
	}
	x.progress.notedAt = x.result.Steps
	if x.last >= 0 {
		x.goroutines[x.last].looks++
	}
	for _, g := range x.alive {
		if e := g.pending.Enabled; e == nil || e() {
			g.able = x.result.Steps
		}
	}
}

// starves reports whether the strategy has kept a goroutine waiting that could go on
// at some moments since it is watched, or has let it make a few steps only: it may do
// more than look.
func (x *execution) starves(since int) bool {
	least := max(1, min(leastLooks, (x.progress.watchTo-x.progress.watchFrom)/(2*max(1, len(x.alive)))))
	return slices.ContainsFunc(x.alive, func(g *goroutine) bool {
		return g.able >= since && (g.stepped < since || g.looks < least)
	})
}

// atBound reports whether the bound on steps is reached. Shortly before, it is watched
// who could go on.
func (x *execution) atBound() bool {
	if x.options.Steps-x.result.Steps > x.progress.watchTo-x.progress.watchFrom {
		return false // lone steps only add to what is left
	}
	left := x.options.Steps - (x.result.Steps - x.progress.lone + x.progress.lone/loneSteps)
	if left <= x.progress.watchTo-x.progress.watchFrom {
		x.noteAble()
	}
	return left <= 0 && len(x.alive) > 0
}

// spun reports, at the bound on steps, whether goroutines went on in at least half of
// them without anybody having to wait. It is not said where the strategy kept one
// waiting that could go on: that one may end the others' loop. Nor is it while the test
// goes on and something changes.
func (x *execution) spun() bool {
	if x.starves(x.result.Steps - (x.progress.watchTo - x.progress.watchFrom)) {
		return false
	}
	if x.alive[0].id == 0 && x.result.Steps-x.progress.rounds.step < min(stillSteps, x.options.Steps/2) {
		return false // a long test: somebody does more than look
	}
	return x.result.Steps-x.progress.rested >= max(x.options.Steps/2, leastSpin)
}

// leastSpin is the least number of steps that count as spinning, if no goroutine
// had to wait meanwhile: programs that would end can reach a small bound. Guessed.
const leastSpin = 100

// stillShown is how many of the looks are kept in a trace.
const stillShown = 100

package sched

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
// a goroutine that could go on was not chosen in all that time nothing is known.
func (x *execution) spinning() bool {
	since := x.rounds.step
	if len(x.clock.timers.heap) > 0 || x.outside > 0 || len(x.alive) == 0 {
		return false
	}
	for _, g := range x.alive {
		if e := g.pending.Enabled; e == nil || e() {
			g.able = x.result.Steps
		}
	}
	if x.result.Steps-since < x.watchTo || x.recorded() {
		return false
	}
	var blocked []*goroutine
	starved := false // by the strategy: it may do more than look
	for _, g := range x.alive {
		if g.able < since+x.watchFrom {
			blocked = append(blocked, g)
		} else if g.stepped <= since {
			starved = true
		}
	}
	ended := x.alive[0].id != 0
	if starved {
		x.result.Cut = x.result.Cut || ended
		return ended
	}
	if !ended && (len(blocked) == 0 || blocked[0].id != 0) {
		return false
	}
	x.result.Cut, x.result.Spins = true, true
	x.quiesce(blocked)
	if at := x.rounds.event; x.options.Trace && at+stillShown < len(x.result.Trace) {
		x.result.Trace = x.result.Trace[:at+stillShown]
	}
	return true
}

// stillShown is how many of the looks are kept in a trace.
const stillShown = 100

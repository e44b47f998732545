package sched

// Goroutines that spin for ever keep an execution from coming to rest. While they
// do nothing but look, nothing changes, and who waits beside them waits for ever.

// stillSteps is how many steps in a row may do no more than look. Guessed: longer
// than loops that wait for others by counting.
const stillSteps = 20_000

// spinning ends the execution if for long all steps were looks and no timer is set:
// with the failure of the goroutines that are blocked, or quietly after the test.
func (x *execution) spinning() bool {
	since := x.rounds.step
	if x.result.Steps-since < min(stillSteps, x.options.Steps/2) || len(x.clock.timers.heap) > 0 ||
		x.outside > 0 || len(x.alive) == 0 || x.recorded() {
		return false
	}
	var blocked []*goroutine
	for _, g := range x.alive {
		if e := g.pending.Enabled; e != nil && !e() {
			blocked = append(blocked, g)
		}
	}
	ended := x.alive[0].id != 0
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

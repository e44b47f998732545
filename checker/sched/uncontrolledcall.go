package sched

// UncontrolledCall returns f, which is about to be called, and notes that f does
// something that an execution does not control. what says so: "file.go:12:
// net.Dial waits for the network". All schedules together then do not show all
// that can happen.
func UncontrolledCall[F any](f F, what string) F {
	if g := current(); g != nil {
		g.leave(what)
	}
	return f
}

// Shares is UncontrolledCall for a function that is given a channel, or returns
// one. Code that is not under control may then wake goroutines that wait.
func Shares[F any](f F, what string) F {
	if g := current(); g != nil && g.x.environment.shares == "" {
		g.x.environment.shares = what
	}
	return UncontrolledCall(f, what)
}

// leave prepares for a call by which g may leave control. The call counts as
// synchronisation: the race detector of Go takes I/O for that, too.
func (g *goroutine) leave(what string) {
	x := g.x
	if x.result.UncontrolledCall == "" {
		x.result.UncontrolledCall = what
	}
	if !g.scheduled() {
		return
	}
	orphans.left.Store(true)
	Acquire(&x.environment.object)
	Release(&x.environment.object)
	x.environment.hasty = x.control.Load()
	tell(x.environment.nudge)
}

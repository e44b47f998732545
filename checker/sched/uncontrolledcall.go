package sched

// Outside returns f. It notes that f, which is about to be called, does what an
// execution does not control: what, "file.go:12: net.Dial waits for the
// network". What all schedules show then is not all that can happen.
func Outside[F any](f F, what string) F {
	if g := current(); g != nil && g.x.result.Outside == "" {
		g.x.result.Outside = what
	}
	return f
}

// Shares is Outside for a function that is given a channel, or returns one:
// who waits after that may be woken by somebody who is not under control.
func Shares[F any](f F, what string) F {
	if g := current(); g != nil && g.x.shares == "" {
		g.x.shares = what
	}
	return Outside(f, what)
}

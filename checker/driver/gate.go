package driver

import "mendel/checker/sched"

// A gate counts signals under control. What precedes a signal happens before
// what follows a wait for it.
type gate struct {
	object  sched.Object
	signals int
}

// signal adds one; what is for people, "t.Parallel".
func (g *gate) signal(what string) {
	sched.Do(sched.Op{Kind: sched.KindSignal, Obj: &g.object, What: what})
	g.signals++
	sched.Release(&g.object)
}

// wait returns when there have been n signals.
func (g *gate) wait(n int, what string) {
	sched.Do(sched.Op{Kind: sched.KindWait, Obj: &g.object, Read: true, Durable: true,
		Enabled: func() bool { return g.signals >= n }, What: what})
	sched.Acquire(&g.object)
}

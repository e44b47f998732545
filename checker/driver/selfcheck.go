package driver

import (
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
)

// selfCheck reports what is wrong with this binary's engine or instrumentation, ""
// if a planted race and a planted deadlock are found.
func selfCheck(planted func()) string {
	if planted == nil {
		return "the binary has no planted race"
	}
	if came := expect(sched.Race, planted); came != "" {
		return "instead of the planted race: " + came
	}
	if came := expect(sched.Deadlock, embrace); came != "" {
		return "instead of the planted deadlock: " + came
	}
	return ""
}

// expect explores body. It returns the outcome if that is not a failure of a kind.
func expect(kind string, body func()) string {
	r, err := explore.Explore(nil, explore.Search{Strategy: "dfs", Executions: 1000}, body)
	switch {
	case err != nil:
		return err.Error()
	case r.Verdict != explore.Failed || r.Failures[0].Execution.Failure.Kind != kind:
		return r.String()
	}
	return ""
}

// embrace takes two locks in both orders.
func embrace() {
	var a, b lock
	sched.Go(func() {
		b.take()
		a.take()
		a.drop()
		b.drop()
	})
	a.take()
	b.take()
	b.drop()
	a.drop()
}

type lock struct {
	object sched.Object
	taken  bool
}

func (l *lock) take() {
	sched.Do(sched.Op{Kind: sched.KindAcquire, Obj: &l.object, Enabled: func() bool { return !l.taken }, What: "lock"})
	l.taken = true
	sched.Acquire(&l.object)
}

func (l *lock) drop() {
	sched.Do(sched.Op{Kind: sched.KindRelease, Obj: &l.object, What: "unlock"})
	l.taken = false
	sched.Release(&l.object)
}

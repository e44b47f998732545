package sched

import "sync/atomic"

// Reached tells, by number, which points of a program were reached: it is set by the marks
// of package incremental, and read and cleared between executions.
var Reached [1 << 16]byte

// forgetful reports whether the strategy of the execution under way is a Forgetter.
var forgetful atomic.Bool

// A Mark is what a goroutine has seen so far.
type Mark struct {
	history uint64
	valid   bool
}

// Enter begins a statement that changes nothing but memory that is told of, and whose
// own variables end with it: whatever it sees, what its goroutine does after it depends
// on memory only. [Mark.Left] ends it. It may do operations, and its goroutine may leave
// it without Left: then nothing is forgotten.
func Enter() (m Mark) {
	if forgetful.Load() {
		if f, g := forgets(); f != nil {
			m.history, m.valid = f.Recall(g)
		}
	}
	return m
}

// Left is described at Enter.
func (m Mark) Left() {
	if m.valid {
		if f, g := forgets(); f != nil {
			f.Forget(g, m.history)
		}
	}
}

// forgets returns the strategy that wants to know what the running goroutine forgets, nil
// if none does.
func forgets() (Forgetter, int) {
	g := current()
	if g == nil || !g.scheduled() {
		return nil, 0
	}
	return g.x.by.forgetter, g.id
}

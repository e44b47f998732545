package explore

import (
	"mendel/checker/sched"
	"mendel/checker/sched/causal"
)

// Steps at the counter of a wait group that the strategy states takes before others, as
// those that stateful names.
//
// One is to look whether the counter is zero while it is not. Who looks later, and still
// has to wait, does the same. Who looks when it is zero does not wait; but who looked
// before goes on at that moment, too. If the counter had become zero in between, and
// others had added to it again, these would race with the first who looked: nobody can
// know that it did. The look touches the counter, as the real one does for the race
// detector. It races with the first Add, and the first Add of another time, which come
// before a look beside them or after one whose goroutine waits: in each way the race is
// found where the look comes at once.
//
// The other is to bring the counter down while somebody waits. What others do until then
// goes on alike with a lower counter: who waits stays where it is, for the step has still
// to come; who looks may not have to wait, and does not go on before the step either way.
// Where the others' own steps bring the counter to where this one would make it negative,
// now one of theirs does. Where it is zero earlier and one of them adds to it, that is the
// race with who waits.

// eagerly returns the index of a goroutine whose step is tried before those of others; -1
// if there is none.
func (s *stateful) eagerly(enabled []sched.Pending) int {
	if s.patient {
		return -1
	}
	t := &s.tracker
	for i, p := range enabled {
		switch p.Kind {
		case sched.KindStart, sched.KindGo:
			return i
		case sched.KindRelease:
			op := &t.gs[p.G].op
			if op.Do == causal.Unlock && t.t.Locations[op.Loc].Kind == causal.Mutex && t.book.holders[op.Loc] == p.G+1 {
				return i
			}
		case sched.KindAdd:
			op := &t.gs[p.G].op
			if op.Do == causal.Add && t.countsDown(t.view.Op(p.G)) && t.waitsFor(op.Loc) {
				return i
			}
		case sched.KindWait:
			if t.looks(p.G) && *(*int32)(t.view.Op(p.G).Word) > 0 {
				return i
			}
		}
	}
	return -1
}

// countsDown reports whether an operation brings a counter down, and not below zero.
func (t *tracker) countsDown(op *sched.Op) bool {
	delta := int(op.Size)
	return delta < 0 && int(*(*int32)(op.Word))+delta >= 0
}

// waitsFor reports whether a goroutine waits until a counter is zero, and has to.
func (t *tracker) waitsFor(loc int) bool {
	for g := range t.gs {
		if t.t.Goroutines[g].Next == nil { // it has ended
			continue
		}
		if op := &t.gs[g].op; op.Do == causal.WaitZero && op.Loc == loc && t.blocks(g) {
			return true
		}
	}
	return false
}

// looks reports whether the next step of a goroutine is to look whether a counter is zero.
func (t *tracker) looks(g int) bool {
	return t.gs[g].op.Do == causal.WaitZero && t.view.Op(g).Enabled == nil
}

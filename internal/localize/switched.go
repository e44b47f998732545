package localize

import (
	"fmt"

	"mendel/checker"
	"mendel/checker/sched"
)

// few is how many preemptions a failure may need so that each says where the fault is.
// Guessed.
const few = 3

// A preemption is a switch from a goroutine that could have gone on, by the events of an
// execution: its last one before and its first one after.
type preemption struct{ before, after int }

// preemptions are those of an execution, in order, as far as its events tell: that a
// goroutine could have gone on is known of steps that never wait, and of a lock that is
// free.
func (x *execution) preemptions() []preemption {
	var list []preemption
	locked := map[int32]int{}
	for i, e := range x.Events {
		if e.G < 0 {
			continue
		}
		switch e.Kind {
		case sched.KindAcquire, sched.KindRAcquire:
			if e.Took {
				locked[e.Object]++
			}
		case sched.KindRelease, sched.KindRRelease:
			locked[e.Object]--
		}
		if i+1 == len(x.Events) || x.Events[i+1].G == e.G || e.Kind == sched.KindExit {
			continue
		}
		for k := i + 1; k < len(x.Events); k++ {
			if next := x.Events[k]; next.G == e.G {
				if goesOn(next, locked) && e.Kind != sched.KindWait {
					list = append(list, preemption{i, k})
				}
				break
			}
		}
	}
	return list
}

// goesOn reports whether a step could have been made while locks were held so often.
func goesOn(e checker.WitnessEvent, locked map[int32]int) bool {
	switch e.Kind {
	case sched.KindAcquire, sched.KindRAcquire, sched.KindArrive:
		return locked[e.Object] == 0
	case sched.KindGo, sched.KindRelease, sched.KindRRelease, sched.KindClose, sched.KindLoad, sched.KindStore, sched.KindAdd, sched.KindSignal, sched.KindAccess:
		return true
	}
	return false
}

// switched are the places at which a goroutine must be stopped so that a test fails, if
// these are few: what is done before and after belongs together, or comes too late.
func (x *examiner) switched(f *checker.Failure, own *execution) []suspect {
	if f.Preemptions == 0 || f.Preemptions > few || !own.fails(f) {
		return nil
	}
	list := own.preemptions()
	if len(list) == 0 || len(list) > few {
		return nil
	}
	var found []suspect
	for _, p := range list {
		before, after := own.Events[p.before], own.Events[p.after]
		s := suspect{
			at: siteOf(after.Frame), does: after.Operation, score: switchedHere - eachSwitch*float64(len(list)),
			partner: siteOf(before.Frame), partnerDoes: before.Operation, variable: x.src.text(siteOf(after.Frame)),
		}
		s.says = fmt.Sprintf("the test fails when other goroutines go on between %s and here", x.src.rel(s.partner))
		if releases(before.Kind) && acquires(after.Kind) && before.Object == after.Object && before.Frame.Function == after.Frame.Function {
			lock := x.src.lock(s.at)
			s.variable = lock
			s.says = fmt.Sprintf("the section of %s that begins here belongs to the one that ends at %s: the test fails when other goroutines get in between", lock, x.src.rel(s.partner))
		}
		found = append(found, s)
	}
	return found
}

func releases(k sched.Kind) bool { return k == sched.KindRelease || k == sched.KindRRelease }

func acquires(k sched.Kind) bool {
	return k == sched.KindAcquire || k == sched.KindRAcquire || k == sched.KindArrive
}

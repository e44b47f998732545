package cover

import (
	"mendel/analysis/evidence"
	"mendel/interleave/hook"
)

// Faults are the names of what is likely wrong with a program that fails when an
// interleaving is forced, by its idiom and by what its ends do (the idioms of the bugs in
// Maple's evaluation, Yu et al., OOPSLA 2012, section 5; kinds of Go beside them). The order
// of two plain accesses names none: any lock may order them.
func (f *File) Faults() []evidence.Fault {
	kind := func(i int) hook.Kind {
		if i >= len(f.Ends) {
			return hook.None
		}
		k, _ := hook.KindOf(f.Ends[i].Kind)
		return k
	}
	switch first, last := kind(0), kind(1); f.Idiom {
	case 1:
		return ofOrder(first, last)
	case 2, 3:
		return []evidence.Fault{evidence.AtomicityViolation, evidence.CheckThenAct, evidence.LostUpdate, evidence.InconsistentRead}
	case 4:
		return []evidence.Fault{evidence.AtomicityViolation, evidence.InconsistentRead}
	case 5:
		if locks(first) || locks(last) {
			return []evidence.Fault{evidence.LockOrderInversion}
		}
		return []evidence.Fault{evidence.AtomicityViolation, evidence.InconsistentRead}
	}
	return nil
}

// ofOrder names the fault of two operations that come in the wrong order.
func ofOrder(first, last hook.Kind) []evidence.Fault {
	switch {
	case first == hook.Close && last == hook.Send:
		return []evidence.Fault{evidence.CloseDuringSend}
	case first == hook.Close && last == hook.Close:
		return []evidence.Fault{evidence.DoubleClose}
	case first == hook.Wait && last == hook.Add:
		return []evidence.Fault{evidence.WaitNotForAll}
	case first == hook.Signal && last == hook.Sleep:
		return []evidence.Fault{evidence.MissedSignal}
	}
	return nil
}

func locks(k hook.Kind) bool {
	return k == hook.Lock || k == hook.Unlock || k == hook.RLock || k == hook.RUnlock
}

package addunlock

import (
	"mendel/mutate"
)

// opposite is the other half of a pair of methods, and otherSide the method of
// an RWMutex's other side that does the same.
var (
	opposite  = map[string]string{"Lock": "Unlock", "Unlock": "Lock", "RLock": "RUnlock", "RUnlock": "RLock"}
	otherSide = map[string]string{"Lock": "RLock", "RLock": "Lock", "Unlock": "RUnlock", "RUnlock": "Unlock"}
)

// callEdits lists the edits that call another method of the lock instead.
func callEdits(fn *mutate.Function, b *Balance) []mutate.Edit {
	var out []mutate.Edit
	try := func(c LockCall, form, method string) {
		if len(b.Faults(Change{Stmt: c.Stmt, Where: Instead, Method: method})) > 0 {
			return
		}
		e := newEdit(fn, b, form, c.At, method)
		e.Note = method + " is meant, not " + c.Method
		out = append(out, e)
	}
	for _, c := range b.Calls {
		if !c.Deferred && len(b.Calls) > 1 {
			try(c, formMeant, opposite[c.Method])
		}
		if b.Lock.RW && c.Method != "Lock" { // the section may write
			try(c, formSide, otherSide[c.Method])
		}
	}
	return out
}

// instanceEdits lists the edits that make the releases of another lock, which
// the function never takes, releases of this one, which it never releases, or
// the acquisitions of this one the other's.
func instanceEdits(fn *mutate.Function, b *Balance, all []*Balance) []mutate.Edit {
	if !b.Unmatched() || len(b.Calls) != 1 || !b.Calls[0].Acquires() {
		return nil
	}
	var out []mutate.Edit
	take := b.Calls[0]
	for _, o := range all {
		if o == b || !o.Unmatched() || len(o.Calls) != 1 || o.Calls[0].Acquires() {
			continue
		}
		release := o.Calls[0]
		for _, to := range []struct {
			lock *Balance
			call LockCall
		}{{b, release}, {o, take}} {
			c := Change{Stmt: to.call.Stmt, Where: Instead, Method: to.call.Method}
			if to.lock.CanName(to.call.At) && len(to.lock.Faults(c)) == 0 {
				e := newEdit(fn, to.lock, formInstance, to.call.At, to.call.Method)
				e.Note = to.lock.Lock.Expr + " is meant"
				out = append(out, e)
			}
		}
	}
	return out
}

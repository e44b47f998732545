package changes

import (
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/callers"
	"mendel/analysis/locks/guards"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/owned"
	"mendel/analysis/locks/program"
)

// A function that uses a variable and takes no lock relies on who calls it. A change that
// puts the lock around one of the calls leaves the others.

// leftAtCalls finds the calls without a lock of what uses a variable, where the change puts
// the lock around other calls of the function.
func (c *comparison) leftAtCalls(key string) {
	uses := c.now[key]
	writes := slices.DeleteFunc(slices.Clone(uses), func(u access.Use) bool { return !u.Write })
	if len(writes) == 0 || uses[0].Atomic {
		return
	}
	for _, lock := range slices.Concat(guards.KeysAt(c.after, writes), c.newAround(writes)) {
		for _, u := range uses {
			if u.Leads || u.In.Object == nil || guards.At(c.after, u, lock) == guards.Always {
				continue
			}
			was := slices.IndexFunc(c.was[key], func(o access.Use) bool { return o.In.Name == u.In.Name && o.Write == u.Write })
			if was < 0 {
				continue
			}
			held, open := entrancesBy(c.after, u, lock)
			heldBefore, _ := entrancesBy(c.before, c.was[key][was], lock)
			if len(held) <= len(heldBefore) {
				continue
			}
			for _, at := range open {
				if !c.before.Keys()[lock] && heldAlone(c.after, at) {
					continue // another lock keeps all out
				}
				c.reportAt(LeftOut, at.In, at.Call, u.Name, "%s is %s by %s without %s, which the change puts around other calls of it", u.Name, access.Verb(u), u.In.Label(), shortKey(lock))
			}
		}
	}
}

// heldAlone reports whether a lock is held for writing at a call.
func heldAlone(m *locks.View, at locks.Entrance) bool {
	n := m.NodeOf(at.In, at.Call)
	return n != nil && slices.ContainsFunc(m.Flows(at.In), func(f *locks.Flow) bool {
		h, _ := f.At(n)
		return h.Always && !h.Read
	})
}

// newAround are the locks that the change brings and that callers of the functions of some uses may hold, of uses
// that no other lock guards.
func (c *comparison) newAround(uses []access.Use) (keys []string) {
	old := c.before.Keys()
	for _, u := range uses {
		a := callers.AboveOf(c.after, u.In)
		if a == nil || len(guards.LocksHeld(c.after, u)) > 0 {
			continue
		}
		for key := range a.Keys {
			if !old[key] && key != program.AnyKey && !slices.Contains(keys, key) && guards.At(c.after, u, key) == guards.Never {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return keys
}

// entrancesBy parts the calls of the function of a use into those at which a lock is held and
// those at which it is not; calls of tests are left out, and those for a value that nobody
// else knows yet.
func entrancesBy(m *locks.View, u access.Use, lock string) (held, open []locks.Entrance) {
	all, ok := m.Entrances(u.In)
	if !ok || u.In.Offered() {
		return nil, nil
	}
	owner := guards.OwnerIn(m, u.Base, lock)
	var names []naming.Lock
	if owner.Known() {
		_, field := program.CutKey(lock)
		names = []naming.Lock{{Path: owner.With("." + field), Key: lock}}
	}
	for _, at := range all {
		q := &callers.Question{M: m, Key: lock, Reading: !u.Write, Asked: map[*program.Func]bool{u.In: true}, Shipped: true}
		switch {
		case at.In.File.Test || owned.GivesOwned(m, at, u.In, owner):
		case q.At(at, u.In, names) != callers.UnheldAtEntry:
			held = append(held, at)
		default:
			open = append(open, at)
		}
	}
	return held, open
}

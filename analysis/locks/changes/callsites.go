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
	for _, lock := range guards.KeysAt(c.after, writes) {
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
				c.reportAt(LeftOut, at.In, at.Call, u.Name, "%s is %s by %s without %s, which the change puts around other calls of it", u.Name, access.Verb(u), u.In.Label(), shortKey(lock))
			}
		}
	}
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
		case at.In.File.Test || owned.GivesOwned(m, at.Site, u.In, owner):
		case q.At(at, u.In, names) != callers.UnheldAtEntry:
			held = append(held, at)
		default:
			open = append(open, at)
		}
	}
	return held, open
}

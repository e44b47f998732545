package locks

import (
	"slices"
)

// A function that uses a variable and takes no lock relies on who calls it. A change that
// puts the lock around one of the calls leaves the others.

// leftAtCalls finds the calls without a lock of what uses a variable, where the change puts
// the lock around other calls of the function.
func (c *comparison) leftAtCalls(key string) {
	uses := c.now[key]
	writes := slices.DeleteFunc(slices.Clone(uses), func(u Use) bool { return !u.Write })
	if len(writes) == 0 || uses[0].Atomic {
		return
	}
	for _, lock := range c.after.keysAt(writes) {
		for _, u := range uses {
			if u.Leads || u.In.object == nil || c.after.guards(u, lock) == Always {
				continue
			}
			was := slices.IndexFunc(c.was[key], func(o Use) bool { return o.In.Name == u.In.Name && o.Write == u.Write })
			if was < 0 {
				continue
			}
			held, open := c.after.entrancesBy(u, lock)
			heldBefore, _ := c.before.entrancesBy(c.was[key][was], lock)
			if len(held) <= len(heldBefore) {
				continue
			}
			for _, at := range open {
				c.reportAt(LeftOut, at.in, at.call, u.Name, "%s is %s by %s without %s, which the change puts around other calls of it", u.Name, verb(u), u.In.Label(), shortKey(lock))
			}
		}
	}
}

// entrancesBy parts the calls of the function of a use into those at which a lock is held and
// those at which it is not; calls of tests are left out, and those for a value that nobody
// else knows yet.
func (m *View) entrancesBy(u Use, lock string) (held, open []entrance) {
	all, ok := m.entrances(u.In)
	if !ok || u.In.offered() {
		return nil, nil
	}
	owner := m.ownerIn(u.base, lock)
	var names []Lock
	if owner.known() {
		_, field := cutKey(lock)
		names = []Lock{{Path: owner.with("." + field), Key: lock}}
	}
	for _, at := range all {
		q := &entryQuestion{m: m, key: lock, reading: !u.Write, asked: map[*Func]bool{u.In: true}, shipped: true}
		switch {
		case at.in.File.Test || m.givesOwned(at.site, u.In, owner):
		case q.at(at, u.In, names) != UnheldAtEntry:
			held = append(held, at)
		default:
			open = append(open, at)
		}
	}
	return held, open
}

// givesOwned reports whether a call gives a function a value that its caller has just made.
func (m *View) givesOwned(at site, fn *Func, value Path) bool {
	return slices.ContainsFunc(m.given(at.in, at.call, fn), func(a argument) bool {
		return a.obj == value.Root && a.path.Root != nil && a.path.Text == "" && m.owned(at.in, a.path.Root, at.call.Pos(), maxOwners)
	})
}

package locks

import "slices"

// leftKin finds the uses without a lock of a field that is guarded by it nearly everywhere, or wherever
// it is changed, where the change puts the lock around uses of another variable: who looks for one of them
// finds the other.
func (c *comparison) leftKin(key string) {
	uses := c.now[key]
	owner, _ := cutKey(key)
	for _, lock := range c.after.keysAt(uses) {
		if of, _ := cutKey(lock); of != owner || !c.mendsKin(key, lock) {
			continue
		}
		held, not := c.after.held(uses, lock)
		if had, _ := c.before.held(c.was[key], lock); len(had) < len(held) || !written(held) {
			continue
		}
		if more := functions(held) - functions(not); more < 0 || more == 0 && written(not) {
			continue
		}
		for _, u := range not {
			if !u.Write && written(not) || u.Atomic || u.Leads || c.after.guards(u, lock) != Never || !c.after.open(u, lock) || !c.after.mayKnow(u, lock) || c.after.onlyWriter(uses, u) {
				continue
			}
			c.report(LeftOut, u, "%s is %s without %s, under which others use it, as the change mends it for another variable", u.Name, verb(u), shortKey(lock))
		}
	}
}

// mendsKin reports whether the change puts a lock around uses of another variable.
func (c *comparison) mendsKin(key, lock string) bool {
	for other, uses := range c.now {
		if other == key {
			continue
		}
		held, _ := c.after.held(uses, lock)
		had, _ := c.before.held(c.was[other], lock)
		if len(held) > len(had) && slices.ContainsFunc(c.was[other], func(u Use) bool { return len(c.before.locksAt(u)) == 0 }) {
			return true
		}
	}
	return false
}

// functions counts the functions that uses are in.
func functions(uses []Use) int {
	in := map[string]bool{}
	for _, u := range uses {
		in[u.In.Name] = true
	}
	return len(in)
}

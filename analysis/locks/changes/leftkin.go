package changes

import (
	"slices"

	"mendel/analysis/locks/access"
	"mendel/analysis/locks/guards"
	"mendel/analysis/locks/program"
)

// leftKin finds the uses without a lock of a field that is guarded by it nearly everywhere, or wherever
// it is changed, where the change puts the lock around uses of another variable: who looks for one of them
// finds the other.
func (c *comparison) leftKin(key string) {
	uses := c.now[key]
	owner, _ := program.CutKey(key)
	for _, lock := range guards.KeysAt(c.after, uses) {
		if of, _ := program.CutKey(lock); of != owner || !c.mendsKin(key, lock) {
			continue
		}
		held, not := guards.Part(c.after, uses, lock)
		if had, _ := guards.Part(c.before, c.was[key], lock); len(had) < len(held) || !guards.Written(held) {
			continue
		}
		if more := functions(held) - functions(not); more < 0 || more == 0 && guards.Written(not) {
			continue
		}
		for _, u := range not {
			if !u.Write && guards.Written(not) || u.Atomic || u.Leads || guards.At(c.after, u, lock) != guards.Never || !open(c.after, u, lock) || !mayKnow(c.after, u, lock) || onlyWriter(c.after, uses, u) {
				continue
			}
			c.report(LeftOut, u, "%s is %s without %s, under which others use it, as the change mends it for another variable", u.Name, access.Verb(u), shortKey(lock))
		}
	}
}

// mendsKin reports whether the change puts a lock around uses of another variable.
func (c *comparison) mendsKin(key, lock string) bool {
	for other, uses := range c.now {
		if other == key {
			continue
		}
		held, _ := guards.Part(c.after, uses, lock)
		had, _ := guards.Part(c.before, c.was[other], lock)
		if len(held) > len(had) && slices.ContainsFunc(c.was[other], func(u access.Use) bool { return len(guards.LocksHeld(c.before, u)) == 0 }) {
			return true
		}
	}
	return false
}

// functions counts the functions that uses are in.
func functions(uses []access.Use) int {
	in := map[string]bool{}
	for _, u := range uses {
		in[u.In.Name] = true
	}
	return len(in)
}

package locks

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// leftTaken finds functions that release a lock at some of their exits and leave it taken at
// others, in the original, too, where the change mends how the lock is released elsewhere.
func (c *comparison) leftTaken() {
	was, now := c.before.operationCounts(), c.after.operationCounts()
	concerned := make(map[string]bool) // what is released otherwise, and taken as before
	for _, counts := range []map[counted]int{was, now} {
		for o := range counts {
			taking := counted{o.fn, o.key, false, false}
			if o.releases && o.key != anyKey && was[o] != now[o] && was[taking] == now[taking] {
				concerned[o.key] = true
			}
		}
	}
	had := make(map[string]bool)
	for fn, keys := range c.before.forgetful(concerned) {
		for key := range keys {
			had[fn.Name+" "+key] = true
		}
	}
	for fn, keys := range c.after.forgetful(concerned) {
		for key := range keys {
			if had[fn.Name+" "+key] {
				c.reportAt(LeftOut, fn, fn.Node, "", "%s stays taken at an exit, as the change mends it elsewhere", shortKey(key))
			}
		}
	}
}

// A counted operation is how a function takes a lock, or lets it go.
type counted struct {
	fn, key            string
	releases, deferred bool
}

// operationCounts counts the operations in the texts of the program's functions.
func (m *View) operationCounts() map[counted]int {
	counts := make(map[counted]int)
	for _, fn := range m.shipped() {
		for _, s := range m.callsOf(fn) {
			if op, ok := lockMethod(fn.info(), s.call.Fun); ok {
				o := counted{fn: fn.Name, key: keyOf(fn.info(), op.sel), releases: strings.HasSuffix(op.method, "Unlock")}
				o.deferred = o.releases && m.deferred(s)
				counts[o]++
			}
		}
	}
	return counts
}

// forgetful finds the functions that take and release some locks and return with and without
// them, whatever they return, with the keys of these. What a caller may release is left out.
func (m *View) forgetful(concerned map[string]bool) map[*Func]map[string]bool {
	found := make(map[*Func]map[string]bool)
	for _, fn := range m.shipped() {
		own := slices.Clone(m.ready().keys[fn])
		if fn.object == nil || !slices.ContainsFunc(own, func(key string) bool { return concerned[key] }) {
			continue
		}
		for _, l := range m.locksOf(fn) {
			if concerned[l.Key] && slices.Contains(own, l.Key) && m.releasesItself(fn, l.Key) && m.mixed(fn, l) && m.returnsHeld(fn, l) && !m.releasedByCaller(fn, l.Key) {
				if found[fn] == nil {
					found[fn] = make(map[string]bool)
				}
				found[fn][l.Key] = true
			}
		}
	}
	return found
}

// releasesItself reports whether the text of a function releases a lock with a key.
func (m *View) releasesItself(fn *Func, key string) bool {
	return slices.ContainsFunc(m.operationsIn(fn, fn.Body), func(op operation) bool {
		return strings.HasSuffix(op.method, "Unlock") && keyOf(fn.info(), op.sel) == key
	})
}

// mixed reports whether a function that is entered without a lock may return with it and
// without it, and its result does not tell which.
func (m *View) mixed(fn *Func, l Lock) bool {
	held, free := make(map[flag]bool), make(map[flag]bool)
	for o := range m.summary(m.frame(fn, l), entry{}).outs {
		if o.entry == (entry{}) {
			free[o.flag] = true
		} else {
			held[o.flag] = true
		}
	}
	return slices.ContainsFunc(slices.Collect(maps.Keys(held)), func(f flag) bool { return free[f] })
}

// returnsHeld reports whether a lock is held at a return of a function on all ways to it, and
// no deferred call releases it there.
func (m *View) returnsHeld(fn *Func, l Lock) bool {
	for _, s := range m.callsOf(fn) {
		if op, ok := lockMethod(fn.info(), s.call.Fun); ok && m.deferred(s) && keyOf(fn.info(), op.sel) == l.Key {
			return false
		}
	}
	i := slices.IndexFunc(m.flowsOf(fn), func(f *flow) bool { return f.lock.Path == l.Path })
	if i < 0 {
		return false
	}
	f, found := m.flowsOf(fn)[i], false
	eachReturn(fn.Body, func(ret *ast.ReturnStmt) {
		h, some := f.at(ret)
		found = found || some && h.Always
	})
	return found
}

// releasedByCaller reports whether a function that calls another one names a lock with the key.
func (m *View) releasedByCaller(fn *Func, key string) bool {
	return slices.ContainsFunc(m.sitesOf(fn), func(s site) bool {
		return !s.in.File.Test && m.releasesItself(s.in, key)
	})
}

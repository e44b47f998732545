package changes

import (
	"go/ast"
	"slices"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
)

// leftTaken finds functions that release a lock at some of their exits, or at the end of some iterations, and leave
// it taken at others, in the original, too, where the change mends how the lock is released elsewhere.
func (c *comparison) leftTaken() {
	was, now := operationCounts(c.before), operationCounts(c.after)
	concerned := make(map[string]bool) // what is released otherwise, and taken as before
	for _, counts := range []map[counted]int{was, now} {
		for o := range counts {
			taking := counted{o.fn, o.key, false, false}
			if o.releases && o.key != program.AnyKey && was[o] != now[o] && was[taking] == now[taking] {
				concerned[o.key] = true
			}
		}
	}
	had := make(map[string]bool)
	for fn, keys := range forgetful(c.before, concerned) {
		for key := range keys {
			had[fn.Name+" "+key] = true
		}
	}
	for fn, keys := range forgetful(c.after, concerned) {
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
func operationCounts(m *locks.View) map[counted]int {
	counts := make(map[counted]int)
	for _, fn := range m.Shipped() {
		for _, s := range m.Calls(fn) {
			if op, ok := program.LockMethod(fn.Info(), s.Call.Fun); ok {
				o := counted{fn: fn.Name, key: program.KeyOf(fn.Info(), op.Sel), releases: strings.HasSuffix(op.Method, "Unlock")}
				o.deferred = o.releases && m.Deferred(s)
				counts[o]++
			}
		}
	}
	return counts
}

// forgetful finds the functions that take and release some locks and return, or begin the next iteration, with and without
// them, whatever they return, with the keys of these. What a caller may release is left out.
func forgetful(m *locks.View, concerned map[string]bool) map[*program.Func]map[string]bool {
	found := make(map[*program.Func]map[string]bool)
	for _, fn := range m.Shipped() {
		own := slices.Clone(m.Index().Keys[fn])
		if fn.Object == nil || !slices.ContainsFunc(own, func(key string) bool { return concerned[key] }) {
			continue
		}
		for _, l := range m.Locks(fn) {
			if concerned[l.Key] && slices.Contains(own, l.Key) && releasesItself(m, fn, l.Key) &&
				(m.Mixed(fn, l) && returnsHeld(m, fn, l) && !releasedByCaller(m, fn, l.Key) || m.ContinuesHeld(fn, l)) {
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
func releasesItself(m *locks.View, fn *program.Func, key string) bool {
	return slices.ContainsFunc(m.OperationsIn(fn, fn.Body), func(op program.Operation) bool {
		return strings.HasSuffix(op.Method, "Unlock") && program.KeyOf(fn.Info(), op.Sel) == key
	})
}

// returnsHeld reports whether a lock is held at a return of a function on all ways to it, and
// no deferred call releases it there.
func returnsHeld(m *locks.View, fn *program.Func, l naming.Lock) bool {
	for _, s := range m.Calls(fn) {
		if op, ok := program.LockMethod(fn.Info(), s.Call.Fun); ok && m.Deferred(s) && program.KeyOf(fn.Info(), op.Sel) == l.Key {
			return false
		}
	}
	i := slices.IndexFunc(m.Flows(fn), func(f *locks.Flow) bool { return f.Lock.Path == l.Path })
	if i < 0 {
		return false
	}
	f, found := m.Flows(fn)[i], false
	locks.EachReturn(fn.Body, func(ret *ast.ReturnStmt) {
		h, some := f.At(ret)
		found = found || some && h.Always
	})
	return found
}

// releasedByCaller reports whether a function that calls another one names a lock with the key.
func releasedByCaller(m *locks.View, fn *program.Func, key string) bool {
	return slices.ContainsFunc(m.Sites(fn), func(s program.Site) bool {
		return !s.In.File.Test && releasesItself(m, s.In, key)
	})
}

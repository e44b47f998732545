package locks

import (
	"cmp"
	"context"
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
)

// A Relock is a call by which a goroutine may wait for itself: it takes a lock
// that may be held there, or runs a function that does.
type Relock struct {
	Lock naming.Lock
	In   *program.Func
	At   ast.Node // the call
}

// Relocks lists the calls of a function, its literals left out, by which a
// goroutine may wait for itself, in source order. That a callee does so whoever
// calls it is the callee's.
func (of *Model) Relocks(fn *program.Func) []Relock {
	m := of.Lock()
	defer of.Unlock()
	return m.Relocks(fn, AnyLock)
}

// AnyLock wants the relocks of all locks.
func AnyLock(string) bool { return true }

// Relocks lists the relocks of a function, its literals left out, for the locks whose keys are wanted.
func (m *View) Relocks(fn *program.Func, wanted func(key string) bool) []Relock {
	var list []Relock
	for _, l := range m.Locks(fn) {
		if !wanted(l.Key) {
			continue
		}
		fr := m.frame(fn, l)
		fr.run(entry{})
		for f := range fr.faults {
			if f.kind != NotHeld {
				list = append(list, Relock{l, fn, f.at})
			}
		}
	}
	slices.SortFunc(list, func(a, b Relock) int {
		return cmp.Or(cmp.Compare(a.At.Pos(), b.At.Pos()), cmp.Compare(a.Lock.Path.String(), b.Lock.Path.String()))
	})
	return list
}

// A relockKey tells relocks apart in a program and its mutants, which may have
// them in other places of the function.
type relockKey struct{ in, lock, call string }

func (r Relock) key() relockKey {
	k := relockKey{in: r.In.Name, lock: r.Lock.Path.String()}
	if r.In.Decl != nil {
		k.in = r.In.Decl.Name
	}
	switch at := r.At.(type) {
	case *ast.CallExpr:
		k.call = types.ExprString(at.Fun)
	case ast.Expr:
		k.call = types.ExprString(at)
	}
	return k
}

// lockOnly is the key without the call.
func (k relockKey) lockOnly() relockKey {
	k.call = ""
	return k
}

// NewRelocks lists the relocks of a mutant that the original does not have. When ctx
// ends, the error is its own.
func (of *Model) NewRelocks(ctx context.Context) ([]Relock, error) {
	m := of.Lock()
	defer of.Unlock()
	if m.Base == nil || len(m.Affected) == 0 {
		return nil, nil
	}
	var names []string
	for name := range m.Affected {
		names = append(names, name)
	}
	slices.Sort(names)
	var fresh []Relock
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fn := m.Named(name)
		if fn == nil || fn.Up != nil && fn.Decl != nil && fn.Decl != fn {
			continue // a literal is examined with its function
		}
		fresh = append(fresh, m.newRelocksIn(fn)...)
	}
	return fresh, nil
}

// newRelocksIn compares a declared function, with its literals, to the original.
func (m *View) newRelocksIn(fn *program.Func) []Relock {
	now := m.relocksWithin(fn, m)
	if len(now) == 0 {
		return nil
	}
	known, gone := make(map[relockKey]int), make(map[relockKey]int)
	m.AskOriginal(func(base *View) {
		if was := base.Named(fn.Name); was != nil {
			for _, r := range base.relocksWithin(was, m) {
				known[r.key()]++
				gone[r.key().lockOnly()]++
			}
		}
	})
	now = slices.DeleteFunc(now, func(r Relock) bool {
		known[r.key()]--
		if known[r.key()] < 0 {
			return false
		}
		gone[r.key().lockOnly()]--
		return true
	})
	// A path ends at its first relock. Where that is gone the next one shows, which the
	// original has, too.
	return slices.DeleteFunc(now, func(r Relock) bool {
		gone[r.key().lockOnly()]--
		return gone[r.key().lockOnly()] >= 0
	})
}

// relocksWithin lists the relocks of a function and its literals, those of locks
// that a mutant does not use otherwise than the original left out.
func (m *View) relocksWithin(fn *program.Func, mutant *View) []Relock {
	wanted := func(key string) bool {
		return mutant.Fresh[key] || key == program.AnyKey || mutant.Fresh[program.AnyKey]
	}
	if m == mutant && m.Index().ByNode[fn.Node] != nil || m != mutant && mutant.Index().ByName[fn.Name] != nil {
		wanted = func(string) bool { return true } // the function itself is changed
	}
	return m.relocksOf(fn, wanted)
}

func (m *View) relocksOf(fn *program.Func, wanted func(string) bool) []Relock {
	list := m.Relocks(fn, wanted)
	for _, lit := range fn.Lits {
		list = append(list, m.relocksOf(lit, wanted)...)
	}
	return list
}

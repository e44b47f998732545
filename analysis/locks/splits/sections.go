package splits

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/guards"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/order"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/sections"
	"mendel/analysis/syntax"
)

// A Step is a use of a variable in a function, or a call that comes to one, with the
// sections of the function that it is in.
type Step struct {
	access.Use
	Call     *program.Func // what is called; nil: the function itself uses the variable
	Text     string        // as it is written, the same in a program and its mutants
	Sections []string      // that the function has taken, and that what is called takes
}

// Steps lists the steps of a function's text under locks, in source order.
func Steps(m *locks.View, fn *program.Func) []Step {
	list, known := tables.Of(m).steps[fn]
	if known {
		return list
	}
	add := func(s Step, at ast.Expr) {
		s.Text = access.Verb(s.Use) + " " + s.Key + " " + types.ExprString(at)
		s.Sections = append(s.Sections, sectionsAt(m, fn, at)...)
		if len(s.Sections) > 0 {
			list = append(list, s)
		}
	}
	for _, u := range UsesOf(m, fn) {
		add(Step{Use: u}, u.At)
	}
	for _, c := range m.Calls(fn) {
		to := m.CalledBy(c)
		if to == nil || to == fn || m.Deferred(c) {
			continue
		}
		for _, u := range usesBehind(m, to) {
			s := Step{Use: access.Use{Variable: u.Variable, In: fn, At: c.Call, Write: u.Write, Obj: u.Obj}, Call: to}
			for key := range order.Takes(m, to) {
				if guards.At(m, u, key) == guards.Always {
					s.Sections = append(s.Sections, key+" taken at "+strconv.Itoa(int(c.Call.Pos())))
				}
			}
			add(s, c.Call)
		}
	}
	slices.SortStableFunc(list, func(a, b Step) int { return cmp.Compare(a.At.Pos(), b.At.Pos()) })
	tables.Of(m).steps[fn] = list
	return list
}

// usesBehind are the uses that a function and what it calls make, one read and one write of
// each variable at most.
func usesBehind(m *locks.View, fn *program.Func) []access.Use {
	type kind struct {
		key   string
		write bool
	}
	found := make(map[kind]access.Use)
	for to := range m.Running(fn) {
		for _, u := range UsesOf(m, to) {
			k := kind{u.Key, u.Write}
			if o, known := found[k]; !known || u.At.Pos() < o.At.Pos() {
				found[k] = u
			}
		}
	}
	list := make([]access.Use, 0, len(found))
	for _, u := range found {
		list = append(list, u)
	}
	slices.SortFunc(list, func(a, b access.Use) int { return cmp.Compare(a.At.Pos(), b.At.Pos()) })
	return list
}

// sectionsAt names the sections that a place of a function is in: each by its lock and where
// the text before takes that last.
func sectionsAt(m *locks.View, fn *program.Func, at ast.Node) []string {
	n := m.NodeOf(fn, at)
	if n == nil {
		return nil
	}
	var list []string
	for _, f := range m.Flows(fn) {
		if h, _ := f.At(n); !h.Always {
			continue
		}
		taken := sections.TakenBefore(m, fn, f.Lock, at.Pos())
		list = append(list, f.Lock.Key+" taken at "+strconv.Itoa(int(taken)))
	}
	return list
}

// KeyOfSection is the key of a section's lock.
func KeyOfSection(section string) string {
	key, _, _ := strings.Cut(section, " taken at ")
	return key
}

// Share reports whether two steps are in a section together.
func (s Step) Share(o Step) bool {
	return slices.ContainsFunc(s.Sections, func(name string) bool { return slices.Contains(o.Sections, name) })
}

// SameLock reports whether two steps are in sections of one lock.
func (s Step) SameLock(o Step) bool {
	return slices.ContainsFunc(s.Sections, func(name string) bool {
		return slices.ContainsFunc(o.Sections, func(other string) bool { return KeyOfSection(name) == KeyOfSection(other) })
	})
}

// UsesOf are the uses of a function's own text, those left out at which nobody can get in
// the way, and those of what is atomic.
func UsesOf(m *locks.View, fn *program.Func) []access.Use {
	list, known := tables.Of(m).usesBy[fn]
	if !known && !fn.File.Test && !fn.File.Generated {
		list = slices.DeleteFunc(access.In(m, fn), func(u access.Use) bool { return u.Alone || u.Atomic })
		tables.Of(m).usesBy[fn] = list
	}
	return list
}

// AllSteps are the steps of the program's functions, tests left out, by the functions' names.
func AllSteps(m *locks.View) map[string][]Step {
	all := make(map[string][]Step)
	for _, fn := range m.Shipped() {
		if list := Steps(m, fn); len(list) > 0 {
			all[fn.Name] = list
		}
	}
	return all
}

// Reopens reports whether a loop over what a lock guards releases the lock in its body and
// takes it again: the next round goes on with what may have changed. One that only asks a condition, with the lock
// held, asks anew each time.
func Reopens(m *locks.View, fn *program.Func) (at ast.Node, of access.Use, lock string, found bool) {
	uses := UsesOf(m, fn)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		body, header := loopOf(n)
		if body == nil || found {
			_, lit := n.(*ast.FuncLit)
			return !lit && !found
		}
		for _, u := range uses {
			if !header(u.At) {
				continue
			}
			for _, key := range releasedIn(m, fn, body) {
				if guards.At(m, u, key) == guards.Always {
					at, of, lock, found = n, u, key, true
					return false
				}
			}
		}
		return true
	})
	return at, of, lock, found
}

// loopOf is the body of a loop, and whether a node is in what decides its rounds.
func loopOf(n ast.Node) (body *ast.BlockStmt, header func(ast.Node) bool) {
	var within []ast.Node
	switch n := n.(type) {
	case *ast.ForStmt:
		body = n.Body
		if n.Cond != nil && n.Post != nil {
			within = append(within, n.Cond)
		}
	case *ast.RangeStmt:
		body, within = n.Body, []ast.Node{n.X}
	}
	return body, func(at ast.Node) bool { return syntax.Within(at, within...) }
}

// releasedIn are the keys of the locks that a loop's body releases and takes again.
func releasedIn(m *locks.View, fn *program.Func, body *ast.BlockStmt) []string {
	released := make(map[naming.Path]bool)
	var keys []string
	for _, c := range m.Calls(fn) {
		op, ok := program.LockMethod(fn.Info(), c.Call.Fun)
		if !ok || !syntax.Within[ast.Node](c.Call, body) || m.Deferred(c) {
			continue
		}
		l := m.LockOf(fn, op)
		switch op.Method {
		case "Unlock", "RUnlock":
			released[l.Path] = true
		case "Lock", "RLock":
			if released[l.Path] {
				keys = append(keys, l.Key)
			}
		}
	}
	return keys
}

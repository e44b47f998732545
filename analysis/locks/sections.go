package locks

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis/syntax"
)

// A step is a use of a variable in a function, or a call that comes to one, with the
// sections of the function that it is in.
type step struct {
	Use
	call     *Func    // what is called; nil: the function itself uses the variable
	text     string   // as it is written, the same in a program and its mutants
	sections []string // that the function has taken, and that what is called takes
}

// stepsOf lists the steps of a function's text under locks, in source order.
func (m *View) stepsOf(fn *Func) []step {
	list, known := m.steps[fn]
	if known {
		return list
	}
	add := func(s step, at ast.Expr) {
		s.text = verb(s.Use) + " " + s.Key + " " + types.ExprString(at)
		s.sections = append(s.sections, m.sectionsAt(fn, at)...)
		if len(s.sections) > 0 {
			list = append(list, s)
		}
	}
	for _, u := range m.usesOf(fn) {
		add(step{Use: u}, u.At)
	}
	for _, c := range m.callsOf(fn) {
		to := m.calledBy(c)
		if to == nil || to == fn || m.deferred(c) {
			continue
		}
		for _, u := range m.usesBehind(to) {
			s := step{Use: Use{Variable: u.Variable, In: fn, At: c.call, Write: u.Write, obj: u.obj}, call: to}
			for key := range m.takes(to) {
				if m.guards(u, key) == Always {
					s.sections = append(s.sections, key+" taken at "+strconv.Itoa(int(c.call.Pos())))
				}
			}
			add(s, c.call)
		}
	}
	slices.SortStableFunc(list, func(a, b step) int { return cmp.Compare(a.At.Pos(), b.At.Pos()) })
	m.steps[fn] = list
	return list
}

// usesBehind are the uses that a function and what it calls make, one read and one write of
// each variable at most.
func (m *View) usesBehind(fn *Func) []Use {
	type kind struct {
		key   string
		write bool
	}
	found := make(map[kind]Use)
	for to := range m.running(fn) {
		for _, u := range m.usesOf(to) {
			k := kind{u.Key, u.Write}
			if o, known := found[k]; !known || u.At.Pos() < o.At.Pos() {
				found[k] = u
			}
		}
	}
	list := make([]Use, 0, len(found))
	for _, u := range found {
		list = append(list, u)
	}
	slices.SortFunc(list, func(a, b Use) int { return cmp.Compare(a.At.Pos(), b.At.Pos()) })
	return list
}

// sectionsAt names the sections that a place of a function is in: each by its lock and where
// the text before takes that last.
func (m *View) sectionsAt(fn *Func, at ast.Node) []string {
	n := m.nodeOf(fn, at)
	if n == nil {
		return nil
	}
	var list []string
	for _, f := range m.flowsOf(fn) {
		if h, _ := f.at(n); !h.Always {
			continue
		}
		taken := m.takenBefore(fn, f.lock, at.Pos())
		list = append(list, f.lock.Key+" taken at "+strconv.Itoa(int(taken)))
	}
	return list
}

// keyOfSection is the key of a section's lock.
func keyOfSection(section string) string {
	key, _, _ := strings.Cut(section, " taken at ")
	return key
}

// share reports whether two steps are in a section together.
func (s step) share(o step) bool {
	return slices.ContainsFunc(s.sections, func(name string) bool { return slices.Contains(o.sections, name) })
}

// sameLock reports whether two steps are in sections of one lock.
func (s step) sameLock(o step) bool {
	return slices.ContainsFunc(s.sections, func(name string) bool {
		return slices.ContainsFunc(o.sections, func(other string) bool { return keyOfSection(name) == keyOfSection(other) })
	})
}

// usesOf are the uses of a function's own text, those left out at which nobody can get in
// the way, and those of what is atomic.
func (m *View) usesOf(fn *Func) []Use {
	list, known := m.usesBy[fn]
	if !known && !fn.File.Test && !fn.File.Generated {
		list = slices.DeleteFunc(m.usesIn(fn), func(u Use) bool { return u.Alone || u.Atomic })
		m.usesBy[fn] = list
	}
	return list
}

// allSteps are the steps of the program's functions, tests left out, by the functions' names.
func (m *View) allSteps() map[string][]step {
	all := make(map[string][]step)
	for _, fn := range m.shipped() {
		if list := m.stepsOf(fn); len(list) > 0 {
			all[fn.Name] = list
		}
	}
	return all
}

// reopens reports whether a loop over what a lock guards releases the lock in its body and
// takes it again: the next round goes on with what may have changed.
func (m *View) reopens(fn *Func) (at ast.Node, of Use, lock string, found bool) {
	uses := m.usesOf(fn)
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
			for _, key := range m.releasedIn(fn, body) {
				if m.guards(u, key) == Always {
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
		if n.Cond != nil {
			within = append(within, n.Cond)
		}
	case *ast.RangeStmt:
		body, within = n.Body, []ast.Node{n.X}
	}
	return body, func(at ast.Node) bool { return syntax.Within(at, within...) }
}

// releasedIn are the keys of the locks that a loop's body releases and takes again.
func (m *View) releasedIn(fn *Func, body *ast.BlockStmt) []string {
	released := make(map[Path]bool)
	var keys []string
	for _, c := range m.callsOf(fn) {
		op, ok := lockMethod(fn.info(), c.call.Fun)
		if !ok || !syntax.Within[ast.Node](c.call, body) || m.deferred(c) {
			continue
		}
		l := m.lockOf(fn, op)
		switch op.method {
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

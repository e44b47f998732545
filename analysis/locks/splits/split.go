package splits

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A section is split when a value is read under a lock, the lock is released,
// and what follows from the value is written back under a later acquisition:
//
//	mu.Lock()                        mu.Lock()
//	n := total                       known := set[key]
//	mu.Unlock()                      mu.Unlock()
//	n++                              if !known {
//	mu.Lock()                        	install(key) // locks mu, writes set
//	total = n                        }
//	mu.Unlock()
//
// There is no data race, and yet another goroutine's update in between is lost.
// That the second section asks about the variable before it writes (double-checked
// locking) makes it whole, and so does a first one that claims what the second does (claim.go, reserve.go), or an
// element that is asked under its own lock before it is removed (itself.go). A version that the second section
// compares (version.go) and a channel that lets one goroutine through (turns.go) do so, too. A read that is made
// again in between (later.go), or whose section does itself what follows from it (back.go), is part of no split.
// Follows from means along assignments to local variables in the order of the text, by conditions around the second
// section, and by an early exit behind the first. Both sections may be in what is called.

// A Split is a section that a function has in two parts.
type Split struct {
	In            *program.Func
	Lock          string // key
	Read, Written access.Use

	Text string // from the read to the write
}

// Same reports whether two splits, of two programs perhaps, are of the same function, lock
// and variable.
func (s Split) Same(o Split) bool {
	return s.In.Name == o.In.Name && s.Lock == o.Lock && s.Read.Key == o.Read.Key
}

// All lists the splits of the program's functions, tests left out, in their order; one
// of each variable and lock of a function.
func All(of *locks.Model) []Split {
	m := of.Lock()
	defer of.Unlock()
	return In(m, m.Shipped())
}

// In lists the splits of some functions.
func In(m *locks.View, fns []*program.Func) []Split {
	var found []Split
	for _, fn := range fns {
		steps := Steps(m, fn)
		for i, r := range steps {
			for _, w := range steps[i+1:] {
				if s, ok := split(m, steps, r, w); ok && !slices.ContainsFunc(found, s.Same) {
					found = append(found, s)
				}
			}
		}
	}
	return found
}

// split judges a read and a later write.
func split(m *locks.View, steps []Step, r, w Step) (Split, bool) {
	if r.Key != w.Key || r.Write || !w.Write || r.At.End() > w.At.Pos() || r.Share(w) || Elsewhere(m, r, w) {
		return Split{}, false
	}
	if r.Call != nil && w.Call != nil && len(sectionsAt(m, w.In, w.At)) == 0 { // each keeps its own promise
		return Split{}, false
	}
	lock := r.Common(w)
	if lock == "" || asksAgain(m, steps, w) || !follows(m, r, w) || removesItself(m, r, w) || claimed(m, steps, r, w) || reserved(m, steps, r, w) {
		return Split{}, false
	}
	if askedLater(m, steps, r, w) || validated(m, steps, w) || givesBack(m, steps, r, w) || takesTurns(m, r, w) {
		return Split{}, false
	}
	return Split{In: r.In, Lock: lock, Read: r.Use, Written: w.Use, Text: textBetween(m, r, w)}, true
}

// Elsewhere reports whether two steps are about two values, as far as they have names: what
// is read from one and written to the other is copied.
func Elsewhere(m *locks.View, r, w Step) bool {
	return r.Base.Known() && w.Base.Known() && r.Base.Root != w.Base.Root
}

// Common is the key of a lock that both steps' sections have; "" if there is none.
func (s Step) Common(o Step) string {
	for _, name := range s.Sections {
		for _, other := range o.Sections {
			if KeyOfSection(name) == KeyOfSection(other) {
				return KeyOfSection(name)
			}
		}
	}
	return ""
}

// textBetween is the source from one step to another, releases left out: one that is added
// at an exit in between mends something else.
func textBetween(m *locks.View, r, w Step) string {
	offset := func(pos token.Pos) int { return m.Fset.PositionFor(pos, false).Offset }
	from, to, source := offset(r.At.Pos()), offset(w.At.Pos()), r.In.File.Source
	if from > to || to > len(source) {
		return ""
	}
	var text strings.Builder
	add := func(end int) { text.WriteString(strings.TrimRight(string(source[from:end]), " \t\n")) }
	ast.Inspect(r.In.Body, func(n ast.Node) bool {
		if n == nil || offset(n.Pos()) < from || offset(n.End()) > to {
			return true
		}
		if call := locks.StatementCall(n); call != nil {
			if op, ok := program.LockMethod(r.In.Info(), call.Fun); ok && strings.HasSuffix(op.Method, "Unlock") {
				add(offset(n.Pos()))
				from = offset(n.End())
				return false
			}
		}
		return true
	})
	add(to)
	return text.String()
}

// asksAgain reports whether the section of a write decides by the variable itself: by a use of
// its own, or by what a call in it returns that reads the variable.
func asksAgain(m *locks.View, steps []Step, w Step) bool {
	asks := slices.ContainsFunc(steps, func(s Step) bool {
		return !s.Write && s.Key == w.Key && s.At != w.At && s.At.Pos() < w.At.Pos() && s.Share(w) && decides(s.In, s.At)
	})
	if asks || w.Call == nil {
		return asks
	}
	for to := range m.Running(w.Call) {
		for _, u := range UsesOf(m, to) {
			if !u.Write && u.Key == w.Key && decides(to, u.At) {
				return true
			}
		}
	}
	return false
}

// decides reports whether a statement decides by an expression, or by a local variable that has
// its value.
func decides(fn *program.Func, e ast.Expr) bool {
	t := &taint{info: fn.Info(), read: e, vars: make(map[types.Object]bool)}
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if n == nil || found || n.End() < e.Pos() {
			return !found
		}
		t.follow(n)
		found = slices.ContainsFunc(conditions(n), t.in)
		return !found
	})
	return found
}

// conditions are what a statement decides by.
func conditions(n ast.Node) []ast.Node {
	var conds []ast.Node
	add := func(n ast.Node, present bool) {
		if present {
			conds = append(conds, n)
		}
	}
	switch n := n.(type) {
	case *ast.IfStmt:
		add(n.Init, n.Init != nil)
		add(n.Cond, true)
	case *ast.ForStmt:
		add(n.Cond, n.Cond != nil)
	case *ast.RangeStmt:
		add(n.X, true)
	case *ast.SwitchStmt:
		add(n.Init, n.Init != nil)
		add(n.Tag, n.Tag != nil)
	case *ast.CaseClause:
		for _, e := range n.List {
			add(e, true)
		}
	}
	return conds
}

// follows reports whether a write depends on what was read: by the values of local
// variables, or because the function is left early.
func follows(m *locks.View, r, w Step) bool {
	t := &taint{info: r.In.Info(), read: r.At, vars: make(map[types.Object]bool)}
	follows := false
	syntax.Walk(r.In.Body, func(n ast.Node, path []ast.Node) {
		t.follow(n)
		if _, ok := n.(*ast.ReturnStmt); ok {
			between := r.At.Pos() <= n.Pos() && n.Pos() < w.At.Pos()
			follows = follows || between && t.decided(path)
		}
		if e, ok := n.(ast.Expr); ok && e == w.At {
			follows = follows || t.decided(path) || t.gives(path, w)
		}
	})
	return follows
}

// A taint is the local variables that have a value which was read.
type taint struct {
	info *types.Info
	read ast.Expr
	vars map[types.Object]bool
}

// follow adds the variables to which a statement gives such a value.
func (t *taint) follow(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.End() >= t.read.Pos() && slices.ContainsFunc(n.Rhs, func(e ast.Expr) bool { return t.in(e) }) {
			t.add(n.Lhs...)
		}
	case *ast.RangeStmt:
		if t.in(n.X) {
			t.add(n.Key, n.Value)
		}
	}
}

func (t *taint) add(assigned ...ast.Expr) {
	for _, e := range assigned {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			t.vars[t.info.ObjectOf(id)] = true
		}
	}
}

// in reports whether code names such a variable, or is where the value is read.
func (t *taint) in(code ast.Node) bool {
	return code != nil && syntax.Any(code, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && t.vars[t.info.ObjectOf(id)] || n == ast.Node(t.read)
	})
}

// decided reports whether a condition on the path to a node is about the value.
func (t *taint) decided(path []ast.Node) bool {
	return slices.ContainsFunc(path, func(n ast.Node) bool { return slices.ContainsFunc(conditions(n), t.in) })
}

// gives reports whether the value is assigned by the write, or given to the call that writes.
func (t *taint) gives(path []ast.Node, w Step) bool {
	if w.Call != nil {
		return t.in(w.At)
	}
	for i := len(path) - 1; i >= 0; i-- {
		switch s := path[i].(type) {
		case *ast.AssignStmt:
			return slices.ContainsFunc(s.Rhs, func(e ast.Expr) bool { return t.in(e) }) || t.in(w.At)
		case ast.Stmt:
			return t.in(s)
		}
	}
	return false
}

// UsedWith reports whether the function of a split uses a variable under the split's lock.
func UsedWith(m *locks.View, s Split, key string) bool {
	return slices.ContainsFunc(Steps(m, s.In), func(st Step) bool {
		return st.Key == key && slices.ContainsFunc(st.Sections, func(name string) bool { return KeyOfSection(name) == s.Lock })
	})
}

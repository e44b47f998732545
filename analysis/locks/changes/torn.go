package changes

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/guards"
	"mendel/analysis/locks/order"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/splits"
	"mendel/analysis/syntax"
)

// torn finds what the change takes out of one section into two, so that others see what is
// between, or change what was asked.
func (c *comparison) torn() {
	was, now := splits.AllSteps(c.before), splits.AllSteps(c.after)
	together := together(c.after, now)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		had, apart := c.pairs(was[name])
		for i, a := range now[name] {
			for _, b := range now[name][i+1:] {
				pair := [2]string{a.Text, b.Text}
				if had[pair] && !apart[pair] && !a.Share(b) && a.At != b.At && a.SameLock(b) && !askedWith(now[name], a, b) &&
					!joins(was[name], now[name], a) && !joins(was[name], now[name], b) {
					c.tornPair(now[name], a, b, together)
				}
				if together[[2]string{a.Key, b.Key}] && c.readApart(name, now[name], a, b) {
					c.report(SplitSection, b.Use, "%s and %s are read in two sections, and change in one elsewhere", a.Name, b.Name)
				}
			}
		}
	}
}

// readApart reports whether a function that only looks reads two fields of one value in two sections of a lock, and
// one of them without it before the change: who guards that alone has one from before and one from after a change of both.
func (c *comparison) readApart(name string, all []splits.Step, a, b splits.Step) bool {
	if slices.ContainsFunc(all, func(s splits.Step) bool { return s.Write }) || c.usedBare(name, a) == c.usedBare(name, b) {
		return false
	}
	return a.Key != b.Key && ownerOf(a) != "" && ownerOf(a) == ownerOf(b) && a.At != b.At && !a.Share(b) && a.SameLock(b) &&
		!inOne(all, a.Text, b.Text) && !askedWith(all, a, b) && !askedWith(all, b, a)
}

// usedBare reports whether a function of the original uses itself what a step does, and not under a lock.
func (c *comparison) usedBare(name string, s splits.Step) bool {
	was := c.before.Named(name)
	if was == nil || s.Call != nil {
		return false
	}
	same := func(key string, at ast.Expr) bool {
		return key == s.Key && types.ExprString(at) == types.ExprString(s.At)
	}
	return slices.ContainsFunc(splits.UsesOf(c.before, was), func(u access.Use) bool { return same(u.Key, u.At) }) &&
		!slices.ContainsFunc(splits.Steps(c.before, was), func(o splits.Step) bool { return same(o.Key, o.At) })
}

// ownerOf is the value whose field a step uses, or whose method it calls, as it is written.
func ownerOf(s splits.Step) string {
	at := ast.Unparen(s.At)
	if call, ok := at.(*ast.CallExpr); ok {
		at = ast.Unparen(call.Fun)
	}
	if sel, ok := at.(*ast.SelectorExpr); ok {
		return types.ExprString(sel.X)
	}
	return ""
}

// askedWith reports whether what was read by a step is read again in the section of another one.
func askedWith(all []splits.Step, a, b splits.Step) bool {
	return !a.Write && slices.ContainsFunc(all, func(s splits.Step) bool { return s.Text == a.Text && s.At != a.At && s.Share(b) })
}

// joins reports whether a write has left a section for the one that asks for what it writes, and was not in that:
// who asks first has it, and nobody else.
func joins(was, now []splits.Step, w splits.Step) bool {
	return w.Write && slices.ContainsFunc(now, func(q splits.Step) bool {
		return !q.Write && q.Key == w.Key && q.At != w.At && q.Share(w) && !inOne(was, q.Text, w.Text)
	})
}

// inOne reports whether steps that are written as two others are share a section.
func inOne(steps []splits.Step, a, b string) bool {
	return slices.ContainsFunc(steps, func(x splits.Step) bool {
		return x.Text == a && slices.ContainsFunc(steps, func(y splits.Step) bool { return y.Text == b && x.Share(y) })
	})
}

// pairs are the pairs of steps of a function of the original, as they are written, that are
// in one section, and those that are not.
func (c *comparison) pairs(steps []splits.Step) (shared, apart map[[2]string]bool) {
	shared, apart = make(map[[2]string]bool), make(map[[2]string]bool)
	for i, a := range steps {
		for _, b := range steps[i+1:] {
			pair := [2]string{a.Text, b.Text}
			switch {
			case !a.Share(b), waitsBetween(a, b):
				apart[pair] = true
			case ownGuard(c.before, a) && ownGuard(c.before, b):
				shared[pair] = true
			}
		}
	}
	return shared, apart
}

// waitsBetween reports whether a function waits for a condition variable between two steps, in the order of its
// text: the lock is let go meanwhile, and others see what is between.
func waitsBetween(a, b splits.Step) bool {
	return a.In == b.In && syntax.Any(a.In.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() < a.At.Pos() || b.At.Pos() < call.Pos() {
			return false
		}
		f := syntax.Callee(a.In.Info(), call.Fun)
		return f != nil && f.FullName() == "(*sync.Cond).Wait"
	})
}

// tornPair judges two steps that were in one section and are in two now.
func (c *comparison) tornPair(all []splits.Step, a, b splits.Step, together map[[2]string]bool) {
	pair := [2]string{a.Key, b.Key}
	switch {
	case a.Write && b.Write && (a.Key == b.Key && a.Base != b.Base && seenTogether(c.after, a, b) || together[pair]):
		c.report(SplitSection, b.Use, "%s and %s are written in two sections, which were one: others see what is between", a.Name, b.Name)
	case !a.Write && b.Write && a.Key == b.Key && !splits.Elsewhere(c.after, a, b) && !c.rechecks(all, b):
		c.report(SplitSection, b.Use, "%s is written in a section that does not look at it again, and was read in one before", a.Name)
	case !a.Write && !b.Write && a.Key != b.Key && together[pair] && !inOne(all, a.Text, b.Text): // one more look is none
		c.report(SplitSection, b.Use, "%s and %s are read in two sections, and change in one elsewhere", a.Name, b.Name)
	}
}

// seenTogether reports whether another function holds the locks of several values at once, as
// who wants to see nothing that is between two of them does.
func seenTogether(m *locks.View, a, b splits.Step) bool {
	key := a.Common(b)
	return slices.ContainsFunc(order.List(m), func(e order.Edge) bool { return e.Held == key && e.Taken == key && e.In.Name != a.In.Name })
}

// ownGuard reports whether one of a step's sections is that of a lock which guards its
// variable, of the same value where the lock is a field.
func ownGuard(m *locks.View, s splits.Step) bool {
	return s.Call != nil || slices.ContainsFunc(s.Sections, func(name string) bool { return guards.At(m, s.Use, splits.KeyOfSection(name)) == guards.Always })
}

// rechecks reports whether the section of a write looks at the variable itself, too. What is
// called and is older than the change does not know what was asked before.
func (c *comparison) rechecks(all []splits.Step, w splits.Step) bool {
	if w.Call != nil {
		return c.before.Named(w.Call.Name) == nil
	}
	return slices.ContainsFunc(all, func(s splits.Step) bool { return !s.Write && s.Key == w.Key && s.Share(w) })
}

// together are the pairs of variables that some section writes both of.
func together(m *locks.View, all map[string][]splits.Step) map[[2]string]bool {
	found := make(map[[2]string]bool)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, a := range all[name] {
			for _, b := range all[name] {
				if a.Key != b.Key && a.Write && b.Write && a.Share(b) {
					found[[2]string{a.Key, b.Key}] = true
				}
			}
		}
	}
	return found
}

// reopened finds loops that release the lock of what they go through, and did not before.
func (c *comparison) reopened() {
	for _, fn := range c.after.Shipped() {
		at, u, lock, found := splits.Reopens(c.after, fn)
		if !found {
			continue
		}
		if was := c.before.Named(fn.Name); was != nil {
			if _, _, _, had := splits.Reopens(c.before, was); had {
				continue
			}
		}
		c.reportAt(SplitSection, fn, at, u.Name, "the loop goes through %s and releases %s in each round", u.Name, shortKey(lock))
	}
}

// windows finds atomic variables that the change asks and then sets in two steps.
func (c *comparison) windows() {
	c.lateClaims()
	c.takenBack()
	find := func(m *locks.View) map[string]access.Use {
		found := make(map[string]access.Use)
		byFunc := make(map[*program.Func][]access.Use)
		for _, u := range access.List(m) {
			if u.Atomic && !u.Alone {
				byFunc[u.In] = append(byFunc[u.In], u)
			}
		}
		for fn, uses := range byFunc {
			for _, read := range uses {
				for _, write := range uses {
					if !read.Write && write.Write && read.Key == write.Key && read.At.Pos() < write.At.Pos() &&
						len(guards.LocksHeld(m, write)) == 0 && stored(fn, write.At) && leavesBy(fn, read.At) {
						found[fn.Name+" "+write.Key] = write
					}
				}
			}
		}
		return found
	}
	had, has := find(c.before), find(c.after)
	for _, key := range slices.Sorted(maps.Keys(has)) {
		if _, known := had[key]; !known {
			u := has[key]
			c.report(SplitSection, u, "%s is asked and set in two steps: two goroutines can both be first", u.Name)
		}
	}
}

// stored reports whether an atomic variable is set by Store.
func stored(fn *program.Func, e ast.Expr) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && ast.Unparen(sel.X) == e && sel.Sel.Name == "Store" {
			found = true
		}
		return !found
	})
	return found
}

// leavesBy reports whether an expression is in the condition of an if whose body leaves the function.
func leavesBy(fn *program.Func, e ast.Expr) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.IfStmt)
		if ok && syntax.Within[ast.Node](e, s.Cond) && len(s.Body.List) > 0 {
			_, found = s.Body.List[len(s.Body.List)-1].(*ast.ReturnStmt)
		}
		return !found
	})
	return found
}

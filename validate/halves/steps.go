package halves

import (
	"go/ast"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// steps finds atomic fields that a function asks in a condition and then changes, in two steps, where
// the patch makes one step of that for another field or in another function: by a compare-and-swap, or by a lock.
func (c *change) steps() (found []Finding) {
	mended := false
	for _, fn := range c.after.funcs {
		was := c.before.named[fn.name]
		if was == nil || !c.changed(fn) {
			continue
		}
		now := c.after.twoSteps(fn)
		mended = mended || slices.ContainsFunc(c.before.twoSteps(was), func(s twoStep) bool {
			return !slices.ContainsFunc(now, func(o twoStep) bool { return o.of == s.of })
		})
	}
	if !mended {
		return nil
	}
	for _, fn := range c.after.funcs {
		for _, s := range c.after.twoSteps(fn) {
			found = append(found, c.at(fn, s.asked.Pos(), "%s is asked here and changed later, in two steps: others may come in between, as the change keeps them from doing elsewhere", s.of.name))
		}
	}
	return found
}

// A twoStep is an atomic field that a function asks and then changes.
type twoStep struct {
	of    field
	asked ast.Node
}

// twoSteps lists those of a function that runs under no lock, as far as its text and its callers' show.
func (v *version) twoSteps(fn *function) (all []twoStep) {
	asked := map[field]ast.Node{}
	swaps := map[field]bool{}
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		f := syntax.Callee(fn.info(), call.Fun)
		sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if f == nil || !method || !strings.HasPrefix(f.FullName(), "(*sync/atomic.") {
			return
		}
		of, ok := fieldOf(fn.info(), sel.X)
		if !ok {
			return
		}
		switch f.Name() {
		case "Load":
			if asked[of] == nil && inCondition(call, path) {
				asked[of] = call
			}
		case "Store", "Add":
			if asked[of] != nil && !slices.ContainsFunc(all, func(s twoStep) bool { return s.of == of }) {
				all = append(all, twoStep{of, asked[of]})
			}
		default:
			swaps[of] = true
		}
	})
	all = slices.DeleteFunc(all, func(s twoStep) bool { return swaps[s.of] })
	if len(all) > 0 && v.locked(fn, 0) {
		return nil
	}
	return all
}

// inCondition says whether a call is in the condition of an if or for.
func inCondition(call ast.Node, path []ast.Node) bool {
	for _, n := range path {
		switch n := n.(type) {
		case *ast.IfStmt:
			if n.Cond != nil && syntax.Within(call, n.Cond) {
				return true
			}
		case *ast.ForStmt:
			if n.Cond != nil && syntax.Within(call, n.Cond) {
				return true
			}
		}
	}
	return false
}

// locked says whether a function takes a lock, or all who call it by name do, some calls up.
func (v *version) locked(fn *function, depth int) bool {
	if syntax.Any(fn.Body, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		return ok && slices.Contains([]string{"Lock", "RLock"}, lockMethod(fn.info(), e))
	}) {
		return true
	}
	if depth > 2 || fn.Name.IsExported() {
		return false
	}
	called := false
	for _, from := range v.funcs {
		if from == fn || !syntax.Any(from.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return false
			}
			f := syntax.Callee(from.info(), call.Fun)
			return f != nil && f.FullName() == fn.name
		}) {
			continue
		}
		if called = true; !v.locked(from, depth+1) {
			return false
		}
	}
	return called
}

package halves

import (
	"go/ast"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// steps finds atomic fields that a function asks in a condition and then changes, in two steps, where
// the patch makes one step of that for another field or in another function: by a compare-and-swap, or by a lock.
func steps(c *pair.Change) (found []pair.Finding) {
	mended := false
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) {
			continue
		}
		now := twoSteps(c.After, fn)
		mended = mended || slices.ContainsFunc(twoSteps(c.Before, was), func(s twoStep) bool {
			return !slices.ContainsFunc(now, func(o twoStep) bool { return o.of == s.of })
		})
	}
	if !mended {
		return nil
	}
	for _, fn := range c.After.Funcs {
		for _, s := range twoSteps(c.After, fn) {
			found = append(found, c.At(fn, s.asked.Pos(), "%s is asked here and changed later, in two steps: others may come in between, as the change keeps them from doing elsewhere", s.of.Name))
		}
	}
	return found
}

// A twoStep is an atomic field that a function asks and then changes.
type twoStep struct {
	of             pair.Field
	asked, changed ast.Node
}

// gates finds atomic fields that a function asks in order to return, and then sets, in two steps, where the patch has
// a part of what comes behind done once only. Two goroutines come through such a gate, and both do the rest.
//
//	if c.closing.Load() {
//		return
//	}
//	c.closing.Store(true)
//	c.err = reason
//	c.once.Do(func() { close(c.done) }) // the patch: close(c.done)
func gates(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) || onces(fn) <= onces(was) {
			continue
		}
		for _, s := range twoStepsIn(c.After, fn) {
			if returnsIf(fn, s.asked) && !locksBefore(fn, s.changed) && otherEffects(fn, s.changed) {
				found = append(found, c.At(fn, s.asked.Pos(), "%s is asked here and set later, in two steps: two goroutines come through, and what is not done once is done by both", s.of.Name))
			}
		}
	}
	return found
}

// onces counts the calls of (*sync.Once).Do of a function.
func onces(fn *pair.Function) (n int) {
	ast.Inspect(fn.Body, func(x ast.Node) bool {
		if call, ok := x.(*ast.CallExpr); ok {
			if f := syntax.Callee(fn.Info(), call.Fun); f != nil && f.FullName() == "(*sync.Once).Do" {
				n++
			}
		}
		return true
	})
	return n
}

// returnsIf reports whether a node is in the condition of an if statement that ends the function.
func returnsIf(fn *pair.Function, asked ast.Node) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.IfStmt)
		if !ok || !syntax.Within(asked, s.Cond) || len(s.Body.List) == 0 {
			return false
		}
		_, returns := s.Body.List[len(s.Body.List)-1].(*ast.ReturnStmt)
		return returns
	})
}

// locksBefore reports whether a function takes a lock before a node, in the order of its text.
func locksBefore(fn *pair.Function, at ast.Node) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		return ok && n.Pos() < at.Pos() && slices.Contains([]string{"Lock", "RLock"}, pair.LockMethod(fn.Info(), e))
	})
}

// otherEffects reports whether a function sets a field, or deletes from a map, behind a node: what two goroutines
// that do it do twice.
func otherEffects(fn *pair.Function, behind ast.Node) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() < behind.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool {
				_, ok := pair.FieldOf(fn.Info(), e)
				return ok
			})
		case *ast.SendStmt:
			return true
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			return ok && id.Name == "delete"
		}
		return false
	})
}

// twoSteps lists those of a function that runs under no lock, as far as its text and its callers' show.
func twoSteps(v *pair.Version, fn *pair.Function) []twoStep {
	all := twoStepsIn(v, fn)
	if len(all) > 0 && locked(v, fn, 0) {
		return nil
	}
	return all
}

// twoStepsIn lists those of a function.
func twoStepsIn(v *pair.Version, fn *pair.Function) (all []twoStep) {
	asked := map[pair.Field]ast.Node{}
	swaps := map[pair.Field]bool{}
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		f := syntax.Callee(fn.Info(), call.Fun)
		sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if f == nil || !method || !strings.HasPrefix(f.FullName(), "(*sync/atomic.") {
			return
		}
		of, ok := pair.FieldOf(fn.Info(), sel.X)
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
				all = append(all, twoStep{of, asked[of], call})
			}
		default:
			swaps[of] = true
		}
	})
	return slices.DeleteFunc(all, func(s twoStep) bool { return swaps[s.of] })
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
func locked(v *pair.Version, fn *pair.Function, depth int) bool {
	if syntax.Any(fn.Body, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		return ok && slices.Contains([]string{"Lock", "RLock"}, pair.LockMethod(fn.Info(), e))
	}) {
		return true
	}
	if depth > 2 || fn.Name.IsExported() {
		return false
	}
	called := false
	for _, from := range v.Funcs {
		if from == fn || !syntax.Any(from.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return false
			}
			f := syntax.Callee(from.Info(), call.Fun)
			return f != nil && f.FullName() == fn.FullName
		}) {
			continue
		}
		if called = true; !locked(v, from, depth+1) {
			return false
		}
	}
	return called
}

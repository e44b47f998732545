package splits

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// AsksApart are the steps, one of a function, that go by the variable of a split which is whole now, in a later
// section than the one that asks.
func AsksApart(m *locks.View, o Split) (left []Step) {
	whole := m.Named(o.In.Name)
	if whole == nil {
		return nil
	}
	acts := make(map[string]bool) // what is written in the section that sets the variable
	for _, set := range Steps(m, whole) {
		if !set.Write || set.Key != o.Read.Key {
			continue
		}
		for _, s := range Steps(m, whole) {
			if s.Write && s.Key != o.Read.Key && s.Share(set) {
				acts[s.Key] = true
			}
		}
	}
	for _, fn := range m.Shipped() {
		if fn == whole {
			continue
		}
		steps := Steps(m, fn)
		goesBy := func(r, w Step) bool {
			asks := func(s Step) bool { return !s.Write && s.Key == r.Key && s.Share(w) }
			return w.Write && acts[w.Key] && w.At.Pos() > r.At.End() && !r.Share(w) && r.Common(w) == o.Lock &&
				!slices.ContainsFunc(steps, asks) && follows(m, r, w)
		}
		for _, r := range steps {
			acted := func(s Step) bool { return s.Write && s.Share(r) }
			if r.Write || r.Key != o.Read.Key || slices.ContainsFunc(steps, acted) {
				continue
			}
			if i := slices.IndexFunc(steps, func(w Step) bool { return goesBy(r, w) }); i >= 0 && !takesOnly(m, steps, steps[i].At) {
				left = append(left, steps[i])
				break
			}
		}
	}
	return left
}

// takesOnly reports whether what a function does at a place is to take out all that is in a list or map: who has set
// what it has asked for meanwhile has left nothing there.
func takesOnly(m *locks.View, steps []Step, at ast.Expr) bool {
	some := false
	for _, w := range steps {
		if w.At != at || !w.Write || !holdsElements(w.Obj.Type()) {
			continue
		}
		if !empties(m, w) {
			return false
		}
		some = true
	}
	return some
}

func holdsElements(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// empties reports whether a write, or all that a call comes to, leaves nothing: it assigns nil, or what is made new.
func empties(m *locks.View, w Step) bool {
	if w.Call == nil {
		return leavesNothing(w.In, w.At)
	}
	for to := range m.Running(w.Call) {
		for _, u := range UsesOf(m, to) {
			if u.Write && u.Key == w.Key && !leavesNothing(to, u.At) {
				return false
			}
		}
	}
	return true
}

func leavesNothing(fn *program.Func, e ast.Expr) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return false
		}
		i := slices.IndexFunc(a.Lhs, func(to ast.Expr) bool { return ast.Unparen(to) == e })
		if i < 0 {
			return false
		}
		call, made := ast.Unparen(a.Rhs[i]).(*ast.CallExpr)
		return fn.Info().Types[a.Rhs[i]].IsNil() || made && syntax.Builtin(fn.Info(), call) == "make"
	})
}

// Behind lists, of some functions, what is written under a later acquisition of the lock under which a function
// that it calls has only read something else, and the write follows from that: one of each function.
//
//	backlog, err := s.since(n) // locks s.mu
//	if err != nil {
//		return err
//	}
//	s.mu.Lock()
//	s.readers = append(s.readers, r) // what came in between is in neither
//	s.mu.Unlock()
func Behind(m *locks.View, fns []*program.Func) (found []Split) {
	for _, fn := range fns {
		steps := Steps(m, fn)
		for _, r := range steps {
			if r.Write || r.Call == nil || slices.ContainsFunc(steps, func(s Step) bool { return s.Write && s.At == r.At }) {
				continue
			}
			i := slices.IndexFunc(steps, func(w Step) bool { return behind(m, steps, r, w) })
			if i >= 0 {
				found = append(found, Split{In: fn, Lock: r.Common(steps[i]), Read: r.Use, Written: steps[i].Use, Text: textBetween(m, r, steps[i])})
				break
			}
		}
	}
	return found
}

// behind reports whether a write follows from what a call has read under an earlier acquisition, and does not ask again.
func behind(m *locks.View, steps []Step, r, w Step) bool {
	again := func(s Step) bool { return !s.Write && s.Key == r.Key && s.Share(w) }
	return w.Write && w.Call == nil && w.Key != r.Key && r.At.End() <= w.At.Pos() && !r.Share(w) && r.Common(w) != "" &&
		!ofAnother(r, w) && !slices.ContainsFunc(steps, again) && follows(m, r, w)
}

// ofAnother reports whether a call is a method's of another value than the one that is written to, as far as that
// has a name.
func ofAnother(call, w Step) bool {
	x, ok := call.At.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	root := syntax.Root(sel.X)
	return root != nil && w.Base.Known() && call.In.Info().ObjectOf(root) != w.Base.Root
}

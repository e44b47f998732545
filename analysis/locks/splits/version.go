package splits

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/syntax"
)

// A section that writes is whole, too, if it asks for a version of what was read, which those change who
// change that:
//
//	mu.Lock()
//	v, at := value, changes
//	mu.Unlock()
//	v = next(v)
//	mu.Lock()
//	if changes == at {
//		value = v
//	}
//	mu.Unlock()

// validated reports whether the section of a write compares another variable with what the function has kept, and
// writes only if that is as it was. Other functions change both in one section, all those that write without a
// look at what is there.
func validated(m *locks.View, steps []Step, w Step) bool {
	return slices.ContainsFunc(steps, func(s Step) bool {
		return !s.Write && s.Call == nil && s.Key != w.Key && s.Share(w) && s.At.Pos() < w.At.Pos() &&
			comparedWithOwn(s) && follows(m, s, w) && changedWith(m, s, w)
	})
}

// comparedWithOwn reports whether what is read is compared with a variable of the function.
func comparedWithOwn(s Step) bool {
	info := s.In.Info()
	own := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := info.Uses[id].(*types.Var)
		return ok && !v.IsField() && !syntax.PackageLevel(v)
	}
	return syntax.Any(s.In.Body, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || b.Op != token.EQL && b.Op != token.NEQ {
			return false
		}
		return syntax.Within[ast.Node](s.At, b.X) && own(b.Y) || syntax.Within[ast.Node](s.At, b.Y) && own(b.X)
	})
}

// changedWith reports whether there are other functions that change what a write is about, and all of them that do
// not ask for it change what a read is about in the same section.
func changedWith(m *locks.View, read, w Step) bool {
	some, all := false, true
	for _, fn := range m.Shipped() {
		if fn == w.In {
			continue
		}
		steps := Steps(m, fn)
		for _, o := range steps {
			if !o.Write || o.Key != w.Key || o.Call != nil || asksAgain(m, steps, o) {
				continue
			}
			with := slices.ContainsFunc(steps, func(s Step) bool { return s.Write && s.Key == read.Key && s.Share(o) })
			some, all = some || with, all && with
		}
	}
	return some && all
}

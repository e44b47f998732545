package splits

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/syntax"
)

// A section also claims what a later one does where it makes a note that it asks for itself, and the later
// section takes the note back, or works on it:
//
//	mu.Lock()
//	if taken[seat] || pending[seat] {
//		mu.Unlock()
//		return ErrTaken
//	}
//	pending[seat] = true
//	mu.Unlock()
//	price := ask(seat)
//	mu.Lock()
//	delete(pending, seat)
//	taken[seat] = true
//	mu.Unlock()
//
// Who comes between the two finds the note, and does not go on, or waits in a loop until it is gone.

// reserved reports whether the section of a read has made such a note for that of a write.
func reserved(m *locks.View, steps []Step, r, w Step) bool {
	for _, note := range steps {
		if !note.Write || !inLastRound(m, r, note) && !note.Share(r) || note.Share(w) || !note.In.LeadsTo(note.At, w.At.Pos()) {
			continue
		}
		if note.Call == nil && constantAt(note) != nil {
			continue // whether that value keeps others out is what claimed asks
		}
		asked := slices.ContainsFunc(steps, func(s Step) bool {
			return !s.Write && s.Key == note.Key && (s.Share(note) || inLastRound(m, s, note)) && s.At.Pos() <= note.At.Pos() && decidesBy(m, s) && leavesOn(s, w)
		})
		back := slices.ContainsFunc(steps, func(s Step) bool {
			return s.Write && s.Key == note.Key && s.Share(w) && !Elsewhere(m, note, s) && note.At.Pos() < s.At.Pos()
		})
		if asked && back {
			return true
		}
	}
	return false
}

// leavesOn reports whether a function is left between two steps by what the first reads or returns, or goes round
// until that is something else: a continue leads back, or nothing but a break leads out of the loop.
func leavesOn(r, w Step) (leaves bool) {
	t := &taint{info: r.In.Info(), read: r.At, vars: make(map[types.Object]bool)}
	syntax.Walk(r.In.Body, func(n ast.Node, path []ast.Node) {
		t.follow(n)
		out := false
		switch n := n.(type) {
		case *ast.ReturnStmt:
			out = true
		case *ast.BranchStmt:
			loop := endlessAround(n, path)
			out = loop != nil && loop.Pos() < r.At.Pos() && loop.End() < w.At.Pos() || n.Tok == token.CONTINUE && n.Label == nil && inOneLoop(path, r, w)
		}
		leaves = leaves || out && r.At.Pos() <= n.Pos() && n.Pos() < w.At.Pos() && t.decided(path)
	})
	return leaves
}

// inOneLoop reports whether the innermost loop of a path has both of two steps in its body.
func inOneLoop(path []ast.Node, r, w Step) bool {
	for _, n := range slices.Backward(path) {
		if body, _ := loopOf(n); body != nil {
			return syntax.Within[ast.Node](r.At, body) && syntax.Within[ast.Node](w.At, body)
		}
	}
	return false
}

// inLastRound reports whether a step is in a loop that only a break leaves, with a lock held, and a later step is
// in the section with which the loop ends so.
func inLastRound(m *locks.View, s, later Step) (is bool) {
	lock := s.Common(later)
	if lock == "" || s.In != later.In {
		return false
	}
	syntax.Walk(s.In.Body, func(n ast.Node, path []ast.Node) {
		b, ok := n.(*ast.BranchStmt)
		if !ok || b.Pos() < s.At.Pos() || len(path) < 2 {
			return
		}
		loop := endlessAround(b, path)
		decision, ok := path[len(path)-2].(*ast.IfStmt)
		if ok && loop != nil && loop.Pos() < s.At.Pos() && loop.End() < later.At.Pos() {
			is = is || slices.ContainsFunc(sectionsAt(m, s.In, decision.Cond), func(name string) bool { return KeyOfSection(name) == lock && slices.Contains(s.Sections, name) })
		}
	})
	return is
}

// endlessAround is the loop without a condition that a break without a label leaves; nil: it is no such break.
func endlessAround(b *ast.BranchStmt, path []ast.Node) *ast.ForStmt {
	if b.Tok != token.BREAK || b.Label != nil {
		return nil
	}
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.ForStmt:
			if n.Cond == nil {
				return n
			}
			return nil
		case *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit:
			return nil
		}
	}
	return nil
}

// decidesBy reports whether a read decides something, by the function itself or by one that it calls.
func decidesBy(m *locks.View, s Step) bool {
	if s.Call == nil {
		return decides(s.In, s.At)
	}
	for to := range m.Running(s.Call) {
		if slices.ContainsFunc(UsesOf(m, to), func(u access.Use) bool { return !u.Write && u.Key == s.Key && decides(to, u.At) }) {
			return true
		}
	}
	return false
}

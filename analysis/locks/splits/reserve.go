package splits

import (
	"go/ast"
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
// Who comes between the two finds the note, and does not go on.

// reserved reports whether the section of a read has made such a note for that of a write.
func reserved(m *locks.View, steps []Step, r, w Step) bool {
	for _, note := range steps {
		if !note.Write || !note.Share(r) || note.Share(w) || !note.In.LeadsTo(note.At, w.At.Pos()) {
			continue
		}
		if note.Call == nil && constantAt(note) != nil {
			continue // whether that value keeps others out is what claimed asks
		}
		asked := slices.ContainsFunc(steps, func(s Step) bool {
			return !s.Write && s.Key == note.Key && s.Share(note) && s.At.Pos() <= note.At.Pos() && decidesBy(m, s) && leavesOn(s, w)
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

// leavesOn reports whether a function is left between two steps by what the first reads or returns.
func leavesOn(r, w Step) (leaves bool) {
	t := &taint{info: r.In.Info(), read: r.At, vars: make(map[types.Object]bool)}
	syntax.Walk(r.In.Body, func(n ast.Node, path []ast.Node) {
		t.follow(n)
		_, ok := n.(*ast.ReturnStmt)
		leaves = leaves || ok && r.At.Pos() <= n.Pos() && n.Pos() < w.At.Pos() && t.decided(path)
	})
	return leaves
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

package mutate

import (
	"github.com/dave/dst"

	"mendel/analysis"
)

// Recall makes a statement that only calls a lock's method, at once or deferred,
// call a method of a lock, with what stands around it left in place.
func (m *Mutation) Recall(file string, s dst.Stmt, l analysis.Lock, method string) error {
	call := m.call(l, method)
	switch s := s.(type) {
	case *dst.ExprStmt:
		return m.Replace(file, s.X, call)
	case *dst.DeferStmt:
		return m.Replace(file, s.Call, call)
	}
	panic("mutate: Recall of a statement that is no call")
}

// DropCall removes a lock's statement with the comment on its line. An else
// that is left empty goes too.
func (m *Mutation) DropCall(file string, s dst.Stmt) error {
	f, err := m.file(file)
	if err != nil {
		return err
	}
	_, _, owner := f.listOf(s)
	cutLine(s)
	if err := m.Remove(file, s); err != nil {
		return err
	}
	dropEmptyElse(f.root, owner)
	return nil
}

// MoveCall takes a lock's statement to before (or after) an anchor. A comment
// on its line goes with it, comments above it stay, and the note is put above it.
func (m *Mutation) MoveCall(file string, s, anchor dst.Stmt, after bool, note string) error {
	line := cutLine(s)
	if err := m.Remove(file, s); err != nil {
		return err
	}
	s.Decorations().End = line
	if note != "" {
		s.Decorations().Start = dst.Decorations{"// " + note}
	}
	return m.Insert(file, anchor, after, s)
}

// InsertedCalls lists the calls of a lock's methods that earlier edits put into
// a function, function literals in it included.
func (m *Mutation) InsertedCalls(fn *Function, l analysis.Lock) []*dst.CallExpr {
	body := m.Node(fn.File.Rel, fn.ID(fn.Node))
	if body == nil {
		return nil
	}
	var calls []*dst.CallExpr
	dst.Inspect(body, func(n dst.Node) bool {
		if call, ok := n.(*dst.CallExpr); ok {
			if c, ok := m.acquires[call]; ok && c.lock.Expr == l.Expr {
				calls = append(calls, call)
			}
		}
		return true
	})
	return calls
}

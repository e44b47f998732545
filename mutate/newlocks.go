package mutate

import (
	"maps"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/mutate/internal/lockcall"
	"mendel/mutate/internal/tree"
)

// Declare makes sure that an edit's new lock, or what its [analysis.NewLock]
// has instead of one, exists and that its package is imported; without a new
// lock it does nothing. A new channel that is a variable is made, too. Edits that name the same new
// lock share it. Space.Mutant calls it for each edit before it applies the first.
func (m *Mutation) Declare(e Edit) error {
	if e.Lock == nil || e.Lock.New == nil {
		return nil
	}
	f, err := m.File(e.Lock.New.File)
	if err != nil {
		return Refuse(e, "%v", err)
	}
	place, err := f.Beside(e.Lock.New)
	if err != nil {
		return Refuse(e, "%v", err)
	}
	if d := m.declared[e.Lock.Key]; d != nil {
		d.Guard(place.Guards(e.Vars)...)
		return nil
	}
	if other := m.shadows(e.Lock); other != "" {
		return Refuse(e, "the new lock %s would hide or be hidden by the new lock %s", e.Lock.Key, other)
	}
	d, err := f.Declare(e.Lock, place)
	if err != nil {
		return Refuse(e, "%v", err)
	}
	d.Guard(place.Guards(e.Vars)...)
	m.declared[e.Lock.Key] = d
	return nil
}

// Declares reports whether an edit's new lock can be declared, for an edit by itself.
func (fn *Function) Declares(e Edit) bool {
	if e.Lock == nil || e.Lock.New == nil {
		return true
	}
	type declares struct {
		key, expr string
		analysis.NewLock
	}
	return Once(fn, declares{e.Lock.Key, e.Lock.Expr, *e.Lock.New}, func() bool { return newSketchMutation(fn.space).Declare(e) == nil })
}

// shadows finds a new lock declared already that has the name of another one
// and may be in scope where it is; names in structs do not matter.
func (m *Mutation) shadows(l *analysis.Lock) string {
	if l.New.Kind == analysis.FieldLock {
		return ""
	}
	for _, key := range slices.Sorted(maps.Keys(m.declared)) {
		other := m.declared[key].Lock
		if other.New.Kind == analysis.FieldLock || other.New.Name != l.New.Name {
			continue
		}
		local := other.New.Kind == analysis.LocalLock && l.New.Kind == analysis.LocalLock
		if !local || localFunc(key) == localFunc(l.Key) {
			return key
		}
	}
	return ""
}

// localFunc is the key of a local lock without the variable's line and column:
// package, function and name.
func localFunc(key string) string {
	if i := strings.LastIndex(key, "@"); i >= 0 {
		return key[:i]
	}
	return key
}

// Call makes the statement l.method(), e.g. a.mu.Lock(), with a comment line above it unless note is "".
func (m *Mutation) Call(l analysis.Lock, method, note string) *dst.ExprStmt {
	call := m.call(l, method)
	s := &dst.ExprStmt{X: call}
	if note != "" {
		s.Decs.Start.Append("// " + note)
	}
	return s
}

// Defer makes the statement defer l.method().
func (m *Mutation) Defer(l analysis.Lock, method string) *dst.DeferStmt {
	return &dst.DeferStmt{Call: m.call(l, method)}
}

func (m *Mutation) call(l analysis.Lock, method string) *dst.CallExpr {
	call := &dst.CallExpr{Fun: &dst.SelectorExpr{X: tree.Expr(l.Expr), Sel: dst.NewIdent(method)}}
	m.acquires[call] = lockcall.Call{Lock: l, Method: method}
	return call
}

// IsLockCall reports whether a statement in an edited tree is only a call of a
// lock's method, at once or deferred, of the original or of an edit.
func (m *Mutation) IsLockCall(s dst.Stmt) bool {
	call := tree.CallOf(s)
	if call == nil {
		return false
	}
	if _, ok := m.acquires[call]; ok {
		return true
	}
	for _, f := range m.files {
		if id, ok := f.ID(call); ok {
			_, ok := m.space.holding.Calls(f.Original)[id]
			return ok
		}
	}
	return false
}

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
			if c, ok := m.acquires[call]; ok && c.Lock.Expr == l.Expr {
				calls = append(calls, call)
			}
		}
		return true
	})
	return calls
}

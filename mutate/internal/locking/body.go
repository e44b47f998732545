package locking

import (
	"go/ast"
	"strings"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/fact/held"
)

// AddLock is the operator that adds critical sections. Others make its edits, too:
// see [Around] and [Whole].
const AddLock = "addlock"

// Forms of its edits, by what they cover.
const (
	Statement = "statement" // consecutive statements
	Method    = "method"    // a method's whole body, with the receiver's own lock
	Body      = "body"      // the whole body of a function, with another lock
)

// Around starts the edit that puts consecutive statements under a lock.
func Around(fn *mutate.Function, c Candidate, note string, stmts ...ast.Stmt) mutate.Edit {
	e := fn.NewEdit(AddLock, stmts[0], stmts...)
	e.Form, e.Count, e.Lock, e.Read, e.Note = Statement, len(stmts), &c.Lock, c.Read, note
	if Blind(fn, stmts) {
		e.Flags = append(e.Flags, mutate.HeldThrough)
		e.Doubt(blind)
	}
	return e
}

// AroundEach lists the edits of [Around] with each of some locks, and the doubt about
// it. What they have in common is found once.
func AroundEach(fn *mutate.Function, locks []Candidate, note string, stmts ...ast.Stmt) []mutate.Edit {
	if len(locks) == 0 {
		return nil
	}
	first := Around(fn, locks[0], note, stmts...)
	edits := make([]mutate.Edit, 0, len(locks))
	for _, c := range locks {
		e := first
		e.Lock, e.Read = &c.Lock, c.Read
		c.Doubt(&e)
		edits = append(edits, e)
	}
	return edits
}

// Whole starts the edit that puts a function's whole body under a lock.
func Whole(fn *mutate.Function, c Candidate, note string) mutate.Edit {
	e := fn.NewEdit(AddLock, fn.Node, fn.Body.List...)
	e.Form, e.Lock, e.Read, e.Note = wholeForm(fn, c), &c.Lock, c.Read, note
	return e
}

// wholeForm is the form of an edit of the whole body.
func wholeForm(fn *mutate.Function, c Candidate) string {
	if root, rest, _ := strings.Cut(c.Lock.Expr, "."); root == Receiver(fn) && !strings.Contains(rest, ".") {
		return Method
	}
	return Body
}

// Receiver is the name of a method's receiver; "" if there is none, or it has no name.
func Receiver(fn *mutate.Function) string {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) == 0 {
		return ""
	}
	names := decl.Recv.List[0].Names
	if len(names) == 0 || names[0].Name == "_" {
		return ""
	}
	return names[0].Name
}

// BodyEdits lists the edits that put a function's whole body under a lock.
func BodyEdits(fn *mutate.Function) []mutate.Edit {
	if !Lockable(fn) {
		return nil
	}
	accesses := fn.Changing(fn.Body.List...)
	if len(accesses) == 0 && !callsModule(fn, fn.Body.List) {
		return nil
	}
	locks := Candidates(fn, fn.Body, fn.Body.List)
	if len(locks) == 0 {
		return nil
	}
	first := Whole(fn, locks[0], Note(fn, accesses))
	edits := make([]mutate.Edit, 0, len(locks))
	for _, c := range locks {
		e := first
		e.Form, e.Lock, e.Read = wholeForm(fn, c), &c.Lock, c.Read
		c.Doubt(&e)
		edits = append(edits, e)
	}
	return edits
}

// Lockable reports whether the whole body of a function may be put under a lock:
// it does something, and it is neither started by the runtime nor a test.
func Lockable(fn *mutate.Function) bool {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if len(fn.Body.List) == 0 {
		return false
	}
	if !ok || decl.Recv != nil {
		return true
	}
	name := decl.Name.Name
	return name != "init" && name != "main" && !strings.HasPrefix(name, "Test")
}

// LockBody applies an edit of [Whole]: it locks at the start of the body and
// defers the unlock. Deferred calls that the body begins with stay in front:
// they run last, when the lock is free again.
func LockBody(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil || fn.ID(fn.Node) != e.Node || e.Lock == nil {
		return mutate.Refuse(e, "there is no such function")
	}
	acquire, release := Methods(e.Read)
	stmts := []dst.Stmt{m.Call(*e.Lock, acquire, Comment(fn, e)), m.Defer(*e.Lock, release)}
	leading := held.Leading(fn)
	for _, s := range fn.Body.List[leading:] {
		if n, ok := m.Node(e.File, fn.ID(s)).(dst.Stmt); ok {
			return m.Insert(e.File, n, false, stmts...)
		}
	}
	for i := leading - 1; i >= 0; i-- {
		if n, ok := m.Node(e.File, fn.ID(fn.Body.List[i])).(dst.Stmt); ok {
			return m.Insert(e.File, n, true, stmts...)
		}
	}
	return mutate.Refuse(e, "other edits left nothing of the function's body")
}

// Methods are the lock's methods to call.
func Methods(read bool) (acquire, release string) {
	if read {
		return "RLock", "RUnlock"
	}
	return "Lock", "Unlock"
}

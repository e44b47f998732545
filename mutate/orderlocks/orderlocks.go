package orderlocks

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/sectionedit"
	"mendel/mutate/internal/tree"
)

//go:embed doc.go
var doc string

// Operator takes the locks of two values of one type in one agreed order.
var Operator = &mutate.Operator{
	Name: "orderlocks",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 5, evidence.Blocked: 5, evidence.Timeout: 4,
		evidence.Race: 0.2, evidence.Panic: 0.3, evidence.TestFailure: 0.3,
	},
	Faults: []evidence.Fault{evidence.LockOrderInversion},
	Needs:  "pair of locks of two values of one type that has a field to order them by",
	Edits:  edits,
	Apply:  apply,
}

// The forms of an edit.
const (
	byKey  = "key"  // in the order of a field
	byGate = "gate" // under a lock of the package
	ofLoop = "loop" // likewise, all that a loop takes
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, p := range pairs(fn) {
		if e, ok := p.edit(fn); ok {
			out = append(out, e)
		}
	}
	for _, c := range collectors(fn) {
		if e, ok := c.edit(fn); ok {
			out = append(out, e)
		}
	}
	return out
}

// edit is the edit of a pair. It is as hot as what is waited for under the first lock,
// and cold if that lock can be released before.
func (p pair) edit(fn *mutate.Function) (e mutate.Edit, ok bool) {
	e = fn.NewEdit("orderlocks", p.outer.Acquire, p.inner.Acquire)
	e.Other, e.Read, e.Group = fn.ID(p.inner.Acquire), p.inner.Read, p.inner.Lock.Key
	if field := key(fn, p.owner); field != "" && !collected(fn, p.inner.Lock.Key) {
		e.Form, e.Expr, e.Lock = byKey, field, &p.inner.Lock
		e.Note = "in the order of " + field + ", lest two goroutines wait for each other"
	} else {
		gate, ok := gateOf(fn, p.owner)
		if !ok {
			return e, false
		}
		e.Form, e.Lock, e.Read = byGate, &gate, false
		e.Note = "one goroutine at a time takes two of these locks"
	}
	if heat, waits := fn.Narrowing.HeatAt(p.inner.Acquire.Pos()); waits != "" {
		e.Heat = max(e.Heat, heat)
	}
	if !p.needed(fn) {
		e.Heat = 0 // shrinkend comes first
	}
	return e, true
}

// gateOf is the new lock of the package to take two locks of a type under.
func gateOf(fn *mutate.Function, t *types.Named) (analysis.Lock, bool) {
	obj := t.Obj()
	if obj.Pkg() != fn.File.Package.Types || obj.Parent() != obj.Pkg().Scope() {
		return analysis.Lock{}, false
	}
	file := fn.Program.File(fn.Program.Fset.PositionFor(obj.Pos(), false).Filename)
	if file == nil || file.Generated || file.Test {
		return analysis.Lock{}, false
	}
	name := scope.FreeName(fn, strings.ToLower(obj.Name()[:1])+obj.Name()[1:]+"Order")
	return analysis.Lock{
		Expr: name, Key: obj.Pkg().Path() + "." + name,
		New: &analysis.NewLock{
			Kind: analysis.PackageLock, Name: name, File: file.Rel, Type: "sync.Mutex", // which guards no variable
			Offset: fn.Program.Fset.PositionFor(obj.Pos(), false).Offset,
		},
	}, true
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == ofLoop {
		loop := m.Stmt(e.File, e.Node)
		if loop == nil {
			return mutate.Refuse(e, "another edit removed the loop")
		}
		if err := m.Insert(e.File, loop, false, m.Call(*e.Lock, "Lock", e.Note)); err != nil {
			return err
		}
		return m.Insert(e.File, loop, true, m.Call(*e.Lock, "Unlock", ""))
	}
	outer, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	inner, err := sectionedit.Other(m, e)
	if err != nil {
		return err
	}
	p, ok := pairOf(outer.Fn, outer.Section, inner.Section)
	if !ok {
		return mutate.Refuse(e, "the locks cannot be taken together")
	}
	if err := outer.InOrder(outer.List[outer.At:behind(inner.Section)]...); err != nil {
		return err
	}
	if err := p.join(inner); err != nil {
		return err
	}
	if e.Form == byGate {
		return p.underGate(m, e)
	}
	return p.inOrder(m, e)
}

// join moves the inner acquisition to right behind the outer one.
func (p pair) join(inner *sectionedit.Section) error {
	if p.together() {
		return nil
	}
	if err := inner.Move(inner.Acquire, p.outer.List[behind(p.outer)-1], true, ""); err != nil {
		return err
	}
	if inner.DefersAtOnce() {
		return inner.Move(inner.Releases[0], inner.Acquire, true, "")
	}
	return nil
}

// underGate takes the two locks under the edit's.
func (p pair) underGate(m *mutate.Mutation, e mutate.Edit) error {
	first, ok := m.Of(e.File, p.outer.Acquire).(dst.Stmt)
	last, ok2 := m.Of(e.File, p.inner.List[behind(p.inner)-1]).(dst.Stmt)
	if !ok || !ok2 {
		return mutate.Refuse(e, "another edit removed an acquisition")
	}
	if err := m.Insert(e.File, first, false, m.Call(*e.Lock, "Lock", e.Note)); err != nil {
		return err
	}
	return m.Insert(e.File, last, true, m.Call(*e.Lock, "Unlock", ""))
}

// inOrder finds out which of the values comes first and takes its lock first.
func (p pair) inOrder(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	anchor := m.StmtOf(e.File, p.outer.Acquire)
	first, second := scope.FreeName(fn, "first"), scope.FreeName(fn, "second")
	src := fmt.Sprintf("// %[5]s\n%[1]s, %[2]s := %[3]s, %[4]s\nif %[2]s.%[6]s < %[1]s.%[6]s {\n\t%[1]s, %[2]s = %[2]s, %[1]s\n}",
		first, second, reference(fn, p.first), reference(fn, p.second), e.Note, e.Expr)
	for _, s := range []struct {
		section *mutate.Section
		name    string
	}{{p.outer, first}, {p.inner, second}} {
		stmts := []ast.Stmt{s.section.Acquire}
		if s.section.DefersAtOnce() {
			stmts = append(stmts, s.section.Releases[0])
		}
		for _, stmt := range stmts {
			if !receives(m.Of(e.File, stmt), s.name+p.rest) {
				return mutate.Refuse(e, "another edit removed an acquisition")
			}
		}
	}
	return m.InsertSnippet(e.File, anchor, false, src)
}

// reference writes a pointer to a value.
func reference(fn *mutate.Function, value ast.Expr) string {
	text := types.ExprString(value)
	if _, pointer := types.Unalias(fn.File.Package.Info.TypeOf(value)).(*types.Pointer); pointer {
		return text
	}
	return "&" + text
}

// receives makes a lock's statement one of another lock. The node of its call
// stays, which says what the lock was.
func receives(stmt dst.Node, lock string) bool {
	call := tree.CallOf(stmt)
	if call == nil {
		return false
	}
	sel, ok := call.Fun.(*dst.SelectorExpr)
	if ok {
		sel.X = tree.Expr(lock)
	}
	return ok
}

package lockhelper

import (
	_ "embed"
	"go/ast"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/fact/outward"
	"mendel/mutate/internal/locked"
	"mendel/mutate/internal/locking"
)

//go:embed doc.go
var doc string

// Operator has a helper take the lock that only some of its callers hold.
var Operator = &mutate.Operator{
	Name: "lockhelper",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 6, evidence.TestFailure: 3, evidence.Panic: 3,
		evidence.Deadlock: 0.2, evidence.Blocked: 0.2, evidence.Timeout: 0.2,
	},
	Faults: []evidence.Fault{evidence.MissingLock},
	Needs:  "function without a lock that only some of its callers call with the lock of what it uses",
	Adds:   true,
	Edits:  edits,
	Apply:  apply,
}

func edits(fn *mutate.Function) (all []mutate.Edit) {
	if _, declared := fn.Node.(*ast.FuncDecl); !declared {
		return nil
	}
	accesses := fn.Changing(fn.Body.List...)
	if len(accesses) == 0 {
		return nil
	}
	for _, l := range fn.Program.Locks(fn.File, fn.Body) {
		h, ok := helper(fn, l)
		if !ok || !h.Open && !outward.Called(fn) || !h.guards(accesses) {
			continue
		}
		e := fn.NewEdit("lockhelper", fn.Node, fn.Body.List...)
		e.Lock, e.Read, e.Note = &h.As, l.RW && locking.ReadsOnly(fn, fn.Body.List), locking.Note(fn, accesses)
		all = append(all, e)
	}
	return all
}

// A split is a function with what it could be split into.
type split struct{ *locked.Helper }

// helper finds what a function could be split into by a lock.
func helper(fn *mutate.Function, l analysis.Lock) (s split, ok bool) {
	h, ok := locked.HelperOf(fn, l)
	return split{h}, ok && !held.Waits(fn, l, fn.Body.List...)
}

// guards reports whether something that is accessed belongs to what the lock does.
func (s split) guards(accesses []analysis.Access) bool {
	owner := s.Lock.Rest
	if i := strings.LastIndex(owner, "."); i >= 0 {
		owner = owner[:i]
	}
	return slices.ContainsFunc(accesses, func(a analysis.Access) bool {
		base := s.Base(a.Expr)
		if base.Root == nil { // a variable of the package
			return s.Lock.Rest == ""
		}
		return base.Root == s.Lock.Root && (base.Rest == owner || base.Rest == s.Lock.Rest)
	})
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil || e.Lock == nil {
		return mutate.Refuse(e, "there is no such function")
	}
	s, ok := helper(fn, *e.Lock)
	if !ok {
		return mutate.Refuse(e, "it is not certain who holds %s", e.Lock.Expr)
	}
	s.Read = e.Read
	name, err := locked.Variant(m, e, s.Function)
	if err != nil {
		return err
	}
	for _, c := range s.Held {
		there := e
		there.File = c.From.File.Rel
		if err := m.Retarget(there, c.Expr, name); err != nil {
			return err
		}
	}
	return nil
}

package uselock

import (
	"cmp"
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/guards"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locking"
	"mendel/mutate/internal/sectionedit"
)

//go:embed doc.go
var doc string

// Operator replaces a section's lock by the one that guards its variables elsewhere.
var Operator = &mutate.Operator{
	Name: "uselock",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 6, evidence.TestFailure: 3, evidence.Panic: 2, evidence.Deadlock: 0.3, evidence.Blocked: 0.3,
	},
	Faults: []evidence.Fault{evidence.WrongLock},
	Needs:  "section of a lock that guards nothing it uses, with another lock in scope that does",
	Edits:  edits,
	Apply:  apply,
}

// maxLocks bounds the locks offered for one section. Guessed.
const maxLocks = 2

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		if s.Again || len(s.Body) == 0 || effects.Of(fn, s, s.Body...).Waits {
			continue
		}
		accesses := last(fn.Accesses(s.Body...))
		for _, c := range candidates(fn, s, accesses) {
			e := fn.NewEdit("uselock", s.Acquire, s.Body...)
			e.Lock, e.Read = &c.lock, s.Read && c.lock.RW
			e.Note = fmt.Sprintf("%s is guarded by %s elsewhere", c.subject(), c.lock.Expr)
			if len(c.accesses) < len(accesses) {
				e.Flags = []mutate.Flag{mutate.DropsGuard}
			}
			out = append(out, e)
		}
	}
	return out
}

// last leaves out the structs that are only on the way to the fields that are used.
func last(accesses []analysis.Access) []analysis.Access {
	return slices.DeleteFunc(slices.Clone(accesses), func(a analysis.Access) bool {
		_, isStruct := a.Var.Type().Underlying().(*types.Struct)
		return isStruct && slices.ContainsFunc(accesses, func(b analysis.Access) bool {
			sel, ok := ast.Unparen(b.Expr).(*ast.SelectorExpr)
			return ok && ast.Unparen(sel.X) == ast.Unparen(a.Expr)
		})
	})
}

// A candidate is a lock to take instead.
type candidate struct {
	lock     analysis.Lock
	accesses []analysis.Access // what it guards elsewhere
	sections int               // that hold it and use these
}

// subject is the variable to name in a note, a written one first.
func (c candidate) subject() string {
	a := c.accesses[0]
	if i := slices.IndexFunc(c.accesses, func(a analysis.Access) bool { return a.Write }); i >= 0 {
		a = c.accesses[i]
	}
	if text := types.ExprString(a.Expr); len(text) <= 40 {
		return text
	}
	return a.Var.Name()
}

// candidates lists the locks to take instead of a section's, best first.
func candidates(fn *mutate.Function, s *mutate.Section, accesses []analysis.Access) []candidate {
	var found []candidate
	owned := guardsElsewhere(fn, s, accesses)
	for _, l := range fn.Program.Locks(fn.File, s.Acquire) {
		var c candidate
		switch {
		case l.Key != s.Lock.Key && !owned:
			c = guarding(fn, l, accesses)
		case l.Key == s.Lock.Key && l.Expr != s.Lock.Expr && otherOwner(s, l, accesses):
			c = candidate{lock: l, accesses: accesses, sections: 1}
		}
		if len(c.accesses) > 0 && holdable(fn, l, s.Body) {
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.sections, a.sections) })
	return found[:min(len(found), maxLocks)]
}

// guardsElsewhere reports whether another section of the same lock uses one of
// the variables too: it is not the wrong lock.
func guardsElsewhere(fn *mutate.Function, s *mutate.Section, accesses []analysis.Access) bool {
	return slices.ContainsFunc(accesses, func(a analysis.Access) bool { return guards.Sections(fn, s.Lock.Key, a.Var) > 1 })
}

// guarding finds what a lock guards in other sections.
func guarding(fn *mutate.Function, l analysis.Lock, accesses []analysis.Access) candidate {
	c := candidate{lock: l}
	for _, a := range accesses {
		if n := guards.Sections(fn, l.Key, a.Var); n > 0 && sameOwner(l, a) {
			c.accesses = append(c.accesses, a)
			c.sections += n
		}
	}
	return c
}

// sameOwner reports whether a lock that is a field of a value may guard an access:
// one to a field is one to the same value's. Of other ways to the two nothing
// is known.
func sameOwner(l analysis.Lock, a analysis.Access) bool {
	sel, ok := ast.Unparen(a.Expr).(*ast.SelectorExpr)
	if !ok || !a.Var.IsField() || !strings.Contains(l.Expr, ".") {
		return true
	}
	root, _, _ := strings.Cut(types.ExprString(sel.X), ".")
	lockRoot, _, _ := strings.Cut(l.Expr, ".")
	return root == lockRoot
}

// otherOwner reports whether all accesses are to fields of the value that another
// lock of the same name belongs to, and that the section's lock does not.
func otherOwner(s *mutate.Section, l analysis.Lock, accesses []analysis.Access) bool {
	of, own := owner(l.Expr), owner(s.Lock.Expr)
	if of == "" || own == "" || len(accesses) == 0 {
		return false
	}
	return !slices.ContainsFunc(accesses, func(a analysis.Access) bool {
		sel, ok := ast.Unparen(a.Expr).(*ast.SelectorExpr)
		return !ok || types.ExprString(sel.X) != of
	})
}

// owner is what a lock's field is selected from; "" if the lock is no field.
func owner(lock string) string { return lock[:max(strings.LastIndex(lock, "."), 0)] }

// holdable reports whether a lock can be held around some statements.
func holdable(fn *mutate.Function, l analysis.Lock, stmts []ast.Stmt) bool {
	return !locking.Reassigned(l.Expr, stmts) && held.Conflict(fn, l, stmts...) == "" && !locking.StartsAcquirer(fn, l.Key, stmts)
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	if err := s.Untouched(); err != nil {
		return err
	}
	if err := s.Relock(*e.Lock, e.Read); err != nil {
		return err
	}
	return s.Explain(s.Acquire, e.Note)
}

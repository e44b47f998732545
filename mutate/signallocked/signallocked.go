package signallocked

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/held"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/conditions"
)

//go:embed doc.go
var doc string

// Operator changes and signals a condition under its lock.
var Operator = &mutate.Operator{
	Name: "signallocked",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 4, evidence.Blocked: 4, evidence.Timeout: 3, evidence.Race: 2,
	},
	Faults:   []evidence.Fault{evidence.MissedSignal},
	Needs:    "change of a condition, or signal, outside of the lock of its condition variable",
	Adds:     true,
	Apply:    apply,
	Together: together,
}

// A waiting is how a condition variable is waited for.
type waiting struct {
	lock analysis.Lock // held then
	uses []*types.Var  // what the functions that wait use
	heat float64       // where they wait
	edit []mutate.Edit // of the signals without the lock
}

// together lists the edits, and for condition variables with several of them
// that of all.
func together(w *mutate.Whole) []mutate.Edit {
	conds, found := waitings(w)
	if len(conds) == 0 {
		return nil
	}
	for _, fn := range w.Functions {
		for _, c := range conditions.Calls(fn) {
			if wait := found[c.Cond]; wait != nil && c.Method != "Wait" {
				if e, ok := edit(fn, c, wait); ok {
					wait.edit = append(wait.edit, e)
				}
			}
		}
	}
	var out []mutate.Edit
	for _, c := range conds {
		out = append(out, found[c].edit...)
		if len(found[c].edit) > 1 {
			out = append(out, mutate.Composite("signallocked", found[c].edit...))
		}
	}
	return out
}

// waitings finds the condition variables that are waited for with a lock held,
// in the order of the source.
func waitings(w *mutate.Whole) ([]*types.Var, map[*types.Var]*waiting) {
	var conds []*types.Var
	found := make(map[*types.Var]*waiting)
	for _, fn := range w.Functions {
		for _, c := range conditions.Calls(fn) {
			if c.Method != "Wait" || c.Cond == nil {
				continue
			}
			held := fn.HeldAt(c.At.Stmt)
			if len(held) == 0 {
				continue
			}
			wait := found[c.Cond]
			if wait == nil {
				wait = &waiting{lock: held[len(held)-1]}
				conds, found[c.Cond] = append(conds, c.Cond), wait
			}
			heat, _ := fn.Narrowing.HeatAt(c.Expr.Pos())
			wait.heat = max(wait.heat, heat)
			for _, a := range fn.Accesses(fn.Body) {
				wait.uses = append(wait.uses, a.Var)
			}
			for _, call := range fn.Calls(fn.Body) {
				for _, a := range call.To.Accesses(call.To.Body) {
					wait.uses = append(wait.uses, a.Var)
				}
			}
		}
	}
	return conds, found
}

// signalOnly is what it takes off the heat if nothing that is waited for is
// seen to change. Guessed.
const signalOnly = 0.8

// edit locks a signal with the change before it; ok is false if it needs no
// lock or cannot have it.
func edit(fn *mutate.Function, c conditions.Call, wait *waiting) (e mutate.Edit, ok bool) {
	s, alone := c.At.Stmt.(*ast.ExprStmt)
	if !alone || ast.Unparen(s.X) != ast.Expr(c.Expr) || held.Holds(fn, s, wait.lock.Key) || held.ByCaller(fn, wait.lock.Key) {
		return e, false
	}
	first, changed := change(fn, c, wait)
	if changed && first < 0 {
		return e, false // under the lock already
	}
	if !changed {
		first = c.At.Index
	}
	covered := c.At.List[first : c.At.Index+1]
	l, ok := lockAt(fn, c, covered[0], wait.lock)
	if !ok || len(exits.Of(fn, covered...)) > 0 || exits.HasGotoTarget(fn, covered...) || held.Waits(fn, l, covered...) ||
		held.Conflict(fn, l, covered...) != "" || fn.Reassigns(l.Expr, covered...) {
		return e, false
	}
	e = fn.NewEdit("signallocked", covered[0], covered...)
	e.Other, e.Count, e.Lock = fn.ID(s), len(covered), &l
	e.Note = "whoever waits looks under the lock"
	e.Heat = max(e.Heat, wait.heat)
	if !changed {
		e.Doubt(signalOnly)
		e.Note = "not while somebody is about to wait"
	}
	return e, true
}

// change is the place, in the signal's list, of the first statement that writes
// what is waited for without the lock; -1 if all that do hold it. changed is
// false if none does.
func change(fn *mutate.Function, c conditions.Call, wait *waiting) (first int, changed bool) {
	first = -1
	for i := c.At.Index - 1; i >= 0; i-- {
		s := c.At.List[i]
		writes := slices.ContainsFunc(fn.Accesses(s), func(a analysis.Access) bool {
			return a.Write && slices.Contains(wait.uses, a.Var) && !fn.Fresh(a.Expr)
		})
		if !writes {
			continue
		}
		changed = true
		if !held.Holds(fn, s, wait.lock.Key) {
			first = i
		}
	}
	return first, changed
}

// lockAt is the lock of a condition variable as it can be written at a
// statement: as its owner has it, or else as the variable's L.
func lockAt(fn *mutate.Function, c conditions.Call, s ast.Stmt, wanted analysis.Lock) (l analysis.Lock, ok bool) {
	base := fn.Base(c.On)
	for _, l := range fn.Program.Locks(fn.File, s) {
		if l.Key == wanted.Key && (base.Root == nil || l.Expr == base.String() || ownedBy(l.Expr, base.String())) {
			return l, true
		}
	}
	if fn.Path(c.On).Root == nil || !scope.Means(fn, c.On, s.Pos()) {
		return l, false
	}
	return analysis.Lock{Expr: types.ExprString(ast.Unparen(c.On)) + ".L", Key: wanted.Key}, true
}

// ownedBy reports whether a lock is a field of what a condition variable is a field of.
func ownedBy(lock, base string) bool {
	return len(lock) > len(base)+1 && lock[:len(base)] == base && lock[len(base)] == '.'
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	first := m.Stmt(e.File, e.Node)
	signal := m.Stmt(e.File, e.Other)
	from, i, ok := m.ListOf(e.File, first)
	to, j, there := m.ListOf(e.File, signal)
	if !ok || !there || from != to || j-i != e.Count-1 {
		return mutate.Refuse(e, "another edit changed the statements to lock")
	}
	if err := m.Insert(e.File, first, false, m.Call(*e.Lock, "Lock", e.Note)); err != nil {
		return err
	}
	return m.Insert(e.File, signal, true, m.Call(*e.Lock, "Unlock", ""))
}

package lockatomics

import (
	_ "embed"
	"go/ast"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locking"
)

//go:embed doc.go
var doc string

// Operator puts a lock around operations on atomic variables.
var Operator = &mutate.Operator{
	Name: "lockatomics",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.TestFailure: 4, evidence.Panic: 4, evidence.Race: 0.5,
		evidence.Deadlock: 0.2, evidence.Blocked: 0.2, evidence.Timeout: 0.5,
	},
	Faults:   []evidence.Fault{evidence.CheckThenAct, evidence.InconsistentRead},
	Needs:    "pair of operations on atomic variables that belong together",
	Adds:     true,
	Together: together,
}

// suspect is the least heat of an edit: what fails because of atomics is seen
// elsewhere, where their values are used. Chosen, not measured.
const suspect = 0.4

// maxParts is how many functions one edit locks. Guessed.
const maxParts = 8

// together lists the edits of each group of variables: first those that have the
// operations of helpers in the sections of their callers.
func together(w *mutate.Whole) []mutate.Edit {
	var out []mutate.Edit
	for _, g := range groups(w) {
		var whole []mutate.Edit
		if opened, ok := g.opened(); ok {
			whole = opened.both(w)
		}
		out = append(out, whole...)
		for _, e := range g.both(w) {
			if len(whole) > 0 {
				e.Doubt(inSteps)
			}
			out = append(out, e)
		}
	}
	return out
}

// inSteps is the belief in sections of helpers apart from those of their callers. Chosen,
// not measured.
const inSteps = 0.5

// both lists the edits of a group, those with a second lock behind the others.
func (g *group) both(w *mutate.Whole) []mutate.Edit {
	first := g.edits(w, false)
	out := slices.Clone(first)
	for _, e := range g.edits(w, true) {
		if len(first) > 0 {
			e.Doubt(secondLock)
		}
		out = append(out, e)
	}
	return out
}

// secondLock is the belief in another lock for a value that has one. Chosen, not measured.
const secondLock = 0.9

// edits lists the edits of a group: with the value's own lock or one that it gets, or with a
// lock apart, which a value with a lock gets besides: its own may be held for long.
func (g *group) edits(w *mutate.Whole, apart bool) (out []mutate.Edit) {
	var several, all, alone []mutate.Edit
	for _, u := range g.users {
		e, ok := g.section(u, apart)
		if !ok {
			continue
		}
		if u.several() {
			several = append(several, e)
		}
		if u.several() || u.writes() {
			all = append(all, e)
		}
		if u.checks() && len(u.helped) == 0 { // other callers of the helper need the lock, too
			alone = append(alone, e)
		}
	}
	for i, parts := range [][]mutate.Edit{several, all} {
		if len(parts) == 0 || len(parts) > maxParts || !oneLock(parts) || len(several) == 0 || i > 0 && len(all) == len(several) {
			continue
		}
		if e := mutate.Composite("lockatomics", parts...); g.fits(w, e) {
			yield(w, &e, several)
			out = append(out, e)
		}
	}
	for _, part := range alone {
		if e := mutate.Composite("lockatomics", part); len(several) > 1 && !apart && g.fits(w, e) {
			yield(w, &e, e.Parts)
			out = append(out, e)
		}
	}
	return out
}

// behind is the belief in an edit where one operation would do.
// Chosen, not measured.
const behind = 0.5

// yield lets an edit come behind those of package atomicrmw, if that has one in each
// function that makes several operations: a single operation needs no lock.
func yield(w *mutate.Whole, e *mutate.Edit, several []mutate.Edit) {
	worth := e.Worth()
	for _, part := range several {
		single := w.EditsOf("atomicrmw")
		i := slices.IndexFunc(single, func(other mutate.Edit) bool {
			return other.File == part.File && other.Func == part.Func
		})
		if i < 0 {
			return
		}
		worth = min(worth, single[i].Worth())
	}
	e.Heat, e.Belief = worth, behind
}

// fits reports whether a composite edit gives a mutant.
func (g *group) fits(w *mutate.Whole, e mutate.Edit) bool {
	if g.nests(e.Parts) {
		return false
	}
	_, ok := w.Try(e)
	return ok
}

// section is the edit that locks a function from its first operation on the
// group to its last.
func (g *group) section(u *user, apart bool) (mutate.Edit, bool) {
	fn := u.fn
	st, count, ok := u.extent()
	if !ok {
		return mutate.Edit{}, false
	}
	s, ok := locking.Plan(fn, st, count)
	if !ok {
		return mutate.Edit{}, false
	}
	l, ok := g.lock(u, s.Stmts, apart)
	if !ok {
		return mutate.Edit{}, false
	}
	e := locking.Around(fn, locking.Candidate{Lock: l}, g.note(u), s.Stmts...)
	e.Heat = max(e.Heat, suspect)
	e.Vars = nil
	for _, v := range g.vars {
		e.Vars = append(e.Vars, fn.VarName(v))
	}
	slices.Sort(e.Vars)
	return e, true
}

// lock is the one beside the variables, or a new one; apart, it is a new one beside another.
func (g *group) lock(u *user, stmts []ast.Stmt, apart bool) (found analysis.Lock, ok bool) {
	fn := u.fn
	var accesses []analysis.Access
	for _, o := range u.ops {
		accesses = append(accesses, o.Access)
	}
	field := accesses[0].Var.IsField()
	own := slices.DeleteFunc(slices.Clone(fn.Program.Locks(fn.File, stmts[0])), func(l analysis.Lock) bool {
		return !field || syntax.LockOwner(l) != u.base.String()
	})
	locks := slices.Concat(own, fn.Program.NewLocks(fn.File, stmts[0], accesses))
	if apart {
		locks = nil
		if l, ok := fn.Program.NewValue(fn.File, stmts[0], accesses[0], "sync.Mutex", g.vars[0].Name()+"Mu", "Mu"); ok && len(own) > 0 {
			locks = append(locks, l)
		}
	}
	for _, l := range locks {
		if l.New != nil && l.New.Kind != analysis.FieldLock && len(own) > 0 {
			continue // a local one keeps nobody out, and one of the package is for all values
		}
		if fn.Reassigns(l.Expr, stmts...) || held.Conflict(fn, l, stmts...) != "" || held.Waits(fn, l, stmts...) {
			continue
		}
		return l, true
	}
	return found, false
}

// oneLock reports whether edits are of one lock: others keep nobody out.
func oneLock(edits []mutate.Edit) bool {
	return !slices.ContainsFunc(edits, func(e mutate.Edit) bool { return e.Lock.Key != edits[0].Lock.Key })
}

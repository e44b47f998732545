package mutate

import (
	"fmt"

	"mendel/analysis/evidence"
)

// An Operator edits synchronisation in one way. Its directory below mutate
// holds code, documentation, test and testdata; its name is that directory's.
type Operator struct {
	Name string // "addlock"; also in JSON and reports
	Doc  string // doc.go of its directory, embedded
	CORE string // the operators of CORE it is the counterpart of, separated by blanks ("ASAT ASIM"), or ""
	// Prior is the weight to start with, by kind of failure; a kind that is not listed has 1.
	Prior map[evidence.Kind]float64
	// Forms have the priors of forms of edits that the search weighs apart from the
	// operator's others, as if they were operators of their own. See Weighed.
	Forms map[string]map[evidence.Kind]float64
	// Faults are the names of faults that it mends, as package evidence has them: where
	// one is found it is likelier than its prior says. Without any, NoFault says why.
	Faults  []evidence.Fault
	NoFault string
	// Needs is what a function has that the operator edits, as in "there is no Needs": it is
	// said where the operator makes no edit and has no better reason. See [Function.Decline].
	Needs   string
	Shrinks bool // removes or shortens synchronisation: used to optimise a fix
	// Adds says that the operator inserts acquisitions rather than edits
	// existing sections. Within a set, sections are edited before locks are added.
	Adds bool
	// Local says that an edit changes no more than the statement at its Node, and what
	// is put right before that one: what was listed for statements that are apart goes
	// together.
	Local bool
	// Edits lists the operator's edits in one function of the original source, in source order.
	Edits func(fn *Function) []Edit
	// Apply makes one edit; new locks are declared already. It returns a
	// *Refusal when the edit no longer fits the tree; any other error becomes one.
	Apply func(m *Mutation, e Edit) error
	// Together lists composite edits, made by [Composite], that are more than the
	// edits of a group: see [Edit.Group]. nil: none. Edits may be nil then, and Apply.
	Together func(w *Whole) []Edit
	// Close returns a function that lists sets of edits, best first, each of which
	// may put a function's uses of some variables under a lock. nil: none.
	Close func(w *Whole) func(Closing) [][]Edit
}

// Weighed is the name under which the search weighs edits of a form, and their
// prior: the operator's, or of a form that has a prior of its own "addlock body".
func (op *Operator) Weighed(form string) (name string, prior map[evidence.Kind]float64) {
	if prior, apart := op.Forms[form]; apart {
		return op.Name + " " + form, prior
	}
	return op.Name, op.Prior
}

// A Refusal is why an edit or a set of edits gives no mutant. It is an
// ordinary outcome, never a fault of the tool.
type Refusal struct {
	Edit   Edit // the zero Edit when the set as a whole is refused
	Reason string
}

func (r *Refusal) Error() string {
	if r.Edit.Operator == "" {
		return r.Reason
	}
	return fmt.Sprintf("%s:%d: %s: %s", r.Edit.File, r.Edit.Line, r.Edit.Operator, r.Reason)
}

// Refuse returns the refusal of an edit.
func Refuse(e Edit, format string, args ...any) error {
	return &Refusal{Edit: e, Reason: fmt.Sprintf(format, args...)}
}

// Worth is what the search prefers edits by: heat times belief and reach.
func (e *Edit) Worth() float64 {
	worth := e.Heat
	if e.Belief > 0 {
		worth *= e.Belief
	}
	if e.Reach > 0 {
		worth *= e.Reach
	}
	return worth
}

// Doubt takes a part of the belief in the edit and leaves the given one, which is
// positive.
func (e *Edit) Doubt(left float64) {
	if e.Belief == 0 {
		e.Belief = 1
	}
	e.Belief *= left
}

// Key returns what makes the edit the edit it is. Two edits with equal keys
// do the same to the source; the rest of an edit depends on the evidence it was
// enumerated with, or is there for people.
func (e *Edit) Key() EditKey {
	k := EditKey{operator: e.Operator, file: e.File, node: e.Node, other: e.Other, count: e.Count, read: e.Read, expr: e.Expr, form: e.Form}
	if e.Lock != nil {
		k.lock, k.lockKey = e.Lock.Expr, e.Lock.Key
		if e.Lock.New != nil {
			k.newLock = *e.Lock.New
		}
	}
	if len(e.Parts) > 0 {
		k.parts = partsKey(e.Parts)
	}
	return k
}

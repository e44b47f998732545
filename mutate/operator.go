package mutate

import (
	"fmt"

	"mendel/analysis"
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

// An Edit is one operator applied at one place of the original source.
type Edit struct {
	Operator string         `json:"operator"`
	File     string         `json:"file"`            // module-relative, slash-separated
	Line     int            `json:"line"`            // of the original, for people
	Func     string         `json:"func"`            // "(*Account).Transfer"
	Node     int            `json:"node"`            // NodeID of the statement (or function) edited
	Other    int            `json:"other,omitempty"` // NodeID of a second place, e.g. the inner section
	Count    int            `json:"count,omitempty"` // statements covered or moved over
	Lock     *analysis.Lock `json:"lock,omitempty"`
	Read     bool           `json:"read,omitempty"` // RLock instead of Lock
	Expr     string         `json:"expr,omitempty"` // what the edit puts in, as Go writes it: "ctx.Done()"
	Form     string         `json:"form,omitempty"` // which of the operator's ways, where it has several: "defer"
	Vars     []string       `json:"vars,omitempty"` // names of the shared variables concerned
	Note     string         `json:"note,omitempty"` // what the edit guards against; becomes the comment in the source
	Heat     float64        `json:"heat"`           // nearness to the evidence when enumerated, 0 to 1
	// Belief is how likely the edit is to be what is missing, beside others as near to
	// the evidence; 0 stands for 1, as likely as can be. See Doubt.
	Belief float64 `json:"belief,omitempty"`
	// Sure says that the source shows what the edit mends to be wrong, whatever the tests
	// run: a lock that stays taken at an exit. It stays in a fix that mends the like of it.
	Sure bool `json:"sure,omitempty"`
	// Reach is the share of the original's races that the statements covered take part
	// in, as [analysis.Reach.Share] has it; 0 stands for 1: the edit covers none.
	Reach float64 `json:"reach,omitempty"`
	Flags []Flag  `json:"flags,omitempty"`
	// Group is equal for edits of the operator that belong together, wherever they
	// are: Space lists a composite edit of all of them, if they go together. "": none.
	Group string `json:"-"`
	// Parts, of a composite edit, are the edits of other operators that it
	// stands for; it does nothing else. Space.Mutant puts them in its place, so
	// that no Mutant has a composite edit.
	Parts []Edit `json:"parts,omitempty"`

	races analysis.Reach // that Reach is the share of
}

// A Flag is a reason to prefer other fixes.
type Flag string

// Flags of edits and fixes.
const (
	Serialises Flag = "serialises"        // a lock around a whole goroutine body
	DropsGuard Flag = "drops-guard"       // removes a lock around an access to data that it guards
	DropsLock  Flag = "drops-lock"        // removes a whole section in which nothing is known to be shared; what its lock put in order is not any more
	Nested     Flag = "nested-lock"       // acquires a lock while another is held, and nothing rules out the opposite order
	Blocks     Flag = "blocks-in-section" // channel operation, wait or sleep inside a critical section

	Discards  Flag = "discards"        // throws away what is handed over, without an end
	Postpones Flag = "postpones-block" // makes room in a channel that one value sends to any number of times
	Detached  Flag = "detached"        // starts a goroutine for what was called: nobody waits for it any more

	SharedLock Flag = "shared-lock" // one lock of the package for the fields of all values of a type

	// Flags of whole fixes, which validation finds.
	IncompleteGuard Flag = "incomplete-guard" // a variable that the fix guards with a lock is used without it elsewhere
	WrongLock       Flag = "wrong-lock"       // uses of a variable are under locks that do not exclude each other
	LostWakeup      Flag = "lost-wakeup"      // a waiter of a condition variable may be woken in vain, or not at all
	Relocks         Flag = "relocks"          // a lock may be taken where the goroutine holds it
	Remakes         Flag = "remakes"          // a mutex, wait group or the like is replaced while others may use it
	HeldThrough     Flag = "held-through"     // a lock is held now while what may need it is waited for or called, or for what it was let go for
	OutOfOrder      Flag = "out-of-order"     // others are told of a change without the lock under which it is made: perhaps of an older one later
	LockCircle      Flag = "lock-circle"      // locks are taken in a circle, which the fix makes or mends at some places only
	LeftElsewhere   Flag = "left-elsewhere"   // what the fix mends at one place is left at another one like it
	ScenarioFails   Flag = "scenario-fails"   // two calls side by side, made by machine from the program's tests, fail
	ReadsEarly      Flag = "reads-early"      // a function that is returned no longer reads a variable when it runs, but when it is made
	CutShort        Flag = "cut-short"        // what has come by the end of a context is taken for all, without an error
	Unawaited       Flag = "unawaited"        // what is promised to be waited for, or is needed, is not waited for
	GoesOn          Flag = "goes-on"          // what nobody wants any more goes on
	SplitSection    Flag = "split-section"    // a value read under a lock is written back, changed or checked, under a later acquisition of it
)

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

package causal

import (
	"cmp"
	"slices"

	"mendel/checker/sched/causal/order"
)

// A Prediction is something that may go wrong in another order of the steps of one
// execution. Whether it does, an execution along Plan shows.
type Prediction struct {
	Kind  Kind
	Roles []Role
	Plan  Plan
	ID    int // the same for all predictions of one kind at the same spots
	// Guess reports that a goroutine sees other values than in the trace before it does
	// what is foretold, and so may not do it.
	Guess bool
}

// A Role is what a goroutine of the trace does in a prediction.
type Role struct {
	G    int
	At   Spot
	What string
}

// A Kind of predictions.
type Kind uint8

// Kinds.
const (
	Race      Kind = iota // both accesses, with nothing between them
	Deadlock              // goroutines each of which waits for what the next one holds, or that wait for ever
	NilRead               // who reads nil where it has read an address
	Closed                // a send on a channel that was closed before, or another close
	Atomicity             // an access, one by another goroutine, and one by the first again
)

func (k Kind) String() string {
	return [...]string{"data race", "deadlock", "nil read", "use of a closed channel", "atomicity violation"}[k]
}

// WindowSteps is, unless it is said otherwise, how many steps are looked at together. That of Huang, Meredith and Roşu,
// "Maximal Sound Predictive Race Detection with Control Flow Abstraction" (PLDI 2014), is
// 1,000 events; a step has several.
const WindowSteps = 1000

// Bounds for all candidates at the same spots. Guessed.
const (
	maxSolved   = 20      // that the solver is asked of, in one window
	maxForeseen = 3       // predictions of which none has come true
	maxStops    = 20      // orders after which nothing can go on
	maxWork     = 1 << 22 // of the solver for one answer
)

// A Predictor asks the model of one execution what may go wrong in others. A long trace is
// cut into windows of steps. Of each, orders of its steps are looked for, after those that
// came before it. The next window begins in the middle of the last one, so what is no
// further apart than half a window is seen together; what spans more than one is not seen.
//
// Other than the classes of an Explorer, predictions claim nothing: where the model does
// not follow a program, see [Explorer.Broken], they do not come true.
type Predictor struct {
	explorer *Explorer
	t        *Trace
	size     int
	moves    Plan // the whole trace
	stop     func() bool

	pass       int // over the windows
	state      *state
	w          *window
	candidates []candidate
	next       int
	spots      map[key]*spots
	looked     int
}

// passes are what is looked for in each pass over the windows. There may be many
// violations of atomicity, most of them harmless.
var passes = []func(*window) []candidate{
	func(w *window) []candidate {
		return slices.Concat(w.races(), w.cycles(), w.nilReads(), w.closed(), w.stops())
	},
	(*window).atomicity,
}

// A key names a kind of prediction and its spots.
type key struct {
	kind Kind
	at   [maxRoles]Spot
}

// maxRoles is how many roles of a prediction tell it from others.
const maxRoles = 4

// spots is what became of the predictions of one key.
type spots struct {
	id, foreseen int
	settled      bool
}

// A candidate is what may be predicted.
type candidate struct {
	kind  Kind
	roles []Role
	last  []Move // after the order
	guess bool
	// assume returns what has to hold at z; false if it cannot.
	assume func() ([]order.Lit, bool)
	// cut, if not nil, tells the roles by the order that was found.
	cut func() []Role
}

// NewPredictor returns a predictor for the trace of an execution that e has watched. The
// size of windows is in steps; stop, if not nil, is asked often whether to give up.
func NewPredictor(e *Explorer, t *Trace, size int, stop func() bool) *Predictor {
	p := &Predictor{explorer: e, t: t, size: max(size, 2), stop: stop, spots: map[key]*spots{}, state: newState(t)}
	for i := range t.Steps {
		p.moves = append(p.moves, t.move(i, 0, -1))
	}
	return p
}

// Windows is into how many windows the trace is cut.
func (p *Predictor) Windows() int {
	half := p.size / 2
	return 1 + max(0, len(p.t.Steps)-p.size+half-1)/half
}

// Whole reports whether nothing is left to be looked for in any window.
func (p *Predictor) Whole() bool { return p.looked == p.Windows()*len(passes) }

// Next returns the next prediction; false if there is none, or no time.
func (p *Predictor) Next() (*Prediction, bool) {
	for !p.late() {
		if p.next == len(p.candidates) {
			if !p.advance() {
				return nil, false
			}
			continue
		}
		c := &p.candidates[p.next]
		p.next++
		if c.cut == nil && !p.wanted(keyOf(c.kind, c.roles)) {
			continue
		}
		plan, ok := p.w.foresee(c)
		if !ok {
			continue
		}
		if c.cut != nil {
			c.roles = c.cut()
		}
		if k := keyOf(c.kind, c.roles); p.wanted(k) {
			return p.predicted(c, k, plan), true
		}
	}
	return nil, false
}

// wanted reports whether to make another prediction at the same spots.
func (p *Predictor) wanted(k key) bool {
	s := p.spots[k]
	return s == nil || !s.settled && s.foreseen < maxForeseen
}

func (p *Predictor) predicted(c *candidate, k key, plan Plan) *Prediction {
	s := p.spots[k]
	if s == nil {
		s = &spots{id: len(p.spots)}
		p.spots[k] = s
	}
	s.foreseen++
	return &Prediction{Kind: c.kind, Roles: c.roles, Plan: plan, ID: s.id, Guess: c.guess}
}

// Settle says that a prediction has come true: others like it need not be made.
func (p *Predictor) Settle(r *Prediction) {
	if s := p.spots[keyOf(r.Kind, r.Roles)]; s != nil {
		s.settled = true
	}
}

func keyOf(kind Kind, roles []Role) (k key) {
	k.kind = kind
	var at []Spot
	for _, r := range roles {
		at = append(at, r.At)
	}
	if kind != Atomicity {
		slices.Sort(at)
	}
	copy(k.at[:], at)
	return k
}

func (p *Predictor) late() bool { return p.stop != nil && p.stop() }

// advance turns to the next window, or to the first of the next pass.
func (p *Predictor) advance() bool {
	if p.w != nil {
		p.looked++
	}
	switch {
	case p.w == nil:
		p.w = p.window(0)
	case p.w.to < len(p.t.Steps):
		p.w = p.window(p.w.from + p.size/2)
	case p.pass+1 == len(passes):
		p.candidates, p.next, p.w = nil, 0, nil
		return false
	default:
		p.pass++
		if p.w.from > 0 { // else it is the only one
			p.state = newState(p.t)
			p.w = p.window(0)
		}
	}
	p.candidates, p.next = passes[p.pass](p.w), 0
	return true
}

// foresee returns a plan for an order after which a candidate happens.
func (w *window) foresee(c *candidate) (Plan, bool) {
	assume, ok := c.assume()
	if !ok || !w.s.Solve(assume...) {
		return nil, false
	}
	for w.refine() {
		if w.predictor.late() || !w.s.Solve(assume...) {
			return nil, false
		}
	}
	w.cut = w.happened()
	plan := slices.Clone(w.predictor.moves[:w.from])
	for _, i := range w.cut {
		if i >= w.held {
			plan = append(plan, w.predictor.moves[w.from+i-w.held])
		}
	}
	return append(plan, c.last...), true
}

// roleOf is the role of an access.
func roleOf(g int, at Spot, write bool) Role {
	if write {
		return Role{g, at, "write"}
	}
	return Role{g, at, "read"}
}

// least orders two spots.
func least(a, b Spot) [2]Spot {
	if cmp.Less(b, a) {
		a, b = b, a
	}
	return [2]Spot{a, b}
}

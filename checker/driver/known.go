package driver

import (
	"fmt"
	"slices"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// What executions of other programs came to is not made again here, and what those made
// here came to is answered for others. Package incremental says why that is right.

// reached are the points that were reached, as a set of package incremental.
func (d *session) reached() []byte {
	n := d.request.Points
	set := make([]byte, (n+7)/8)
	copy(set, d.initial)
	for i, r := range sched.Reached[:n] {
		set[i/8] |= r << (i % 8)
	}
	return set
}

// recall takes what is known of the test from the request.
func (e *exploration) recall() {
	e.known, e.real = map[string]*wire.Outcome{}, map[string]*sched.Execution{}
	e.trees, e.reachedIn = map[string]*explore.Tree{}, map[*sched.Execution][]byte{}
	for i, o := range e.request.Known {
		if o.Test == e.result.Name {
			e.known[o.Key] = &e.request.Known[i]
		}
	}
}

// numbered makes an execution of the sample, unless what it comes to is known.
func (e *exploration) numbered(strategy string, s sched.Strategy, o sched.Options) *sched.Execution {
	t, ok := s.(explore.Numbered)
	if !ok || o.Trace {
		return e.once(s, o)
	}
	key := fmt.Sprintf("%s %d after %d, clocked %t", strategy, t.Number(), t.State(), o.Clocked)
	if x, leaves := e.taken(key); x != nil {
		t.Pass(leaves)
		return x
	}
	x := e.once(s, o)
	if e.reachedIn[x] == nil { // it was made just now
		e.reachedIn[x] = e.lately
	}
	e.learn(key, x, t.Leaves())
	return x
}

// once makes an execution, unless the same was made before.
func (e *exploration) once(s sched.Strategy, o sched.Options) *sched.Execution {
	if !e.request.Once || o.Trace || o.Deliveries || len(o.Races) > 0 || e.dependent() {
		return e.make(s, o)
	}
	t := e.tree(s, o)
	known, rest := t.Lead(s)
	if known != nil {
		e.result.Repeated++
		if known.Spins {
			e.result.Spun++
		}
		return known
	}
	x := e.make(rest, o)
	if rest != s {
		e.denied = !t.Note(rest, x) || e.denied
	}
	return x
}

// tree is the one of executions with some options.
func (e *exploration) tree(s sched.Strategy, o sched.Options) *explore.Tree {
	_, samples := s.(explore.Numbered)
	key := fmt.Sprint(o.Clocked, o.Patience, o.TrustTests, o.Steps, o.Start.UnixNano(), e.plain.Timed && samples)
	if e.trees[key] == nil {
		e.trees[key] = explore.NewTree(e.plain.Timed)
	}
	return e.trees[key]
}

// followed makes the execution of a given schedule, unless what it comes to is known.
func (e *exploration) followed(s wire.Schedule, g sched.Strategy, o sched.Options) *sched.Execution {
	key := fmt.Sprintf(wire.Given+"%s from %d, clocked %t, races %s", s.Choices, o.Start.UnixNano(), o.Clocked, s.Races)
	if x, _ := e.taken(key); x != nil {
		return e.counted(x)
	}
	x := e.one(g, o)
	e.learn(key, x, 0)
	return x
}

// reachedBy are the points that an execution reached, which was the last one if it is not
// of the sample.
func (e *exploration) reachedBy(x *sched.Execution) []byte {
	if points, ok := e.reachedIn[x]; ok {
		return points
	}
	return e.lately
}

// taken is an execution of which is known what it comes to, and what it leaves behind;
// nil: it has to be made. So has the first with each failure, which shows the places.
func (e *exploration) taken(key string) (x *sched.Execution, leaves int) {
	k := e.known[key]
	if k == nil || e.dependent() {
		return nil, 0
	}
	copied := *k.Execution
	x = &copied
	if f := x.Failure; f != nil {
		real := e.real[f.Kind+" "+f.Signature]
		if real == nil {
			return nil, 0
		}
		x.Failure, x.Choices = real.Failure, real.Choices
	}
	if x.Spins {
		e.result.Spun++
	}
	for i, b := range k.Reached {
		e.all[i] |= b
	}
	e.result.Carried++
	return x, k.Leaves
}

// learn compares an execution that was made with what is known of it. If that is
// nothing, it is answered, unless the execution may depend on more than the program.
func (e *exploration) learn(key string, x *sched.Execution, leaves int) {
	if x.Stopped || x.Abandoned || e.undone() {
		return
	}
	if k := e.known[key]; k != nil {
		if kindOf(k.Execution) != kindOf(x) {
			e.denied = true
		} else if f := k.Execution.Failure; f != nil {
			e.real[f.Kind+" "+f.Signature] = x
		}
		return
	}
	if e.request.Points == 0 || e.dependent() {
		return
	}
	told := *x
	told.Choices, told.Goroutines, told.Trace, told.TimeOuts = nil, nil, nil, nil
	if f := x.Failure; f != nil {
		told.Failure = &sched.Failure{Kind: f.Kind, Signature: f.Signature}
	}
	e.result.Outcomes = append(e.result.Outcomes, wire.Outcome{
		Test: e.result.Name, Key: key, Execution: &told, Leaves: leaves, Reached: e.reachedBy(x),
	})
}

// dependent reports whether executions depend on more than the program and the schedule.
func (e *exploration) dependent() bool {
	return e.result.After || len(e.environment) > 0 || e.plain == nil || e.plain.UncontrolledCall != ""
}

// The stages of a search have parts of the budget. A test that takes at most one in hasty
// of it, which is the smallest of these parts, has the same result without a budget.
const hasty = 20

// settle says whether the result of the test is that of every program that has the points
// which were reached: a success that neither time nor anything else outside has decided.
func (e *exploration) settle() {
	r := &e.result
	spent := time.Since(e.start)
	if e.request.Points > 0 && r.Verdict.Good() && !e.dependent() && e.slow == "" && !e.undone() &&
		(e.end.IsZero() || spent < e.end.Sub(e.start)/hasty) {
		r.Settled, r.Reached = true, slices.Clone(e.all)
	}
}

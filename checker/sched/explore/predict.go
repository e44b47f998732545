package explore

import (
	"cmp"
	"fmt"
	"slices"

	"mendel/checker/sched"
	"mendel/checker/sched/causal"
)

// The strategy predict makes one execution, asks its model what may go wrong in others
// (causal.Predictor), and makes those: RVPredict, in Huang, Meredith and Roşu, "Maximal
// Sound Predictive Race Detection with Control Flow Abstraction" (PLDI 2014), with
// deadlocks, nil reads and violations of atomicity besides races, and with the
// prediction's own execution as the judge instead of the model's soundness.

// Predicted is what the strategy predict was told by the model of one execution.
type Predicted struct {
	Steps   int    // of the execution, scheduling points only
	Window  int    // steps that were looked at together
	Windows int    // into which the execution was cut, each beginning in the middle of the last one
	Whole   bool   // all windows were looked at
	Doubt   string // what of the program the model does not follow, "" if it follows all
	// Predictions are in the order in which they were made. Those that were only guessed,
	// since goroutines had to see other values first, are listed if they were confirmed.
	Predictions []Prediction
}

// A Prediction is something that may go wrong.
type Prediction struct {
	Kind      string // "data race", "deadlock", "nil read", "use of a closed channel", "atomicity violation"
	Places    []sched.Place
	Outcome   Outcome
	Reason    string // in words: what its executions showed
	Signature string // of the failure, if it was confirmed
	Made      int    // executions along it
}

// An Outcome is what became of a prediction.
type Outcome string

// Outcomes.
const (
	Confirmed Outcome = "confirmed" // an execution along it fails so
	Refuted   Outcome = "refuted"   // an execution went along it to the end, and passes
	Undecided Outcome = "undecided" // it did not come about
)

// predict is the strategy.
func (e *explorer) predict() {
	l := e.until(1)
	first := newFollower(nil)
	first.spots = &spots{}
	x := e.along("plain", first, l)
	r := &Predicted{Steps: x.Steps, Window: cmp.Or(e.Window, causal.WindowSteps)}
	e.report.Predicted = r
	if x.Failure != nil || x.Abandoned || e.over {
		return
	}
	all := e.All
	e.All = true // a confirmed prediction ends nothing
	defer func() { e.All = all }()
	p := causal.NewPredictor(first.explorer, first.tracker.trace(), r.Window, func() bool { return e.late(l) })
	r.Windows = p.Windows()
	told := map[int]int{} // index in Predictions
	for {
		c, ok := p.Next()
		if !ok {
			break
		}
		i, known := told[c.ID]
		if !known {
			i = len(r.Predictions)
			told[c.ID] = i
			r.Predictions = append(r.Predictions, Prediction{Kind: c.Kind.String(), Places: first.places(c, x.Goroutines)})
		}
		if q := &r.Predictions[i]; e.judge(q, c, l) {
			p.Settle(c)
		}
	}
	r.Whole, r.Doubt = p.Whole(), first.explorer.Broken()
	r.merge()
}

// along makes an execution by a follower.
func (e *explorer) along(name string, s *follower, l limit) *sched.Execution {
	o := e.options(false, l)
	o.Names = s.spots != nil
	s.Begin()
	x := e.run(s, o)
	s.End(x)
	e.count(name, x)
	return x
}

// judge makes an execution along a prediction and notes what it shows. It is true if that
// is what was predicted.
func (e *explorer) judge(q *Prediction, c *causal.Prediction, l limit) bool {
	s := newFollower(c.Plan)
	x := e.along("predict", s, l)
	q.Made++
	f := x.Failure
	outcome, reason := Refuted, "it came about, and the test passes"
	switch {
	case f != nil && f.Kind != sched.Uncontrolled && f.Kind != sched.Timeout && foretold(c.Kind, f, q.Places):
		q.Outcome, q.Reason, q.Signature = Confirmed, "an execution along it fails", f.Signature
		return true
	case f != nil:
		outcome, reason = Undecided, fmt.Sprintf("the execution along it ended before with %s%s", f.Kind, f.Where())
	case x.Abandoned:
		outcome, reason = Undecided, "there was no time to see it through"
	case s.lost || s.at < len(s.plan):
		outcome, reason = Undecided, "the execution took another way"
	case c.Kind == causal.Race || c.Kind == causal.Deadlock:
		reason = "the execution along it passes: the model does not follow all that matters"
	}
	if q.Outcome != Undecided && !c.Guess {
		q.Outcome, q.Reason = outcome, reason
	}
	return false
}

// foretold reports whether a failure is what was predicted. A violation of atomicity and
// nil may lead to any failure.
func foretold(kind causal.Kind, f *sched.Failure, places []sched.Place) bool {
	switch kind {
	case causal.Race:
		return f.Kind == sched.Race && slices.ContainsFunc(f.Places, func(p sched.Place) bool {
			return slices.ContainsFunc(places, func(q sched.Place) bool { return p.File == q.File && p.Line == q.Line })
		})
	case causal.Closed:
		return f.Kind == sched.Panic
	case causal.Deadlock:
		return f.Kind == sched.Deadlock || f.Kind == sched.Blocked
	}
	return true
}

// places says where the roles of a prediction are.
func (s *follower) places(c *causal.Prediction, names []string) (all []sched.Place) {
	for _, r := range c.Roles {
		name := ""
		if r.G < len(names) {
			name = names[r.G]
		}
		all = append(all, s.tracker.spots.place(name, r.What, r.At))
	}
	return all
}

// merge leaves out guesses that did not come true, and deadlocks and violations of
// atomicity that led to a failure of another prediction of the list.
func (r *Predicted) merge() {
	seen := map[string]bool{}
	r.Predictions = slices.DeleteFunc(r.Predictions, func(p Prediction) bool {
		again := (p.Kind == causal.Deadlock.String() || p.Kind == causal.Atomicity.String()) && p.Outcome == Confirmed && seen[p.Signature]
		seen[p.Signature] = seen[p.Signature] || p.Outcome == Confirmed
		return again || p.Outcome == ""
	})
}

// count is how many predictions had an outcome.
func (r *Predicted) count(o Outcome) (n int) {
	for _, p := range r.Predictions {
		if p.Outcome == o {
			n++
		}
	}
	return n
}

// String says what was done, for the reason of a verdict.
func (r *Predicted) String() string {
	text := fmt.Sprintf("only what one execution foretells was tried: %d predictions, of which %d were refuted and %d not decided",
		len(r.Predictions), r.count(Refuted), r.count(Undecided))
	if !r.Whole {
		text += "; there was no time to ask all of it"
	}
	return text
}

// A follower makes one execution along a plan.
type follower struct {
	mcm
	done    bool
	starved bool // the goroutine of the plan's next step waits
	expired int  // timers that expired early for it
}

func newFollower(p causal.Plan) *follower {
	e := causal.NewExplorer()
	return &follower{mcm: mcm{explorer: e, plan: p, tracker: tracker{explorer: e}}}
}

// Begin implements [sched.Strategy]: true once.
func (s *follower) Begin() bool {
	first := !s.done
	s.done = true
	return first
}

// End implements [sched.Strategy].
func (s *follower) End(*sched.Execution) {}

// Blocked implements [sched.Watcher].
func (s *follower) Blocked(pending []sched.Pending) {
	s.mcm.Blocked(pending)
	s.starved = s.at < len(s.plan) && slices.ContainsFunc(pending, func(p sched.Pending) bool {
		return s.tracker.name(p.G) == s.plan[s.at].G
	})
}

// Expire implements [sched.Timekeeper]: time passes early if the plan's next goroutine waits.
func (s *follower) Expire(_ int, idle bool) int {
	switch {
	case idle:
		return 0
	case s.starved && s.expired < maxExpired && !s.plan[s.at].Wait:
		s.expired++
		return 0
	}
	return -1
}

// maxExpired bounds the timers that expire early in an execution. Guessed.
const maxExpired = 100

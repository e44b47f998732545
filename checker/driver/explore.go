package driver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/state"
	"mendel/checker/wire"
)

// An exploration is what is done with one test, stage by stage.
type exploration struct {
	*session
	runner   *runner
	search   wire.Search
	options  sched.Options
	start    time.Time
	end      time.Time // zero: none
	plain    *sched.Execution
	plainly  sched.Options     // with which it was made
	raced    []sched.KnownRace // found since the search began, see passRace
	found    []found
	seen     map[string]bool // signatures of failures
	result   wire.Test
	unended  int    // executions that reached the bound on steps
	where    string // the first of them, to follow the reason
	forced   bool   // there is nothing to choose
	slow     string // why there are too few executions to tell
	whole    int    // executions that passed before slow was known, or since
	hurried  bool   // there is no time to repeat the plain execution
	broken   string // why nothing can be concluded
	stateful string // why one process for each execution is needed
	searched *explore.Report

	environment []string // packages outside control on which executions depended
	unordered   int      // executions in which the order of the test cannot be kept

	known     map[string]*wire.Outcome    // what Request.Known has of the test, by key
	real      map[string]*sched.Execution // failing ones, by kind and signature of what is known
	denied    bool                        // an execution ended otherwise than is known
	fruitless int                         // executions since the last failure, with Search.Most
	lately    []byte                      // points reached in the last execution
	all       []byte                      // points reached in any execution
	trees     map[string]*explore.Tree    // by options, see once
	reachedIn map[*sched.Execution][]byte // points that executions of the sample reached
}

const (
	noTime       = "no schedule was explored within the budget"
	noRepetition = "there was no time to repeat one of them"
)

// A found is a failure that was replayed.
type found struct {
	wire.Failure
	execution *sched.Execution // not traced
}

func (d *session) options() sched.Options {
	s := d.request.Search
	return sched.Options{Start: s.Start.Time(), Steps: s.Steps, StepTime: s.StepTime, Patience: s.Patience, TrustTests: s.TrustTests, Guards: s.Guards, Idle: d.idle(), Standing: s.Standing, Roots: state.Roots()}
}

// explore explores the schedules of one test until end.
func (d *session) explore(t Test, end time.Time) *wire.Test {
	e := &exploration{
		session: d, search: d.request.Search, options: d.options(),
		runner: &runner{test: t, main: d.main(), reset: true},
		start:  time.Now(), end: end, seen: map[string]bool{},
		result: wire.Test{Name: t.Name}, all: d.reached(),
	}
	if e.options.Start.IsZero() {
		e.options.Start = e.start // all executions begin at one moment
	}
	defer e.runner.dismiss()
	e.recall()
	if !e.late() && e.begin() && e.orders() && e.given() && e.expected() && e.sample() {
		e.runSearch()
	}
	if e.denied {
		d.request.Known, d.request.Once = nil, false
		return d.explore(t, end)
	}
	if e.result.Stale {
		e.result.Verdict, e.result.Reason = explore.Inconclusive, "it fails after other tests"
		return &e.result
	}
	e.deliver()
	e.explain()
	e.disorder()
	e.conclude()
	e.settle()
	return &e.result
}

// over reports whether there is nothing more to do.
func (e *exploration) over() bool { return e.undone() || e.late() }

// undone reports that the program does what cannot be followed.
func (e *exploration) undone() bool { return e.broken != "" || e.stateful != "" || e.denied }

func (e *exploration) late() bool { return !e.end.IsZero() && !time.Now().Before(e.end) }

// left returns the rest of the bound on executions; ok is false if there is none. Those
// that only repeat one do not count. The engine's search counts those that it abandons.
func (e *exploration) left() (n int, ok bool) {
	if e.search.Executions == 0 {
		return 0, true
	}
	n = e.search.Executions - e.result.Executions
	return n, n > 0
}

// make makes an execution, for whatever stage.
func (e *exploration) make(s sched.Strategy, o sched.Options) *sched.Execution {
	clear(sched.Reached[:e.request.Points])
	e.fruitless++
	x := e.runner.execute(s, o)
	e.lately = e.reached()
	for i, b := range e.lately {
		e.all[i] |= b
	}
	if x.Spins {
		e.result.Spun++
	}
	e.environment = sched.Union(e.environment, x.Environment)
	switch {
	case e.runner.stateful != "":
		e.stateful = e.runner.stateful
	case x.Failure != nil && x.Failure.Kind == sched.Uncontrolled && e.broken == "":
		e.broken = x.Failure.Message
	}
	return x
}

// one makes an execution that counts.
func (e *exploration) one(s sched.Strategy, o sched.Options) *sched.Execution {
	s.Begin()
	x := e.make(s, o)
	s.End(x)
	return e.counted(x)
}

// counted counts an execution.
func (e *exploration) counted(x *sched.Execution) *sched.Execution {
	if kindOf(x) == sched.Unordered {
		e.unordered++
		e.result.Redundant++
		return x
	}
	e.result.Executions++
	e.result.Steps += x.Steps
	if passes(x) {
		e.whole = 1 // the others are the same
	}
	if kindOf(x) == sched.Timeout {
		e.unended++
		e.where = cmp.Or(e.where, x.Failure.Where())
	}
	return x
}

// kindOf returns the kind of an execution's failure, "" if there is none.
func kindOf(x *sched.Execution) string {
	if x.Failure == nil {
		return ""
	}
	return x.Failure.Kind
}

// begin makes the plain execution, in which each goroutine goes on as long as
// it can, twice: they must be equal. It returns false when there is nothing more
// to do.
func (e *exploration) begin() bool {
	e.plainly = e.options
	e.plainly.Stop = e.halfway
	e.plain = e.one(explore.NewGuided(nil), e.plainly)
	if e.plain.UncontrolledCall != "" && !e.undone() {
		e.plain = e.one(explore.NewGuided(nil), e.plainly) // now the clock is real, see sched.Start
	}
	if e.plain.Timed && e.options.Patience >= 0 && !e.undone() {
		e.options.Clocked, e.plainly.Clocked = true, true
		e.plain = e.one(explore.NewGuided(nil), e.plainly)
	}
	if e.undone() || e.cut(e.plain) {
		e.hurry()
		return false
	}
	e.plainly.Stop = e.late
	if e.used && asserts(e.plain) {
		e.result.Stale = true
		return false
	}
	e.prepare()
	if e.runner.skipped != "" {
		e.result.Skipped, e.result.Reason = true, e.runner.skipped
		return false
	}
	e.forced = !e.plain.Chose && !e.plain.Timed && len(e.environment) == 0
	if e.plain.Failure != nil {
		e.plainly.Stop = nil // there is always time to confirm a failure
	}
	ok := e.steady()
	e.plainly.Stop = nil
	ok = ok && e.report(e.plain, "plain", 1)
	return ok && !e.over()
}

// prepare runs the tests before this one first, in each execution, if the plain
// execution fails without them, and passes or fails otherwise with them.
func (e *exploration) prepare() {
	if !asserts(e.plain) || e.undone() {
		return
	}
	alone := e.plain
	if e.runner.after = e.before(e.result.Name); len(e.runner.after) == 0 {
		return
	}
	o := e.plainly
	o.Stop = e.late
	s := explore.NewGuided(nil)
	s.Begin()
	x := e.runner.execute(s, o)
	e.result.Redundant++
	if !e.runner.prepared || x.Stopped || signature(x) == signature(alone) || kindOf(x) == sched.Uncontrolled {
		e.runner.after, e.plain = nil, alone
		return
	}
	e.plain, e.result.After = x, true
}

// asserts reports whether an execution failed in a way that may be due to what
// earlier ones left behind: any but those that the engine itself sees.
func asserts(x *sched.Execution) bool {
	kind := kindOf(x)
	return kind == sched.TestFailure || kind == sched.Panic
}

// steady makes the plain execution again. If it differs, the test depends on what
// earlier executions left behind, or on something outside the process. Then the
// results of other executions mean nothing. It is traced where there may be lock orders.
func (e *exploration) steady() bool {
	e.result.Redundant++
	guided := explore.NewGuided(nil)
	guided.Begin()
	o := e.plainly
	o.Trace, o.Access = e.search.Orders > 0 && e.plain.Nested, sched.NoAccess
	again := e.make(guided, o)
	e.order(again)
	made := e.result.Executions + e.result.Redundant
	switch {
	case e.undone(), len(e.environment) > 0:
	case e.cut(again):
		return false
	case signature(again) != signature(e.plain):
		e.differ("the first ended with %s, execution %d of the same schedule with %s", outcome(e.plain), made, outcome(again))
	case !equal(again.Choices, e.plain.Choices):
		e.differ("the first had %d steps, execution %d of the same schedule has others, %d", e.plain.Steps, made, again.Steps)
	}
	return !e.undone()
}

// cut reports whether there was no time for all of an execution.
func (e *exploration) cut(x *sched.Execution) bool {
	if x.Stopped && e.slow == "" {
		e.slow = fmt.Sprintf("two executions of one schedule take longer than the budget: the last was given up at step %d", x.Steps)
	}
	return x.Stopped
}

// differ notes that executions differ by more than the schedule.
func (e *exploration) differ(format string, args ...any) {
	e.stateful = "executions differ by more than the schedule: " + fmt.Sprintf(format, args...)
}

func signature(x *sched.Execution) string {
	if x.Failure == nil {
		return ""
	}
	return x.Failure.Signature
}

func outcome(x *sched.Execution) string {
	if x.Failure == nil {
		return "success"
	}
	text, _, _ := strings.Cut(x.Failure.Message, "\n")
	return fmt.Sprintf("%s (%s)", x.Failure.Kind, text)
}

func equal(a, b []sched.Choice) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// report replays a failing execution and answers it at once. The replay is traced,
// because only then all places are known. It returns false when the test turns out
// to depend on more than the schedule.
func (e *exploration) report(x *sched.Execution, strategy string, nth int) bool {
	switch kindOf(x) {
	case "", sched.Timeout, sched.Uncontrolled, sched.Unordered:
		return true
	}
	if e.seen[x.Failure.Signature] && !(e.passes() && kindOf(x) == sched.Race) {
		return true // only a trace tells races apart
	}
	traced := e.tracing(x)
	if e.undone() {
		return false
	}
	if kindOf(traced) != kindOf(x) {
		return true // not confirmed: an environment did something else
	}
	log := e.runner.top.log()
	if !e.hurried && !e.steady() {
		return false
	}
	e.passRace(traced.Failure)
	known := e.seen[traced.Failure.Signature]
	e.seen[x.Failure.Signature], e.seen[traced.Failure.Signature] = true, true
	if known || e.search.Most > 0 && len(e.found) >= e.search.Most {
		return true
	}
	e.fruitless = 0
	f := failure(traced, strategy, nth)
	f.Log, f.After = log, e.result.After
	e.found = append(e.found, found{f, x})
	e.say(wire.Answer{Found: &wire.Found{Test: e.result.Name, Failure: f}})
	return true
}

// tracing replays a failing execution with a trace, and with the stack of the
// earlier access of a race.
func (e *exploration) tracing(x *sched.Execution) *sched.Execution {
	o := e.options
	o.Trace, o.Access, o.Start, o.Races = true, sched.NoAccess, x.Start, x.Races
	if n := x.Failure.Access; n != 0 {
		o.Access = n
	}
	again := e.replayed(x, o)
	if kindOf(again) != sched.Race || kindOf(x) != sched.Race || e.undone() || again.Failure.Places[0].File != "" {
		return again
	}
	o.Access = 0 // the number is another one
	return e.replayed(x, o)
}

// replayed follows the schedule of a failing execution, and notes it if the
// execution is another.
func (e *exploration) replayed(x *sched.Execution, o sched.Options) *sched.Execution {
	r := explore.NewReplay(x.Choices)
	r.Begin()
	again := e.make(r, o)
	r.End(again)
	if e.undone() || len(e.environment) > 0 {
		return again
	}
	if how := r.Diverged(); how != "" {
		e.differ("the replay of a schedule that ended with %s: %s", outcome(x), how)
	} else if kindOf(again) != kindOf(x) {
		e.differ("a schedule ended with %s, and with %s when replayed", outcome(x), outcome(again))
	}
	return again
}

// failure describes a failing execution, without its trace.
func failure(x *sched.Execution, strategy string, nth int) wire.Failure {
	return wire.Failure{
		TimeOuts:    x.TimeOuts,
		Early:       x.Early,
		Failure:     *x.Failure,
		Choices:     sched.FormatChoices(x.Choices),
		Start:       wire.At(x.Start),
		Races:       sched.FormatRaces(x.Races),
		Preemptions: x.Preempted,
		Strategy:    strategy,
		Nth:         nth,
		Goroutines:  x.Goroutines,
	}
}

// order collects the lock orders of a traced execution.
func (e *exploration) order(x *sched.Execution) {
	known := map[string]bool{}
	for _, i := range e.result.Inversions {
		known[fmt.Sprint(i.Places)] = true
	}
	for _, i := range sched.LockOrder(x.Trace) {
		if !known[fmt.Sprint(i.Places)] {
			e.result.Inversions = append(e.result.Inversions, i)
		}
	}
}

// orders collects the lock orders of random executions. Where there is nothing to
// choose, that of the plain one is all there is. A trace costs as much as the steps, so
// where the plain execution takes no lock under another one, only those that do are made
// once more with it.
func (e *exploration) orders() bool {
	if e.search.Orders < 2 || e.forced || e.search.Strategy == explore.Predict { // that makes no others than it needs
		return true
	}
	return e.some("random", e.search.Orders-1, true, e.order)
}

// sampleSeed keeps the executions of the sample apart from those of the search.
const sampleSeed = 0x9e3779b97f4a7c15

// some makes n executions by a random strategy and shows each.
func (e *exploration) some(strategy string, n int, trace bool, show func(*sched.Execution)) bool {
	if left, ok := e.left(); !ok || e.over() {
		return false
	} else if left > 0 {
		n = min(n, left)
	}
	s := e.searchFor(strategy)
	s.Seed += sampleSeed
	s.Executions, s.Run.Access, s.All, s.Numbered = n, sched.NoAccess, true, !trace
	if trace {
		s.Run.Trace = e.plain.Nested
		s.Seed += sampleSeed
	}
	s.Execute = func(t sched.Strategy, o sched.Options) *sched.Execution {
		if trace {
			return e.ordered(t, o, show)
		}
		x := e.numbered(strategy, t, o)
		if _, again := t.(*explore.Replay); !again && kindOf(x) != sched.Uncontrolled {
			show(x)
		}
		return x
	}
	e.explored(explore.Explore(e.over, s, nil))
	return !e.over()
}

// ordered makes an execution and shows its trace, if there may be lock orders in it.
func (e *exploration) ordered(s sched.Strategy, o sched.Options, show func(*sched.Execution)) *sched.Execution {
	x := e.make(s, o)
	if _, again := s.(*explore.Replay); again || kindOf(x) == sched.Uncontrolled || !x.Nested || e.undone() {
		return x
	}
	traced := x
	if !o.Trace {
		if x.Abandoned {
			return x
		}
		o.Trace, o.Start, o.Races = true, x.Start, x.Races
		e.result.Redundant++
		if traced = e.replayed(x, o); e.undone() {
			return x
		}
	}
	show(traced)
	return x
}

// searchFor is a search of the engine with the rest of time and executions.
func (e *exploration) searchFor(strategy string) explore.Search {
	s := explore.Search{
		Strategy: strategy, Preemptions: e.search.Preemptions, Depth: e.search.Depth, Window: e.search.Window, Impact: e.search.Impact, Seed: e.search.Seed,
		All: e.search.All, Run: e.options, Execute: e.once,
	}
	if !e.end.IsZero() {
		s.Time = max(time.Until(e.end), 1)
	}
	before := e.result.Executions
	s.Found = func(f explore.Found) {
		e.report(f.Execution, f.Strategy, before+f.Nth)
		e.post(f)
	}
	return s
}

// explored adds the report of the engine's search, and returns it.
func (e *exploration) explored(r *explore.Report, err error) *explore.Report {
	if err != nil {
		e.broken = err.Error()
		return nil
	}
	e.result.Executions += r.Executions
	e.result.Parts, e.result.Predicted = r.Parts, r.Predicted
	e.result.Redundant += r.Redundant
	e.unordered += r.Unordered
	e.result.Steps += r.Steps
	if r.Verdict != explore.Inconclusive || r.Executions == 0 || e.undone() {
		return r
	}
	if n := 0; r.Spun > 0 {
		return r // counted by make
	} else if len(r.Environment) > 0 {
		return r
	} else if scan(r.Reason, &n) {
		e.unended += n
		_, where, _ := strings.Cut(r.Reason, " schedules")
		e.where = cmp.Or(e.where, where)
	} else {
		e.stateful = r.Reason
	}
	return r
}

// scan reads the number of executions that did not end from the engine's reason.
func scan(reason string, n *int) bool {
	_, err := fmt.Sscanf(reason, "the test did not end within the step bound in %d of", n)
	return err == nil
}

// given follows the schedules of the request.
func (e *exploration) given() bool {
	for _, s := range e.request.First {
		if s.Test != e.result.Name {
			continue
		}
		if _, ok := e.left(); !ok || e.over() {
			return false
		}
		choices, err := sched.ParseChoices(s.Choices)
		if err != nil {
			e.broken = fmt.Sprintf("read a schedule that is to be followed: %v", err)
			return false
		}
		o := e.options
		if s.Start != 0 {
			o.Start = s.Start.Time()
		}
		if o.Races, err = sched.ParseRaces(s.Races); err != nil {
			e.broken = fmt.Sprintf("read a schedule that is to be followed: %v", err)
			return false
		}
		x := e.followed(s, explore.NewGuided(choices), o)
		if e.undone() {
			return false
		}
		e.count(x)
		if !e.report(x, "given", e.result.Executions) {
			return false
		}
	}
	return true
}

// count adds an execution to the sample.
func (e *exploration) count(x *sched.Execution) {
	if kindOf(x) == sched.Unordered {
		return
	}
	e.result.Sampled++
	if x.Failure == nil {
		e.result.Passed++
		return
	}
	if e.result.Kinds == nil {
		e.result.Kinds = map[string]int{}
	}
	e.result.Kinds[x.Failure.Kind]++
}

// sample measures how often the test fails.
func (e *exploration) sample() bool {
	strategies := []string{"random", "pct", "pos"}
	for i, strategy := range strategies {
		n := (e.search.Sample + len(strategies) - 1 - i) / len(strategies)
		if n > 0 && !e.some(strategy, n, false, e.count) {
			return false
		}
	}
	return true
}

// runSearch is the search itself.
func (e *exploration) runSearch() {
	failed := len(e.found) > 0 || e.result.Sampled > e.result.Passed
	left, ok := e.left()
	if failed && !e.search.All || !ok || e.satisfied() || e.over() {
		return
	}
	for {
		e.options.Races, e.raced = append(slices.Clip(e.options.Races), e.raced...), nil
		s := e.searchFor(e.search.Strategy)
		s.Executions, s.Part, s.Wider = left, e.part(), e.search.Wider
		stop := func() bool { return len(e.raced) > 0 || e.satisfied() || e.explains() || e.over() }
		e.searched = e.explored(explore.Explore(stop, s, nil))
		if left, ok = e.left(); len(e.raced) == 0 || !ok || e.satisfied() || e.explains() || e.over() {
			return
		}
	}
}

// explaining is the part of a test's time for its failures, to make them simple. Guessed.
const explaining = 0.3

// explains reports whether what is left of the time is for the failures that were found.
func (e *exploration) explains() bool {
	if len(e.found) == 0 || e.search.Minimise == 0 || e.end.IsZero() {
		return false
	}
	return float64(time.Until(e.end)) < explaining*float64(e.end.Sub(e.start))
}

// fewSchedules is how many executions without another failure end a search that has
// found some, see wire.Search.Most. Guessed.
const fewSchedules = 100

// satisfied reports whether the test has failed in as many ways as are wanted, or in others
// hardly.
func (e *exploration) satisfied() bool {
	n := len(e.found)
	return e.search.Most > 0 && n > 0 && (n >= e.search.Most || e.fruitless >= max(fewSchedules, e.found[n-1].Nth))
}

// passes reports whether the search goes on behind races.
func (e *exploration) passes() bool { return e.search.All && e.search.PastRaces }

// passRace has the search begin anew with a race that was found, so that it goes on
// behind it.
func (e *exploration) passRace(f *sched.Failure) {
	if r, ok := f.KnownRace(); ok && e.passes() && !slices.Contains(e.options.Races, r) && !slices.Contains(e.raced, r) {
		e.raced = append(e.raced, r)
	}
}

// explain simplifies the schedules of the failures and traces them.
func (e *exploration) explain() {
	if e.search.Minimise <= 0 {
		return
	}
	for i := range e.found {
		e.simplify(&e.found[i])
	}
}

// simplify minimises one failure as long as there is time, and traces it.
func (e *exploration) simplify(f *found) {
	if e.undone() {
		return
	}
	s := explore.Search{Run: e.options, Execute: e.make}
	s.Run.Start, s.Run.Races = f.execution.Start, f.execution.Races
	best, proven := s.Minimise(e.over, e.search.Minimise, f.execution, nil)
	if e.undone() {
		return
	}
	x := e.tracing(best)
	if e.undone() || kindOf(x) != kindOf(best) {
		return
	}
	log := e.runner.top.log()
	f.Failure = failure(x, f.Strategy, f.Nth)
	f.Needed = best.Needed && len(x.TimeOuts) == best.Early // all of them are told
	f.Proven, f.Trace, f.Log, f.After = proven, x.Trace, log, e.result.After
	f.Paced = e.search.Paces && e.paced(best, x)
}

// conclude gives the verdict.
func (e *exploration) conclude() {
	r := &e.result
	r.Seconds, r.Slow = time.Since(e.start).Seconds(), e.slow != ""
	switch {
	case e.stateful != "":
		r.Verdict, r.Stateful, r.Reason = explore.Inconclusive, true, e.stateful
		return
	case len(e.found) > 0:
		r.Verdict = explore.Failed
		for _, f := range e.found {
			r.Failures = append(r.Failures, f.Failure)
		}
		if len(e.environment) > 0 {
			r.Reason = sched.Depends(e.environment)
		}
	case e.broken != "":
		r.Verdict, r.Reason = explore.Inconclusive, e.broken
	case e.slow != "" && e.whole > 0 && e.search.Single && len(e.environment) == 0 && e.unended+r.Spun == 0:
		r.Verdict, r.Reason, r.Executions = explore.Passed, noRepetition, e.whole
	case e.slow != "":
		r.Verdict, r.Reason, r.Executions = explore.Inconclusive, e.slow, 0
	case e.unended > 0:
		r.Verdict = explore.Inconclusive
		r.Reason = fmt.Sprintf("the test did not end within the step bound in %d of %d schedules%s", e.unended, r.Executions, e.where)
	case r.Spun > 0:
		r.Verdict = explore.Inconclusive
		r.Reason = fmt.Sprintf("a goroutine went on until the step bound without ever waiting in %d schedules", r.Spun)
	case len(e.environment) > 0:
		r.Verdict, r.Reason = explore.Inconclusive, sched.Depends(e.environment)
	case r.Executions == 0 && e.unordered > 0:
		r.Verdict, r.Reason = explore.Passed, "the order of the test was not seen"
		if e.searched != nil && e.searched.Verdict == explore.Exhausted {
			r.Verdict, r.Bound, r.Fair, r.Complete, r.Reason = explore.Exhausted, e.searched.Bound, e.searched.Fair, true, e.searched.Reason
		}
	case r.Executions == 0:
		r.Verdict, r.Reason, r.Slow = explore.Inconclusive, noTime, true
	default:
		r.Verdict = explore.Passed
		if s := e.searched; s != nil && s.Verdict != explore.Inconclusive {
			r.Classes = s.Classes
			r.Verdict, r.Bound, r.Fair, r.Complete, r.Reason = s.Verdict, s.Bound, s.Fair, s.Complete, s.Reason
		}
	}
}

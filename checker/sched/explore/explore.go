package explore

import (
	"fmt"
	"time"

	"mendel/checker/sched"
)

// A Search says how to explore.
type Search struct {
	Strategy string // the name of one of Kinds; "": Auto
	// Executions and Time bound the search; 0: no bound, but 10,000 executions
	// if both are 0. Time is looked at during executions too. Executions that are
	// abandoned, because an equivalent one was made, do not count, up to 20 for each
	// that does.
	Executions int
	Time       time.Duration
	// Preemptions is the bound of dfs on switches away from a goroutine that
	// could go on, reached by way of the smaller ones; 0: 2; negative: none.
	Preemptions int
	Wider       bool          // go on to larger bounds as long as Executions and Time permit
	Window      int           // of predict: steps that are looked at together; 0: causal.WindowSteps
	Depth       int           // of pct: number of ordering constraints that make the bug; 0: 3
	Seed        uint64        // of the random strategies
	Numbered    bool          // strategies random, pct and pos: see the type Numbered
	Impact      *sched.Impact // of dfs with a bound, and auto: what has to do with this comes first; nil: none
	Part        Part          // of dfs with a bound on preemptions: what to explore; zero: all
	All         bool          // go on after a failure, to collect those with other signatures
	Run         sched.Options
	// Found is called at once for each failure that goes into Report.Failures;
	// nil: not.
	Found func(Found)
	// Execute makes an execution; nil: Run of the body. With it the caller can
	// prepare each execution and examine the process after it.
	Execute func(sched.Strategy, sched.Options) *sched.Execution
}

// A Verdict is the result of a search.
type Verdict string

// Verdicts.
const (
	Failed       Verdict = "failed"       // Failures is not empty; each was replayed
	Exhausted    Verdict = "exhausted"    // no schedule within Bound fails
	Covered      Verdict = "covered"      // every outcome of every schedule was seen, and none fails
	Passed       Verdict = "passed"       // none of Executions schedules failed; there are more
	Inconclusive Verdict = "inconclusive" // see Reason
)

// Good reports whether a verdict says that no schedule that was tried fails.
func (v Verdict) Good() bool { return v == Exhausted || v == Covered || v == Passed }

// A Report has the verdict of a search, and what was done to reach it.
type Report struct {
	Verdict Verdict
	// Bound is, with Exhausted, the number of preemptions up to which all
	// schedules were covered; -1: any number.
	Bound int
	// Fair reports, with Exhausted, that schedules were left out in which a
	// goroutine that yields or repeats itself keeps others waiting.
	Fair bool
	// Classes is, with Covered, the number of executions in which goroutines see different
	// things: one for each outcome at least.
	Classes   int
	Predicted *Predicted // by the strategy predict
	Complete  bool       // nothing was left to explore, with Exhausted, Covered or for less than that
	Reason    string     // with Inconclusive; with Passed the reason why it is not Exhausted, if there is one; with Exhausted what it says of time-outs
	Failures  []Found
	Spun      int // executions that reached the bound on steps by a goroutine that never waits
	// Environment are the packages outside control on which executions depended, see
	// [sched.Execution]. Then nothing is concluded from success.
	Environment []string
	Executions  int         // made to their end
	Parts       []BoundPart // with Search.Part, by bound
	Redundant   int         // abandoned because an equivalent one was made, or to begin anew; Unordered included
	Unordered   int         // in which the order that the test states cannot be kept
	Steps       int         // of all
}

// A Found is a failing execution.
type Found struct {
	Execution *sched.Execution
	Strategy  string // that found it: dfs, random, pct, pos
	Nth       int    // execution of the search, from 1
	Bound     int    // with Search.Part: on preemptions
	Unit      int    // likewise: see Part
}

// String returns the verdict in one line: "exhausted up to 2 preemptions: 35 schedules".
func (r *Report) String() string {
	switch r.Verdict {
	case Failed:
		return fmt.Sprintf("failed: %s in schedule %d", r.Failures[0].Execution.Failure.Kind, r.Failures[0].Nth)
	case Exhausted:
		bound, fair := "", ""
		if r.Bound >= 0 {
			bound = fmt.Sprintf(" up to %d preemptions", r.Bound)
		}
		if r.Fair {
			fair = " (fair schedules only)"
		}
		timing := ""
		if r.Reason != "" {
			timing = " (" + r.Reason + ")"
		}
		return fmt.Sprintf("exhausted%s%s: %d schedules%s", bound, fair, r.Executions, timing)
	case Covered:
		return fmt.Sprintf("covered: every outcome of every schedule (%d classes)", r.Classes)
	case Passed:
		reason := ""
		if r.Reason != "" {
			reason = " (" + r.Reason + ")"
		}
		return fmt.Sprintf("passed %d schedules%s", r.Executions, reason)
	}
	return "inconclusive: " + r.Reason
}

// Explore makes executions of body until the search is over or stop, asked
// often, returns true; nil never does. With s.Execute body is not used.
// Only a strategy that does not exist is an error.
func Explore(stop func() bool, s Search, body func()) (*Report, error) {
	return explore(stop, s, s.runner(body))
}

// A runner makes one execution.
type runner func(sched.Strategy, sched.Options) *sched.Execution

func (s Search) runner(body func()) runner {
	if s.Execute != nil {
		return s.Execute
	}
	return func(t sched.Strategy, o sched.Options) *sched.Execution { return sched.Run(t, o, body) }
}

func explore(stop func() bool, s Search, run runner) (*Report, error) {
	kind, err := Find(s.Strategy)
	if err != nil {
		return nil, err
	}
	if s.Executions == 0 && s.Time == 0 {
		s.Executions = 10_000
	}
	switch {
	case s.Preemptions == 0:
		s.Preemptions = 2
	case s.Preemptions < 0:
		s.Preemptions = -1
	}
	if s.Depth == 0 {
		s.Depth = pctDepth
	}
	if s.Run.Impacts = sched.NewImpacts(s.Impact); s.Run.Impacts == nil {
		s.Impact = nil
	}
	e := &explorer{Search: s, stop: stop, run: run, start: time.Now(), seen: map[string]bool{}, report: &Report{}}
	kind.explore(e)
	e.conclude()
	return e.report, nil
}

// An explorer is a search under way.
type explorer struct {
	Search
	stop   func() bool
	run    runner
	start  time.Time
	seen   map[string]bool // signatures of failures
	report *Report
	part   *partition // of the dfs under way, nil: none

	exhausted        bool
	covered          bool   // by mcm
	uncovered        string // why mcm cannot tell
	cut              int    // executions that ran on after the test until the step bound
	unended          int    // executions in which the test did not end before it
	polled           int    // executions in which the clock was read in a loop
	timed            bool   // an execution used timers
	believing        bool   // time-outs are believed in this stage
	clocked          bool   // see Options.Clocked
	believed         bool   // time-outs did not expire early because of Options.Patience
	spins            bool   // a dfs left out that a busy wait goes on for ever
	hasty            bool   // a search without a bound had to leave early time-outs out
	where            string // of one of unended: what was going on
	uncontrolledCall string // what of the program is not under control, see Execution
	unwatched        string // the first Unwatched
	worker           string // the first Worker
	broken           string // why nothing can be concluded
	over             bool
}

// A limit ends a stage of a search.
type limit struct {
	executions int       // of the search that were made to their end; 0: none
	made       int       // of the search, redundant ones included; 0: none
	time       time.Time // zero: none
}

// abandonedEach is how many abandoned executions there may be for each that counts, so
// that a search without a bound on time ends. Guessed.
const abandonedEach = 20

// until returns the limit at which a part of the budget is used up.
func (e *explorer) until(part float64) (l limit) {
	if e.Executions > 0 {
		l.executions = max(1, int(float64(e.Executions)*part))
		l.made = (1 + abandonedEach) * l.executions
	}
	if e.Time > 0 {
		l.time = e.start.Add(time.Duration(float64(e.Time) * part))
	}
	return l
}

// within returns the earlier of l and n more executions.
func (e *explorer) within(l limit, n int) limit {
	if n += e.made(); l.made == 0 || n < l.made {
		l.made = n
	}
	return l
}

func (e *explorer) made() int { return e.report.Executions + e.report.Redundant }

// auto is the strategy that is a portfolio. The first stages complete programs with few classes of schedules,
// or few schedules. Then come strategies that find failures fast, all states where they
// promise to be few, the unbounded search again, and the bounded one with the rest of the
// budget. The shares are guessed.
func (e *explorer) auto() {
	const briefly, briefStates, short = 200, 300, 1000 // executions
	classes := newMCM()
	if e.coverFirst(classes) {
		return
	}
	full := e.believe(e.within(e.until(0.05), briefly/2))
	if e.stage("dfs", full, e.within(e.until(0.1), briefly)) && e.claim(full) {
		return
	}
	e.deepenTo(e.Preemptions, e.within(e.until(0.15), short))
	// The stages before may have used up their share of a bound on executions.
	brief := e.within(e.until(0.45), briefClasses)
	brief.time = e.until(0.15).time
	if e.coverBriefly(classes, brief, 0) {
		return
	}
	e.stage("random", newRandom(e.Seed), e.within(e.until(0.2), short))
	e.stage("pct", newPCT(e.Seed, e.Depth), e.within(e.until(0.28), short))
	e.stage("pos", newPOS(e.Seed), e.within(e.until(0.33), short))
	if e.visitStates(e.within(e.until(0.4), briefStates), e.until(0.8)) {
		return
	}
	if len(e.report.Failures) == 0 && classes.promises() && e.cover(classes, e.until(0.45), 0) {
		return
	}
	if e.stage("dfs", full, e.until(0.55)) && e.claim(full) {
		return
	}
	e.deepen(e.Preemptions)
}

// believe is the first stage of auto for a program that uses timers: what fails
// although time-outs are believed is more telling than what needs a goroutine to be
// slow. It returns the search to begin with: a new one, or the one that was begun, if
// there were no timers.
func (e *explorer) believe(l limit) *dfs {
	full := newDFS(-1, true)
	full.strict = true
	if e.Run.Patience < 0 {
		return full
	}
	e.believing = true
	if !e.stage("dfs", full, l) && e.timed {
		e.stage("random", newRandom(e.Seed), e.within(e.until(0.1), l.made))
	}
	e.believing = false
	if !e.timed {
		return full
	}
	e.clocked = true
	full = newDFS(-1, true)
	full.strict = true
	return full
}

// systematic is the strategy dfs.
func (e *explorer) systematic() {
	if e.Part.Of > 1 && e.Preemptions >= 0 {
		e.deepenPart(e.Preemptions)
		return
	}
	e.deepenTo(e.Preemptions, e.until(1))
	e.deepen(e.Preemptions)
}

// unreduced is the strategy that makes equivalent schedules, too.
func (e *explorer) unreduced() {
	if s := newDFS(-1, false); e.stage("dfs", s, e.until(1)) {
		e.claim(s)
	}
}

// sampling is a strategy that makes executions until the search is over.
func sampling(sampler func(Search) sched.Strategy) func(*explorer) {
	return func(e *explorer) { e.stage(e.Strategy, sampler(e.Search), e.until(1)) }
}

// deepen is dfs with growing bounds. Without a bound it is one search.
func (e *explorer) deepen(bound int) {
	for k := min(bound, 0); k <= bound || e.Wider && bound >= 0; k++ {
		s := newDFS(k, true)
		if !e.stage("dfs", s, e.until(1)) {
			return
		}
		if !e.claim(s) || !s.limited {
			return
		}
	}
}

// claim notes that s has been explored to its end. It is false if that shows nothing,
// because s had to leave out time-outs without a bound.
func (e *explorer) claim(s *dfs) bool {
	if e.hasty = s.limited && s.bound < 0; e.hasty {
		return false
	}
	e.exhausted = true
	e.report.Bound, e.report.Fair = s.bound, s.unfair
	if !s.limited {
		e.report.Bound = -1
	}
	return true
}

// stage makes executions until the limit, true if nothing was left to explore.
func (e *explorer) stage(name string, s sched.Strategy, l limit) bool {
	d, _ := s.(*dfs)
	o := e.options(d != nil, l)
	for !e.over {
		switch {
		case l.executions > 0 && e.report.Executions >= l.executions, l.made > 0 && e.made() >= l.made, e.late(l):
			return false
		case !s.Begin():
			return e.broken == "" && !(d != nil && d.exceeded)
		}
		x := e.run(s, o)
		s.End(x)
		if d != nil {
			d.part.count(x)
			e.spins = e.spins || d.unfair
		}
		e.count(name, x)
		if x.Timed && !o.Clocked && !e.believing && e.Run.Patience >= 0 {
			switch {
			case d == nil:
				e.clocked = true
				o = e.options(false, l)
			case x.Unannounced:
				e.clocked = true
				if d.part != nil {
					d.part.alien = true
					return false
				}
				o = e.options(true, l)
				d.anew()
				continue
			}
		}
		if d != nil && d.diverged != "" && len(e.report.Environment) > 0 {
			return false // the environment differs from one execution to the next
		} else if d != nil && d.diverged != "" {
			e.stopFor("executions differ by more than the schedule: " + d.diverged)
		}
	}
	return false
}

// late reports whether the time of a stage, or of the search, is over.
func (e *explorer) late(l limit) bool {
	e.over = e.over || e.stop != nil && e.stop()
	return e.over || !l.time.IsZero() && !time.Now().Before(l.time)
}

// options stops executions for which the search has no time. The last execution
// of a stage that is not resumable may use the time of the next stages.
func (e *explorer) options(resumable bool, l limit) sched.Options {
	o := e.Run
	if e.believing {
		o.Patience = -1
	}
	o.Clocked = o.Clocked || e.clocked
	if !resumable {
		l = e.until(1)
	}
	if stop := e.Run.Stop; e.stop != nil || stop != nil || !l.time.IsZero() {
		o.Stop = func() bool { return e.late(l) || stop != nil && stop() }
	}
	return o
}

// count adds an execution to the report.
func (e *explorer) count(name string, x *sched.Execution) {
	e.report.Steps += x.Steps
	e.timed = e.timed || x.Timed
	e.believed = e.believed || x.Believed
	if x.Stopped {
		return
	}
	if x.Abandoned {
		e.report.Redundant++
		return
	}
	if x.Failure != nil && x.Failure.Kind == sched.Unordered {
		e.report.Redundant++
		e.report.Unordered++
		return
	}
	e.report.Executions++
	if x.Polled {
		e.polled++
	}
	e.report.Environment = sched.Union(e.report.Environment, x.Environment)
	if e.uncontrolledCall == "" {
		e.uncontrolledCall = x.UncontrolledCall
	}
	if e.unwatched == "" {
		e.unwatched = x.Unwatched
	}
	if e.worker == "" {
		e.worker = x.Worker
	}
	switch f := x.Failure; {
	case f == nil && x.Cut:
		e.cut++
		if x.Spins {
			e.report.Spun++
		}
	case f == nil:
	case f.Kind == sched.Uncontrolled:
		e.stopFor(f.Message)
	case f.Kind == sched.Timeout:
		if e.unended++; e.where == "" {
			e.where = f.Where()
		}
	case !e.seen[f.Signature]:
		e.seen[f.Signature] = true
		e.confirm(name, x)
	}
}

// confirm replays a failing execution and reports it if it fails again.
func (e *explorer) confirm(name string, x *sched.Execution) {
	again, differs := replay(e.run, e.Run, x.Choices)
	same := differs == "" && again.Failure != nil && again.Failure.Signature == x.Failure.Signature
	switch {
	case same:
	case len(x.Environment) > 0:
		delete(e.seen, x.Failure.Signature) // another of its schedules may replay
		return
	case differs != "":
		e.stopFor(fmt.Sprintf("a %s was seen, but its schedule does not replay: %s", x.Failure.Kind, differs))
		return
	default:
		e.stopFor(fmt.Sprintf("a %s was seen, but its schedule ends with %s when replayed", x.Failure.Kind, outcome(again)))
		return
	}
	found := Found{Execution: x, Strategy: name, Nth: e.made()}
	if e.part != nil {
		found.Bound, found.Unit = e.part.bound, e.part.now
	}
	e.report.Failures = append(e.report.Failures, found)
	if e.Found != nil {
		e.Found(found)
	}
	if !e.All {
		e.over = true
	}
}

// timing says, of an exhaustive search, which time-outs it covers; "" if there is
// nothing to say.
func (e *explorer) timing() string {
	switch patience := e.Run.Patience; {
	case !e.timed:
	case patience < 0:
		return "no time-out expires while a goroutine can go on"
	case e.believed && e.Run.Guards:
		return "no test's patience ends while a goroutine can go on"
	case e.believed && patience == 0:
		return "no time-out of a test expires while a goroutine can go on"
	case e.believed:
		return fmt.Sprintf("no time-out of %v or more expires while a goroutine can go on", patience)
	case e.report.Bound >= 0:
		return "a time-out that expires while a goroutine can go on counts as a preemption"
	}
	return ""
}

// replay makes an execution along choices and returns how it differs from them.
func replay(run runner, o sched.Options, choices []sched.Choice) (x *sched.Execution, differs string) {
	r := NewReplay(choices)
	r.Begin()
	x = run(r, o)
	r.End(x)
	return x, r.Diverged()
}

func outcome(x *sched.Execution) string {
	if x.Failure == nil {
		return "success"
	}
	return x.Failure.Kind
}

func (e *explorer) stopFor(reason string) {
	if e.broken == "" {
		e.broken = reason
	}
	e.over = true
}

// conclude gives the verdict.
func (e *explorer) conclude() {
	r := e.report
	complete := e.exhausted || e.covered
	limited := fmt.Sprintf("after the test, goroutines went on without end in %d schedules", e.cut)
	switch {
	case len(r.Failures) > 0:
		r.Verdict = Failed
	case e.broken != "":
		r.Verdict, r.Reason = Inconclusive, e.broken
	case e.unended > 0:
		r.Verdict = Inconclusive
		r.Reason = fmt.Sprintf("the test did not end within the step bound in %d of %d schedules%s", e.unended, r.Executions, e.where)
	case r.Spun > 0:
		r.Verdict = Inconclusive
		r.Reason = fmt.Sprintf("after the test a goroutine went on until the step bound without ever waiting in %d of %d schedules", r.Spun, r.Executions)
	case len(r.Environment) > 0:
		r.Verdict, r.Reason = Inconclusive, sched.Depends(r.Environment)
	case r.Executions == 0 && r.Unordered > 0 && complete:
		r.Verdict, r.Reason = Exhausted, "the order of the test cannot happen"
	case r.Executions == 0 && r.Unordered > 0:
		r.Verdict, r.Reason = Passed, "the order of the test was not seen"
	case r.Executions == 0 && e.uncovered != "":
		r.Verdict, r.Reason = Inconclusive, "no schedule was explored to its end: "+e.uncovered
	case r.Executions == 0:
		r.Verdict, r.Reason = Inconclusive, "no schedule was explored within the budget"
	case complete && e.cut+e.polled == 0 && e.uncontrolledCall == "" && e.unwatched != "":
		r.Verdict, r.Reason = Passed, "all schedules were tried, but not all accesses to memory were seen: "+e.unwatched
	case complete && e.cut+e.polled == 0 && e.uncontrolledCall == "" && e.worker != "":
		r.Verdict = Passed
		r.Reason = "all schedules were tried; goroutines started at " + e.worker + " are left waiting for more at channels that package-level variables hold, which is taken for no failure"
	case e.covered && e.cut+e.polled == 0 && e.uncontrolledCall == "":
		r.Verdict = Covered
	case complete && e.cut+e.polled == 0 && e.uncontrolledCall == "":
		r.Verdict, r.Reason = Exhausted, e.timing()
	case e.uncontrolledCall != "" && e.cut == 0:
		r.Verdict = Passed
		if complete {
			r.Reason = "all schedules were tried, but not all of the program is under control: " + e.uncontrolledCall
		}
	case r.Predicted != nil:
		r.Verdict, r.Reason = Passed, r.Predicted.String()
	case e.uncovered != "" && e.cut == 0:
		r.Verdict, r.Reason = Passed, "it cannot be told whether every outcome was seen: "+e.uncovered
	case e.hasty && !e.exhausted && e.cut == 0:
		r.Verdict = Passed
		r.Reason = fmt.Sprintf("time-outs were tried to expire early up to %d times in a schedule", maxEarly)
	case e.polled > 0 && e.cut == 0:
		r.Verdict, r.Reason = Passed, "goroutines wait by reading the clock in a loop: not all that it could have shown was tried"
	default:
		r.Verdict = Passed
		if e.cut > 0 {
			r.Reason = limited
		}
	}
	r.Complete = complete && (r.Verdict == Exhausted || r.Verdict == Covered || r.Verdict == Passed)
	if r.Verdict != Exhausted {
		r.Bound, r.Fair = 0, false
	}
	if r.Verdict != Covered {
		r.Classes = 0
	}
}

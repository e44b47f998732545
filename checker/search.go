package checker

import (
	"fmt"
	"slices"
	"time"

	"mendel/analysis/patience"
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// A Search says how to explore. Zero values are defaults.
type Search struct {
	Strategy    string        // the name of one of explore.Kinds; "": explore.Auto
	Budget      time.Duration // for everything, start of processes included; 0: 10 s
	Schedules   int           // of each test; 0: no bound
	Preemptions int           // of dfs; 0: 2; negative: no bound
	Impact      *sched.Impact // of dfs and auto: what has to do with this comes first; files by absolute names; nil: none
	Wider       bool          // of dfs: past Preemptions, as far as the budget reaches
	Depth       int           // of pct; 0: 3
	Window      int           // of predict: steps that are looked at together; 0: 1000
	Steps       int           // of one execution; 0: sched's default
	Seed        uint64
	// Patience is from which duration on a time-out is believed not to expire while
	// goroutines can go on; 0: Config.Patience; negative: all are believed. TrustTests
	// has those believed that test files set.
	Patience   time.Duration
	TrustTests bool
	// Guards has those be believed that are nothing but the patience of a test (package
	// patience): if one ends, what is blocked then is the failure.
	Guards bool
	// Flaky tells failures apart that come only if a test's own time-out, or sleep, expires
	// although goroutines could go on: see Failure.Flaky.
	Flaky bool
	// Left tells goroutines apart that a test leaves waiting, because it does not call what
	// would end them: see Failure.Left.
	Left bool
	// Standing names goroutines that the program leaves waiting after the test whatever
	// happens, by what they wait in and the function, as failures have it in the roles and
	// innermost frames of their stacks: "blocked: chan receive in pkg.(*Pool).work".
	// Left so, they are no failure.
	Standing []string
	// Single permits the verdict that one schedule passes, where there is no time to
	// repeat it: whether executions of one schedule are equal is not known then.
	Single    bool
	All       bool // go on after a failure, to collect others
	PastRaces bool // with All: and behind data races, whose accesses become scheduling points
	Most      int  // with All: failures of a test after which its search ends, see wire.Search.Most; 0: no bound
	// Suite gives each test a verdict of its own: tests that take long get what others leave
	// of the budget, and the verdict of all is inconclusive only if no test has one.
	Suite bool
	First []Schedule // followed before anything else: those that failed a mutant's parents
	// Deliver is how many passing schedules of each test are reported with what is
	// received from channels in them (Report.Delivered); 0: none.
	Deliver int
	// Expect are such schedules of the program that a mutant was made from. The
	// mutant is guided along them; with Decline also so that its selects take their
	// default case where they may.
	Expect  []Delivered
	Decline bool
	Sample  int      // see wire.Search.Sample; 0: none
	Explain bool     // minimise failures, trace their replay, look at lock orders
	Tests   []string // nil: those that the program's target selects
	Without []string // of these, tests that are left out, unless none would be left
}

// A Schedule is the schedule of one test.
type Schedule struct {
	Test    string `json:"test"`
	Choices string `json:"choices"` // "0*12 1*3 =2 0"; see sched.Schedule
	// Start is when the execution began by the virtual clock; 0: whenever it is followed.
	Start wire.Moment `json:"start,omitempty"`
	After bool        `json:"after,omitempty"` // the tests before it are run first
	// Races are those that the execution was continued behind, as sched.FormatRaces has
	// them.
	Races string `json:"races,omitempty"`
}

const (
	defaultBudget = 10 * time.Second
	// Bounds of one step, in wall-clock time: at most maxStepTime, less if the
	// budget is small, but enough that a busy machine does not make steps look
	// blocked.
	maxStepTime = 2 * time.Second
	minStepTime = 500 * time.Millisecond
	// minimise is how many executions are spent on a failure that is to be
	// explained, orders how many are searched for lock orders. Both are guessed.
	minimise = 500
	orders   = 10
)

// complete fills in defaults and refuses values that make no sense.
func (s Search) complete() (Search, error) {
	kind, err := explore.Find(s.Strategy)
	if err != nil {
		return s, err
	}
	s.Strategy = kind.Name
	if s.Budget == 0 {
		s.Budget = defaultBudget
	}
	s.All = s.All || s.Strategy == explore.Predict // it asks of each test all that one execution foretells
	for _, n := range []struct {
		name  string
		value int
	}{{"budget", int(s.Budget)}, {"schedules", s.Schedules}, {"depth", s.Depth}, {"window", s.Window}, {"steps", s.Steps}, {"sample", s.Sample}, {"most", s.Most}, {"deliver", s.Deliver}} {
		if n.value < 0 {
			return s, fmt.Errorf("search: %s is negative", n.name)
		}
	}
	for _, f := range s.First {
		if err := f.check(); err != nil {
			return s, err
		}
	}
	for _, d := range s.Expect {
		if err := d.Schedule.check(); err != nil {
			return s, err
		}
	}
	return s, nil
}

// check refuses a schedule whose choices cannot be read.
func (s Schedule) check() error {
	if s.Test == "" {
		return fmt.Errorf("schedule: no test named")
	}
	if _, err := sched.ParseChoices(s.Choices); err != nil {
		return fmt.Errorf("schedule of %s: %w", s.Test, err)
	}
	if _, err := sched.ParseRaces(s.Races); err != nil {
		return fmt.Errorf("schedule of %s: %w", s.Test, err)
	}
	return nil
}

// wire is the search as the request of a process has it.
func (s Search) wire(left time.Duration) wire.Search {
	w := wire.Search{
		Strategy:    s.Strategy,
		Executions:  s.Schedules,
		Time:        left,
		Preemptions: s.Preemptions,
		Wider:       s.Wider,
		Depth:       s.Depth,
		Window:      s.Window,
		Seed:        s.Seed,
		Steps:       s.Steps,
		StepTime:    min(maxStepTime, max(minStepTime, s.Budget/2)),
		All:         s.All,
		PastRaces:   s.PastRaces,
		Most:        s.Most,
		Sample:      s.Sample,
		Patience:    s.Patience,
		TrustTests:  s.TrustTests,
		Guards:      s.Guards,
		Single:      s.Single,
		Standing:    standing(s.Standing),
	}
	if s.Explain {
		w.Minimise, w.Orders = minimise, orders
	}
	return w
}

// search is the search as the request of a process has it.
func (k *check) search(left time.Duration) wire.Search {
	w := k.s.wire(left)
	w.Paces = k.s.Flaky
	w.Start = wire.At(k.b.checker.start)
	if i := k.s.Impact; i != nil {
		printed := *i
		printed.Ranges = nil
		for _, r := range i.Ranges {
			printed.Ranges = append(printed.Ranges, r)
			if name := k.b.checker.printed(r.File); name != r.File { // with -trimpath
				r.File = name
				printed.Ranges = append(printed.Ranges, r)
			}
		}
		w.Impact = &printed
	}
	return w
}

// handed are the durations that tests hand to the product, for Failure.Flaky.
func (k *check) handed(tests []string) map[string][]time.Duration {
	if !k.s.Flaky {
		return nil
	}
	all := map[string][]time.Duration{}
	for _, name := range tests {
		if d := patience.Handed(k.b.checker.c.Program.Packages, name); len(d) > 0 {
			all[name] = d
		}
	}
	return all
}

// of are the schedules of some tests.
func of(tests []string, all []Schedule) []wire.Schedule {
	var some []wire.Schedule
	for _, s := range all {
		if slices.Contains(tests, s.Test) {
			some = append(some, wire.Schedule{Test: s.Test, Choices: s.Choices, Start: s.Start, After: s.After, Races: s.Races})
		}
	}
	return some
}

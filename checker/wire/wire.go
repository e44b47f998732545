package wire

import (
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
)

// Env names the environment variable with the name of the file of the request.
const Env = "MENDEL_CHECK"

// Entry is the test that the instrumentation adds; it calls driver.Main.
const Entry = "TestZzMendel"

// Modes of a request.
const (
	Check  = "check"  // explore the schedules of each test
	Replay = "replay" // follow Request.First, traced, each once
	Guided = "guided" // likewise, but as far as possible: another program's choices
)

// A Request says what to do.
type Request struct {
	Mode    string
	Clone   string   // whose tests; "" if the binary has one program only
	Tests   []string // names, in the order in which to take them
	Answers string   // file to append answers to
	First   []Schedule
	// Expect are schedules that another program passed, whose messages are
	// compared. Each is followed in all Ways; those in which selects take their
	// default case need Decline.
	Expect  []Schedule
	Decline bool
	Watch   []sched.Watched // with Guided
	Points  int             `json:",omitempty"` // that the program has, see package incremental; 0: it has no marks
	Known   []Outcome       `json:",omitempty"` // of executions that need not be made
	Once    bool            `json:",omitempty"` // no execution is made that was made before, see explore.Tree
	Search  Search
}

// A Way is how a program is guided along a schedule of another.
type Way int

// Ways is the number of ways: plainly, with messages handed over at once
// (explore.Guided.HandOver), and each of them with default cases taken
// (explore.Guided.Decline).
const Ways Way = 4

// HandsOver reports whether messages are handed over at once.
func (w Way) HandsOver() bool { return w&1 != 0 }

// Declines reports whether default cases are taken where they may be.
func (w Way) Declines() bool { return w&2 != 0 }

// A Schedule is followed as far as it is possible: other choices are passed over,
// and after the last one the goroutine that ran goes on.
type Schedule struct {
	Test    string
	Choices string // as in the text of a sched.Schedule, without its header
	Start   Moment `json:",omitempty"` // by the virtual clock; 0: the present
	After   bool   `json:",omitempty"` // the tests before it are run first
	// Races are those that the execution was continued behind, as sched.FormatRaces has
	// them.
	Races string `json:",omitempty"`
}

// A Moment is a time in nanoseconds since 1970; 0: none, for the zero Time.
type Moment int64

// At returns the Moment of a time.
func At(t time.Time) Moment {
	if t.IsZero() {
		return 0
	}
	return Moment(t.UnixNano())
}

// Time returns the local time of m.
func (m Moment) Time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.Unix(0, int64(m))
}

// A Search says how to explore the tests of one process.
type Search struct {
	Strategy    string        // as explore.Search has it
	Executions  int           // of each test; 0: no bound
	Time        time.Duration // for all tests together, each being given an equal part of what is left
	Preemptions int
	Wider       bool `json:",omitempty"` // past Preemptions, see explore.Search
	Depth       int
	Window      int `json:",omitempty"` // as explore.Search has it
	Seed        uint64
	Steps       int           // bound of one execution
	StepTime    time.Duration // wall-clock bound of one step
	Patience    time.Duration // as sched.Options has it
	Impact      *sched.Impact `json:",omitempty"` // as explore.Search has it
	// Part of Parts of a bounded dfs is explored, as explore.Part has it; Parts below 2:
	// all. Board is the directory in which processes tell each other which units they take,
	// and the bound and the unit of a failure: what comes after that is not needed.
	Part, Parts int              `json:",omitempty"`
	Board       string           `json:",omitempty"`
	Single      bool             // one schedule may pass without its repetition, if there is no time for it
	TrustTests  bool             // as sched.Options has it
	Guards      bool             `json:",omitempty"` // likewise
	Standing    []sched.Standing `json:",omitempty"` // as sched.Options has it
	Start       Moment           `json:",omitempty"` // of executions, by the virtual clock; 0: the present
	All         bool             // go on after a failure
	PastRaces   bool             // with All: and behind races, see sched.KnownRace
	// Most bounds, with All, the failures of a test: its search ends with so many, and when
	// it has made as many executions again as it took to find the last one. 0: no bound.
	Most int `json:",omitempty"`
	// Sample is the number of executions made first, by the random strategies in
	// turn, none of which ends the search: they measure how often the test
	// fails. When one failed there is no search after them unless All is set.
	Sample int
	// OwnProcess makes exactly one execution of the first test, without
	// re-initialisation, and ends: for programs whose state cannot be
	// re-initialised in a process. Seed chooses strategy and schedule.
	OwnProcess bool
	// Paces says of failures whether they are due to the pace that a test expects, see
	// Failure.Paced. Handed are durations that tests, by their names, hand to others.
	Paces    bool                       `json:",omitempty"`
	Handed   map[string][]time.Duration `json:",omitempty"`
	Minimise int                        // executions spent on simplifying a failure's schedule; 0: none
	Deliver  int                        // passing executions of each test whose messages are answered; 0: none
	Orders   int                        // traced executions of each test whose lock orders are collected; 0: none
}

// An Answer is one line.
type Answer struct {
	Ready *Ready `json:",omitempty"` // the first
	Test  *Test  `json:",omitempty"` // one for each test, and with Replay and Guided for each schedule
	Found *Found `json:",omitempty"` // at once when a failure was found; Test repeats it
	Done  bool   `json:",omitempty"` // the last
}

// Ready is the result of the self-check.
type Ready struct {
	Planted string   // "" when the planted race was found, else the outcome instead
	Missing []string // requested tests that the binary does not have
}

// Found is a failure of a test that is being explored.
type Found struct {
	Test    string
	Failure Failure
}

// A Test has the result of one test, and what was done to reach it.
type Test struct {
	Name       string
	Verdict    explore.Verdict
	Bound      int
	Fair       bool
	Classes    int                `json:",omitempty"` // with explore.Covered
	Predicted  *explore.Predicted `json:",omitempty"` // by the strategy predict
	Complete   bool               // as explore.Report has it
	Reason     string
	Skipped    bool // by the test itself
	Slow       bool `json:",omitempty"` // there was no time for two executions
	Executions int
	Parts      []explore.BoundPart `json:",omitempty"` // with Search.Parts
	Redundant  int
	Steps      int
	Seconds    float64
	Sampled    int            // executions of Search.Sample that were made, First included
	Passed     int            // of them
	Kinds      map[string]int // of them, by kind of failure
	Failures   []Failure
	Inversions []sched.Inversion
	// Stateful reports that executions differ by more than the schedule, or that
	// the state cannot be re-initialised: one process for each is needed. Reason
	// says why.
	Stateful bool
	// After reports that the tests before it were run first, in each execution, since
	// it fails without what they leave behind.
	After bool `json:",omitempty"`
	// Stale reports that the first execution failed in a process in which other tests
	// were explored before: that may be what they left behind. The process ends
	// with this answer, and the test wants one in which it is the first.
	Stale bool `json:",omitempty"`
	// Unordered counts executions in which the order that the test states cannot be kept; they
	// are not among Executions. Disorder is one of them, if all are, as a failure of the test.
	Unordered int      `json:",omitempty"`
	Disorder  *Failure `json:",omitempty"`
	Diverged  string   // with Replay and Guided: how the execution differed from the schedule; "" if it did not
	// Of an execution that passed, with Replay and Guided; a failure has its own.
	Goroutines []string      `json:",omitempty"`
	Trace      []sched.Event `json:",omitempty"`
	Accesses   []sched.Place `json:",omitempty"` // of Request.Watch
	Spun       int           // executions in which a goroutine went on for ever without waiting
	// Delivered are, with Search.Deliver, passing executions and what was received
	// in them; with Request.Expect what was received along those schedules.
	Delivered []Delivered
	Witnessed *Witnessed `json:",omitempty"` // with Witness
	// Of programs with points: Carried counts those of Executions that were not made because of
	// Request.Known, Outcomes has others that were. Settled says that the result is that
	// of every program that has the points Reached.
	Carried int `json:",omitempty"`
	// Repeated counts those of Executions that were not made because the program's own had
	// come to the same, see Request.Once.
	Repeated int       `json:",omitempty"`
	Outcomes []Outcome `json:",omitempty"`
	Settled  bool      `json:",omitempty"`
	Reached  []byte    `json:",omitempty"`
}

// Given begins the keys of schedules that are followed; their choices come next, and a space.
const Given = "given "

// An Outcome is what an execution came to, without its choices and places.
type Outcome struct {
	Test      string
	Key       string // which of the test's executions it is
	Execution *sched.Execution
	Leaves    int    `json:",omitempty"` // as explore.Numbered has it
	Reached   []byte `json:",omitempty"` // points, as a set of package incremental
}

// A Delivered is a passing execution and its messages.
type Delivered struct {
	Choices  string // its own, or those that it was guided along
	Start    Moment `json:",omitempty"` // see Schedule
	Way      Way
	Declined int // default cases that it took although a partner was there
	Messages []sched.Delivery
}

// A Failure is a failing execution: replayed, and minimised if that was asked for.
type Failure struct {
	Failure     sched.Failure
	Choices     string
	Start       Moment `json:",omitempty"` // see Schedule
	After       bool   `json:",omitempty"` // see Schedule
	Races       string `json:",omitempty"` // see Schedule
	Preemptions int
	Early       int             // of them: timers that expired although goroutines could go on
	TimeOuts    []sched.TimeOut // the first of these
	Needed      bool            `json:",omitempty"` // without any one of these it does not fail so
	// Paced reports that the test fails so if it merely pauses, or does not if its own
	// time-outs are believed, and those that last as long as it wants: with Search.Paces.
	Paced  bool `json:",omitempty"`
	Proven bool // no schedule with fewer preemptions fails so
	// Strategy is the one that found it, as in explore.Found; "plain" if each
	// goroutine just went on as long as it could, "given" for a schedule of
	// Request.First, "replay" and "guided" with these modes.
	Strategy   string
	Nth        int // execution of the test, from 1
	Goroutines []string
	Trace      []sched.Event // of the replay
	Log        string        // what the test logged, shortened
}

package checker

import (
	"context"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker/sched"
	"mendel/internal/gotool"
)

// Config says what to check and how to build it.
type Config struct {
	Tool         *gotool.Toolchain
	Program      *analysis.Program
	Narrowing    *analysis.Narrowing // restricts the accesses that are watched; nil: syntax decides
	Flags        []string            // build flags; nil: those the program was loaded with
	Workers      int                 // processes at a time; 0: runtime.NumCPU()
	BuildTimeout time.Duration       // 0: 5 minutes
	Memory       int64               // of a process, in bytes; 0: gotool's default
}

// A Checker instruments and explores a program and mutants of it. It is safe
// for concurrent use.
type Checker struct{}

// New instruments a program; Close removes the temporary directory.
func New(c Config) (*Checker, error) { panic("contract") }

// Close removes everything the checker wrote. It may be called twice.
func (c *Checker) Close() error { panic("contract") }

// Counts tells how many binaries were built and how many schedules made so far.
func (c *Checker) Counts() (builds, schedules int) { panic("contract") }

// Build builds the instrumented test binary with some files replaced (absolute
// name to source; nil: the original). What does not compile is a
// *gotool.BuildError with the positions of the source as given; a package
// without tests is gotool.ErrNoTests.
func (c *Checker) Build(ctx context.Context, files map[string][]byte) (*Binary, error) {
	panic("contract")
}

// A Binary is an instrumented test binary.
type Binary struct{}

// Close removes the binary. It may be called twice.
func (b *Binary) Close() error { panic("contract") }

// Uncontrolled lists what in the source is not under control, with positions.
func (b *Binary) Uncontrolled() []string { panic("contract") }

// A Search says how to explore. Zero values are defaults.
type Search struct {
	Strategy    string        // auto (default), dfs, random, pct, pos
	Budget      time.Duration // for everything, start of processes included; 0: 10 s
	Schedules   int           // of each test; 0: no bound
	Preemptions int           // of dfs; 0: 2; negative: no bound
	Depth       int           // of pct; 0: 3
	Steps       int           // of one execution; 0: sched's default
	Seed        uint64
	All         bool       // go on after a failure, to collect others
	First       []Schedule // followed before anything else: those that failed a mutant's parents
	Sample      int        // see wire.Search.Sample; 0: none
	Explain     bool       // minimise failures, trace their replay, look at lock orders
	Tests       []string   // nil: those that the program's target selects
}

// A Schedule is the schedule of one test.
type Schedule struct {
	Test    string `json:"test"`
	Choices string `json:"choices"` // "0*12 1*3 =2 0"; see sched.Schedule
}

// A Report tells what was done and what came of it: never more than was done.
type Report struct {
	Verdict sched.Verdict `json:"verdict"` // of all tests together: the worst
	Reason  string        `json:"reason,omitempty"`
	// Bound is, with sched.Exhausted, the bound on preemptions up to which all
	// schedules of all tests were covered; -1: any number.
	Bound      int            `json:"bound"`
	Fair       bool           `json:"fair,omitempty"`
	Tests      []TestReport   `json:"tests"`
	Failures   []Failure      `json:"failures,omitempty"` // each signature once, most telling kind first
	Warnings   []Inversion    `json:"warnings,omitempty"`
	Schedules  int            `json:"schedules"`
	Steps      int            `json:"steps"`
	Processes  int            `json:"processes"`             // started
	PerProcess bool           `json:"per_process,omitempty"` // state could not be re-initialised: one process for each schedule; Reason says why
	Sampled    int            `json:"sampled,omitempty"`
	Passed     int            `json:"passed,omitempty"` // of Sampled
	Kinds      map[string]int `json:"kinds,omitempty"`  // of the failed ones of Sampled
	Seconds    float64        `json:"seconds"`
	// TimedOut tells that the verdict is inconclusive because a process had to
	// be ended or blocked outside control.
	TimedOut bool `json:"timed_out,omitempty"`
}

// A TestReport is the part of one test.
type TestReport struct {
	Name      string        `json:"name"`
	Verdict   sched.Verdict `json:"verdict"`
	Reason    string        `json:"reason,omitempty"`
	Bound     int           `json:"bound"`
	Fair      bool          `json:"fair,omitempty"`
	Skipped   bool          `json:"skipped,omitempty"`
	Schedules int           `json:"schedules"`
}

// A Failure is one that was found, replayed before it is reported.
type Failure struct {
	evidence.Failure               // positions in the source as it was given to Build
	Schedule         Schedule      `json:"schedule"`
	Preemptions      int           `json:"preemptions"`
	Proven           bool          `json:"fewest,omitempty"` // no schedule with fewer preemptions fails so
	Strategy         string        `json:"strategy"`
	Nth              int           `json:"nth"` // schedule of the test, from 1
	Goroutines       []string      `json:"goroutines,omitempty"`
	Places           []sched.Place `json:"places,omitempty"`
	Trace            []sched.Event `json:"trace,omitempty"` // with Search.Explain or Replay
	Log              string        `json:"log,omitempty"`   // of the test, shortened
}

// An Inversion is two locks that are taken in both orders; a warning, even
// where no schedule deadlocked.
type Inversion struct {
	Test string `json:"test"`
	sched.Inversion
}

// Check explores the schedules of the tests. A verdict is a Report, whatever it
// is; the error is for what could not be run at all, or ctx's. It returns
// within the budget and five seconds.
func (b *Binary) Check(ctx context.Context, s Search) (*Report, error) { panic("contract") }

// A Replayed is what became of following a schedule.
type Replayed struct {
	Failure  *Failure // nil: passed
	Diverged string   // how the execution differed from the schedule; ""
	Reason   string   // why it could not be told, "" if it could
}

// Replay follows a schedule in a process of its own, traced.
func (b *Binary) Replay(ctx context.Context, s Schedule) (*Replayed, error) { panic("contract") }

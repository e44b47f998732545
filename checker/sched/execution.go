package sched

import (
	"math"
	"time"
)

// A Choice is one decision of a schedule.
type Choice struct {
	Kind ChoiceKind
	N    int // see the kinds
}

// A ChoiceKind says what was decided.
type ChoiceKind uint8

// Kinds of choices.
const (
	Step        ChoiceKind = iota // goroutine N went on
	Number                        // N was chosen
	TimePassed                    // time passed although goroutines could go on, while time-outs were believed
	Admission                     // goroutine N was admitted from outside control
	Expiry                        // timer N, of those that were next, expired
	ClockBegins                   // from here on timers are choices, but for those that last N milliseconds or more, if N is not 0
)

var choiceNames = [...]string{"step", "number", "time", "admission", "expiry", "clock"}

// String returns the kind in words.
func (k ChoiceKind) String() string { return choiceNames[k] }

// An Execution is one run of the body.
type Execution struct {
	Choices   []Choice
	Steps     int
	Preempted int      // switches away from a goroutine that could have gone on, Early included
	Early     int      // timers that expired although goroutines could go on
	Needed    bool     // by Minimise: without any one of them it does not fail so, all else being equal
	Failure   *Failure // nil: none
	Abandoned bool     // by the strategy, or Stopped
	Stopped   bool     // by Options.Stop
	// Cut reports that goroutines that go on for ever were left when the execution
	// ended: without a failure, the test had returned.
	Cut bool
	// Spins reports that the bound on steps was reached by a goroutine that never
	// waits: in at least the last half of the steps, some goroutine could go on at
	// each moment, and at last the strategy kept none waiting that could go on.
	Spins bool
	// Chose reports that the strategy had something to choose: goroutines or numbers.
	Chose bool
	// UncontrolledCall is the first call by which the program left control, with
	// its place; "" if none is known.
	UncontrolledCall string
	// Unwatched is why not all accesses to memory were seen, "" if all were.
	Unwatched string
	// Environment are the packages outside control on which the execution depended:
	// their goroutines called the program, or goroutines of the program waited there.
	Environment []string
	// Start is when the execution began by the virtual clock; zero if that was the
	// real time, on which code outside control depends.
	Start time.Time
	Races []KnownRace // Options.Races
	// Worker is where one of the goroutines was started that were left waiting for
	// work, see Options.Roots; "": none was.
	Worker string
	// Polled reports that one of several goroutines waited by reading the clock in
	// a loop, so that time passed, or that a timer had to expire since the others went
	// on for so long. What others read from the clock then depends on more than the
	// order of operations.
	Polled bool
	// Timed reports that the program set timers, Believed that some did not expire
	// early because of a positive Options.Patience, Options.TrustTests or Options.Guards, Unannounced
	// that it read the clock without a scheduling point, see Options.Clocked.
	Timed, Believed, Unannounced bool
	// Goroutines are, with a failure, Options.Trace or Options.Names, the names of the
	// goroutines by ID: "main", and then place of creation and number,
	// "file.go:12#3". Without a place: "go#3".
	Goroutines []string
	TimeOuts   []TimeOut  // with Options.Trace: the first of Early
	Trace      []Event    // with Options.Trace: what was done, in order
	Nested     bool       // a goroutine took a lock while it had another, as far as it is known; else [LockOrder] finds nothing
	Deliveries []Delivery // with Options.Deliveries
	Accesses   []Place    // with Options.Watch: in order
	Touches    []Touch    // with Options.Record: in order
}

// An Event is one step of a traced execution.
type Event struct {
	G     int
	Kind  Kind
	Obj   int32  // 0: none; of a select the channel of the case that was done
	What  string // "mu.Lock"
	Place Place
	// With is the other goroutine that took part: the one that a KindGo created,
	// the one that created a KindStart, the one that an unbuffered send or
	// receive met; -1: none.
	With int
	// Took reports that a KindAcquire or KindRAcquire did: a TryLock may not.
	Took bool
	// Unwinds reports that a deferred function makes the step while its goroutine
	// panics. With Options.Trace.
	Unwinds bool `json:",omitempty"`
}

// A Watched is a kind of access, and the line that makes it.
type Watched struct {
	File  string
	Line  int
	Write bool
}

// Options of an execution.
type Options struct {
	Start time.Time // by the virtual clock; zero: the real time
	Steps int       // bound on steps of one execution, 20 before there is a second goroutine are one; 0: 100,000
	Trace bool      // keep source positions of every step (slow)
	// Access is, with Trace, the number in the execution of the only access to
	// memory whose stack is kept; 0: the stacks of all are. A stack takes longer
	// than the access. A race says which one it needs, and the same schedule has the
	// same numbers.
	Access     uint32
	Deliveries bool // count what is received from channels
	// Watch are accesses to memory that Execution.Accesses lists: of each the first
	// of each goroutine. With Trace.
	Watch []Watched
	// Record lists the plain accesses to memory that were made while other goroutines
	// were there (Execution.Touches). With Trace.
	Record bool
	// Races are known: they end no execution, see KnownRace. A schedule holds only
	// with those that it was made with.
	Races []KnownRace
	// Roots are pointers to variables that outlive the execution. A goroutine that is
	// left waiting to receive once more from a channel that they lead to does not count
	// as blocked for ever, see Execution.Worker.
	Roots []any
	// Inherit says that the body goes on with the state in which the process began.
	// Goroutines that init functions started then belong to the program. Without it
	// they are retired.
	Inherit bool
	// Idle is where residents wait for work, see Residents: the places of an
	// execution without a test.
	Idle []Place
	// Standing are goroutines that the program leaves waiting whatever happens. Left
	// so after the test, they are no failure.
	Standing []Standing
	// StepTime bounds the wall-clock time of one step; 0: 2 s. A step that
	// takes longer blocks in code that is not under control, or loops in code
	// without scheduling points.
	StepTime time.Duration
	// Patience is from which duration on a time-out is believed: it does not expire
	// while goroutines can go on. 0: none is believed; negative: all are, and those
	// that are due at one moment take effect together. It is rounded up to
	// milliseconds.
	Patience time.Duration
	// Clocked says that the program is known to set timers: then reading the clock
	// is a scheduling point, unless all time-outs are believed. Without it the
	// executions of a program that does are too few.
	Clocked bool
	// TrustTests has the time-outs be believed, too, that files named *_test.go set.
	TrustTests bool
	// Guards has time-outs be believed that are the patience of a test: those that are set
	// by way of Guard. If one expires that fails the test, what is blocked is the failure.
	Guards bool
	// Lenient has all time-outs be patience, with Guards, that test files set, and those that
	// last as long as one of Handed: what tests hand to others.
	Lenient bool
	Handed  []time.Duration
	Impacts *Impacts // nil: Pending.Hit is not wanted
	// Names has Execution.Goroutines be there in any case.
	Names bool
	// Stop, if not nil, is asked every 64 steps, and in long steps every 262,144
	// accesses to memory; when it returns true the execution ends, Abandoned and
	// Stopped.
	Stop func() bool
}

// NoAccess is an Options.Access for no stacks at all.
const NoAccess = math.MaxUint32

const (
	defaultSteps    = 100_000
	defaultStepTime = 2 * time.Second
)

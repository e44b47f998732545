package sched

import "strings"

// Kinds of failures.
const (
	Race         = "race"         // two accesses without a happens-before edge, one a write
	Deadlock     = "deadlock"     // the test and whatever else is left are blocked for ever
	Blocked      = "blocked"      // the test has returned; a goroutine is blocked for ever
	Panic        = "panic"        // in any goroutine
	TestFailure  = "test-failure" // reported with Fail
	Timeout      = "timeout"      // Options.Steps reached
	Uncontrolled = "uncontrolled" // no verdict: the program does what the engine cannot follow
	Unordered    = "unordered"    // no failure: the order that the test states cannot be kept in the schedule, see TakeTurn
)

// A Failure is what went wrong in an execution.
type Failure struct {
	Kind      string // one of the constants above
	Message   string // for people; several lines
	Signature string // equal for failures of one kind at the same places
	Places    []Place
	// Waiting are, of a test failure, the goroutines that could not go on when the test
	// failed: a test may report by it that they do not. With Options.Trace.
	Waiting []Place `json:",omitempty"`
	// Access is, of a race, the number of the earlier access, see Options.Access.
	Access uint32 `json:"-"`
}

// Where says what was going on at a failure, to follow the reason for a verdict.
func (f *Failure) Where() string {
	text := ": " + f.Message
	for _, p := range f.Places {
		p.File = p.File[strings.LastIndexByte(p.File, '/')+1:]
		text += "; " + p.String()
	}
	return text
}

// A Place is where a goroutine was.
type Place struct {
	Goroutine string // its name; "" when unknown
	What      string // "mu.Lock", "read", "write"
	Function  string
	File      string // "" when not recorded
	Line      int
	Stack     []Frame // the program's frames, innermost first; only of failures
	Created   []Frame // the same of the go statement that created the goroutine; with Options.Trace
	Step      int     // index in the trace of the goroutine's step that led here; with Options.Trace
	Obj       int32   `json:",omitempty"` // what the operation is on that a goroutine is blocked in; 0: none, or several channels
}

// Writes reports whether a place of a race is a write, which may be atomic.
func (p Place) Writes() bool { return strings.HasSuffix(p.What, "write") }

// A Frame is one call of a Place.
type Frame struct {
	Function string
	File     string
	Line     int
}

// An Inversion is a pair of locks that goroutines take in both orders, without
// a third lock that keeps them apart and without one order preceding the other.
type Inversion struct {
	Places [2][2]Place // of each order: where the first lock was taken, and then the second
}

package evidence

// Kind says what went wrong in one execution.
type Kind string

// The kinds of failure. Their texts are used in result.json, in logs and as
// keys of the operators' weights.
const (
	Race        Kind = "race"         // two unordered accesses, at least one a write
	Deadlock    Kind = "deadlock"     // every goroutine blocked for ever
	Blocked     Kind = "blocked"      // some goroutine blocked for ever, the test went on
	Panic       Kind = "panic"        // a panic or a fatal error of the runtime
	TestFailure Kind = "test-failure" // the test's own assertion
	Timeout     Kind = "timeout"      // the run did not end within its limit
)

// A Frame is one call of a stack.
type Frame struct {
	Func string `json:"func"` // as the runtime prints it, e.g. "example.com/bank.(*Account).Transfer"
	File string `json:"file"` // as the runtime prints it: absolute, unless built with -trimpath
	Line int    `json:"line"`
}

// A Stack is the calls of one goroutine, innermost first, and its part in the failure.
type Stack struct {
	Role    string  `json:"role"`              // "write", "read", "previous write", "blocked: sync.Mutex.Lock", "panic", ...
	Frames  []Frame `json:"frames"`            // innermost first; runtime frames are kept
	Created []Frame `json:"created,omitempty"` // where the goroutine was started, innermost first
}

// A Failure is what went wrong in one execution. Failures of two executions
// are the same failure when their signatures are equal.
type Failure struct {
	Kind      Kind    `json:"kind"`
	Signature string  `json:"signature"` // stable over runs: no addresses, goroutine numbers or line order
	Message   string  `json:"message"`   // one line for people
	Test      string  `json:"test,omitempty"`
	Stacks    []Stack `json:"stacks,omitempty"`
}

// Rank orders kinds: the more telling a failure, the lower its rank. A race
// explains a wrong result, a deadlock explains a time-out.
func (k Kind) Rank() int {
	switch k {
	case Race:
		return 0
	case Deadlock:
		return 1
	case Blocked:
		return 2
	case Panic:
		return 3
	case TestFailure:
		return 4
	}
	return 5
}

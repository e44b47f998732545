package evidence

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

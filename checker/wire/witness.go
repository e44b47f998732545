package wire

import "mendel/checker/sched"

// Witness is the mode in which executions of each test are made and told in full,
// those that pass like those that fail.
const Witness = "witness"

// Witnessed are executions of one test. Events name places and operations by their
// index, because most occur thousands of times.
type Witnessed struct {
	Frames     []sched.Frame
	Stacks     [][]int // of frames, innermost first; an event names one of these
	Operations []string
	Executions []WitnessedExecution
}

// A WitnessedExecution is one execution.
type WitnessedExecution struct {
	Failure    *sched.Failure `json:",omitempty"` // nil: passed
	Goroutines []string
	Given      bool  `json:",omitempty"` // follows a schedule of Request.First
	Events     []int // WitnessFields for each event
}

// WitnessFields is the number of fields of an event: goroutine, kind
// (sched.Kind), object, operation, stack, other goroutine, flags.
const WitnessFields = 7

// Flags of an event.
const (
	Took   = 1 << iota // as sched.Event has it
	Memory             // a plain access; the object numbers what is accessed
	Write              // and changes it
)

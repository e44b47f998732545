package evidence

// A Fault is the name of what is wrong with a program, as the field has it, where a
// [Kind] is how it shows.
type Fault string

// The faults. The last three stand where nothing better is known.
const (
	DataRace           Fault = "data race"
	LostUpdate         Fault = "lost update"
	CheckThenAct       Fault = "check-then-act"
	Publication        Fault = "unprotected publication"
	CapturedVariable   Fault = "captured variable"
	WrongLock          Fault = "wrong lock"
	MissingLock        Fault = "missing lock"
	ReadLockForWrite   Fault = "write under a read lock"
	HandedOut          Fault = "guarded memory handed out"
	ReusedMemory       Fault = "memory used again after it was handed over"
	InconsistentRead   Fault = "inconsistent read"
	OverwrittenValue   Fault = "overwritten value"
	IntermediateValue  Fault = "intermediate value seen"
	OrderViolation     Fault = "order violation"
	AtomicityViolation Fault = "atomicity violation"
	LockOrderInversion Fault = "lock-order inversion"
	SelfDeadlock       Fault = "self-deadlock"
	LockNotReleased    Fault = "lock not released"
	BlockedHoldingLock Fault = "blocked while holding a lock"
	MissedSignal       Fault = "missed signal"
	SenderAlone        Fault = "sender without receiver"
	ReceiverAlone      Fault = "receiver without sender"
	CloseDuringSend    Fault = "close during send"
	DoubleClose        Fault = "double close"
	WaitWithoutDone    Fault = "wait that nobody ends"
	WaitNotForAll      Fault = "wait that does not wait for all"
	UnlockedMutex      Fault = "unlock of an unlocked mutex"
	NegativeWaitGroup  Fault = "negative wait group counter"
	CopiedLock         Fault = "copied lock"
	DoubleRelease      Fault = "double release"
	NotGivenBack       Fault = "not given back"
	BufferSize         Fault = "buffer of the wrong size"
	SomeDeadlock       Fault = "deadlock"
	SomeWait           Fault = "goroutine blocked for ever"
	SomeFailure        Fault = "failure under some schedules"
)

// Doc says in one sentence what is wrong with a program that has the fault; "": there is no
// such fault.
func (f Fault) Doc() string {
	for _, d := range faults {
		if d.fault == f {
			return d.doc
		}
	}
	return ""
}

// Faults are all of them.
func Faults() []Fault {
	all := make([]Fault, len(faults))
	for i, d := range faults {
		all[i] = d.fault
	}
	return all
}

// faults says what each fault is: what concerns memory first, then locks, channels and
// wait groups.
var faults = []struct {
	fault Fault
	doc   string
}{
	{DataRace, "two goroutines access a variable, one of them writes, and nothing orders the two; no lock guards the variable anywhere"},
	{MissingLock, "a variable is used without the lock that is held at its other uses"},
	{WrongLock, "a variable is used under another lock than the one that is held at its other uses"},
	{ReadLockForWrite, "a variable is changed under the read side of the lock that guards it"},
	{HandedOut, "a map, slice or pointer that a lock guards is given to others, who use it without the lock"},
	{ReusedMemory, "memory is handed over to another goroutine, and its old owner goes on using it"},
	{LostUpdate, "a value is read, changed and written back, and what another goroutine wrote in between is lost"},
	{CheckThenAct, "what was found by a question need no longer be so when it is acted on"},
	{InconsistentRead, "values that belong together are read in two steps, and another goroutine writes in between"},
	{OverwrittenValue, "a goroutine reads what it has written, and another one has written in between"},
	{IntermediateValue, "a value that is to be replaced at once is seen by another goroutine"},
	{AtomicityViolation, "two critical sections, or two steps, belong together, and another goroutine gets in between"},
	{OrderViolation, "two operations of different goroutines come in an order that one of them does not expect"},
	{Publication, "a map, slice, pointer or interface gets to other goroutines without what would order its use"},
	{CapturedVariable, "a goroutine shares a local variable of the function that starts it"},
	{CopiedLock, "a method or a variable has a copy of a lock, which excludes nobody"},
	{LockOrderInversion, "two locks are taken in both orders"},
	{SelfDeadlock, "a goroutine takes a lock that it holds"},
	{LockNotReleased, "a function or goroutine ends without releasing a lock that it has taken"},
	{BlockedHoldingLock, "a goroutine waits, with a lock that others need so that it can go on"},
	{UnlockedMutex, "a lock is released that is not held"},
	{MissedSignal, "a signal comes when nobody waits for it, or to the wrong waiter, and is lost"},
	{SenderAlone, "a goroutine sends to a channel from which nobody receives any more"},
	{ReceiverAlone, "a goroutine receives from a channel to which nobody sends any more, and which nobody closes"},
	{CloseDuringSend, "a channel is closed to which somebody goes on sending"},
	{DoubleClose, "a channel is closed that is closed already"},
	{DoubleRelease, "what was taken once, such as a slot of a semaphore, is given back twice"},
	{NotGivenBack, "what was taken, such as a slot of a semaphore, is not given back on a way out, or when code of others panics"},
	{BufferSize, "a channel has room for fewer or for more than are to be there"},
	{WaitWithoutDone, "a goroutine that is counted in a wait group ends without a Done, or more are counted than there are"},
	{WaitNotForAll, "a wait for goroutines ends before all of them are counted, or nobody waits for them"},
	{NegativeWaitGroup, "a wait group gets more Dones than were counted"},
	{SomeDeadlock, "goroutines wait for each other, and it is not known for what"},
	{SomeWait, "a goroutine waits for something of which nothing is known"},
	{SomeFailure, "a test fails under some schedules only, and nothing tells why"},
}

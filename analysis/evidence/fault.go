package evidence

// Names of faults, as the field has them: what is wrong with a program, where a
// [Kind] is how it shows.
const (
	DataRace           = "data race"
	LostUpdate         = "lost update"
	CheckThenAct       = "check-then-act"
	Publication        = "unprotected publication"
	CapturedVariable   = "captured variable"
	WrongLock          = "wrong lock"
	MissingLock        = "missing lock"
	InconsistentRead   = "inconsistent read"
	OverwrittenValue   = "overwritten value"
	IntermediateValue  = "intermediate value seen"
	OrderViolation     = "order violation"
	AtomicityViolation = "atomicity violation"
	LockOrderInversion = "lock-order inversion"
	SelfDeadlock       = "self-deadlock"
	LockNotReleased    = "lock not released"
	BlockedHoldingLock = "blocked while holding a lock"
	MissedSignal       = "missed signal"
	SenderAlone        = "sender without receiver"
	ReceiverAlone      = "receiver without sender"
	CloseDuringSend    = "close during send"
	DoubleClose        = "double close"
	WaitWithoutDone    = "wait that nobody ends"
	WaitNotForAll      = "wait that does not wait for all"
	UnlockedMutex      = "unlock of an unlocked mutex"
	NegativeWaitGroup  = "negative wait group counter"
	CopiedLock         = "copied lock"              // of a method whose receiver is a copy
	DoubleRelease      = "double release"           // of what was taken once, such as a slot of a semaphore
	BufferSize         = "buffer of the wrong size" // room for fewer or more than are to be there
)

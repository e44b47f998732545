package localize

import (
	"mendel/analysis/evidence"
	"mendel/checker"
)

// A Diagnosis is one way to find out what is wrong: it explains failures of some kinds, and
// names the fault.
type Diagnosis struct {
	Name   string
	Doc    string           // by what it explains them, one sentence
	Kinds  []evidence.Kind  // of failures that it explains
	Faults []evidence.Fault // that it can name

	explain func(*incident) []suspect
}

// An incident is a failure with its executions and the source.
type incident struct {
	*examiner
	failure  *checker.Failure
	own      *execution   // that shows the failure with the fewest switches
	all      []*execution // of its test
	variable *raced       // of a race, once somebody has asked
}

// Diagnoses are all there are, in the order in which they are asked: of suspects that are
// equal, the first stands for all.
func Diagnoses() []Diagnosis { return diagnoses }

var (
	atLocks = []evidence.Fault{
		evidence.LockNotReleased, evidence.SelfDeadlock, evidence.LockOrderInversion, evidence.BlockedHoldingLock, evidence.SomeDeadlock,
	}
	atOthers = []evidence.Fault{
		evidence.SenderAlone, evidence.ReceiverAlone, evidence.MissedSignal, evidence.WaitWithoutDone, evidence.DoubleRelease, evidence.SomeWait,
	}
)

var diagnoses = []Diagnosis{
	{
		Name:  "race by locks",
		Doc:   "the lock that is held at most places that access the variable is its guard; a place without it is suspicious, or under another one",
		Kinds: []evidence.Kind{evidence.Race},
		Faults: []evidence.Fault{
			evidence.MissingLock, evidence.WrongLock, evidence.LostUpdate, evidence.CheckThenAct,
			evidence.CapturedVariable, evidence.Publication, evidence.DataRace,
		},
		explain: raceByLocks,
	},
	{
		Name:    "copied lock",
		Doc:     "a method that is called where the race is has a copy for a receiver, with its lock",
		Kinds:   []evidence.Kind{evidence.Race},
		Faults:  []evidence.Fault{evidence.CopiedLock},
		explain: copiedLock,
	},
	{
		Name:    "lock wait",
		Doc:     "who owns the lock that is waited for has left the function, waits as well, or is the one who waits",
		Kinds:   []evidence.Kind{evidence.Deadlock, evidence.Blocked},
		Faults:  atLocks,
		explain: lockWait,
	},
	{
		Name:    "other wait",
		Doc:     "what ends the same wait in other executions does not come, comes too early, or is itself blocked; who was counted has ended without a Done",
		Kinds:   []evidence.Kind{evidence.Deadlock, evidence.Blocked},
		Faults:  atOthers,
		explain: otherWait,
	},
	{
		Name:    "panic",
		Doc:     "an operation that synchronises panics because of an earlier one on the same object",
		Kinds:   []evidence.Kind{evidence.Panic},
		Faults:  []evidence.Fault{evidence.CloseDuringSend, evidence.DoubleClose, evidence.NegativeWaitGroup, evidence.UnlockedMutex, evidence.SomeFailure},
		explain: panicked,
	},
	{
		Name:    "nobody waits",
		Doc:     "goroutines are counted in a wait group, and nobody waits for it",
		Kinds:   []evidence.Kind{evidence.Race, evidence.Panic, evidence.TestFailure},
		Faults:  []evidence.Fault{evidence.WaitNotForAll},
		explain: nobodyWaits,
	},
	{
		Name:  "pattern",
		Doc:   "accesses, sections or operations come in an order that failing executions have rather than passing ones",
		Kinds: []evidence.Kind{evidence.Deadlock, evidence.Blocked, evidence.Panic, evidence.TestFailure},
		Faults: []evidence.Fault{
			evidence.CheckThenAct, evidence.LostUpdate, evidence.InconsistentRead, evidence.OverwrittenValue, evidence.IntermediateValue,
			evidence.AtomicityViolation, evidence.OrderViolation,
			evidence.WaitNotForAll, evidence.DoubleClose, evidence.CloseDuringSend, evidence.MissedSignal,
		},
		explain: patterned,
	},
	{
		Name:    "switch",
		Doc:     "the failure needs few switches of goroutines, and these places are where; the fault is what others name",
		Kinds:   []evidence.Kind{evidence.Deadlock, evidence.Blocked, evidence.Panic, evidence.TestFailure},
		Faults:  []evidence.Fault{evidence.SomeFailure},
		explain: switched,
	},
	{
		Name:    "full channel",
		Doc:     "a select with a default sends to a channel that is made with room for so many, or without any",
		Kinds:   []evidence.Kind{evidence.Deadlock, evidence.Blocked, evidence.TestFailure},
		Faults:  []evidence.Fault{evidence.BufferSize, evidence.MissedSignal},
		explain: fullChannel,
	},
	{
		Name:    "reported wait",
		Doc:     "a test says by its own time-out, or by a value that is missing, that goroutines do not go on; their waits are explained",
		Kinds:   []evidence.Kind{evidence.TestFailure},
		Faults:  append(atLocks[:len(atLocks):len(atLocks)], atOthers...),
		explain: reportedWait,
	},
}

func lockWait(c *incident) []suspect {
	return c.goingOn(c.waitsForLocks(waiters(c.failure, c.own), c.own, c.all))
}

func otherWait(c *incident) []suspect {
	return c.goingOn(c.waitsForOthers(waiters(c.failure, c.own), c.own, c.all))
}

// goingOn lessens the suspicion of waits that do not keep the test from going on.
func (c *incident) goingOn(found []suspect) []suspect {
	if c.failure.Kind == evidence.Blocked {
		for i := range found {
			found[i].score *= goesOnAllSame
		}
	}
	return found
}

func panicked(c *incident) []suspect { return c.panicked(c.failure, c.own) }

func nobodyWaits(c *incident) []suspect {
	if c.overdue(c.failure, c.own) {
		return nil
	}
	return c.unawaited(c.own)
}

func patterned(c *incident) []suspect { return c.patterned(c.failure, c.own, c.all) }

func switched(c *incident) []suspect { return c.switched(c.failure, c.own) }

func fullChannel(c *incident) []suspect {
	f := c.failure
	if c.own.Failure != nil {
		f = c.own.Failure
	}
	if f.Kind == evidence.TestFailure {
		return c.full(c.own, true, c.own.waitersAt(f.Waiting))
	}
	return c.full(c.own, false, waiters(f, c.own))
}

func reportedWait(c *incident) []suspect { return c.reported(c.failure, c.own, c.all) }

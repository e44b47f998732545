package diagnosis

import (
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/locks"
)

// A Diagnosis is one way to find out by the source what is wrong where a failure shows it.
type Diagnosis struct {
	Name   string
	Doc    string           // by what it finds that, one sentence
	Kinds  []evidence.Kind  // of failures that it explains
	Faults []evidence.Fault // that it can name

	find func(looking, evidence.Failure) []Finding
}

// A looking is the program, and what was found in it.
type looking struct {
	model   *locks.Model
	program *analysis.Program
	found   []Finding
}

// Diagnoses are all there are.
func Diagnoses() []Diagnosis { return diagnoses }

var diagnoses = []Diagnosis{
	{
		Name:  "race by source",
		Doc:   "the lock that is held at most uses of the variable is its guard; the order of a goroutine and of the function that starts it; who gave away what both use",
		Kinds: []evidence.Kind{evidence.Race},
		Faults: []evidence.Fault{
			evidence.DataRace, evidence.MissingLock, evidence.WrongLock, evidence.ReadLockForWrite, evidence.CheckThenAct, evidence.OrderViolation,
			evidence.WaitNotForAll, evidence.CapturedVariable, evidence.Publication, evidence.HandedOut, evidence.ReusedMemory, evidence.CloseDuringSend, evidence.CopiedLock,
		},
		find: ofRace,
	},
	{
		Name:  "stacks by source",
		Doc:   "who of the goroutines of a dump may hold the lock that others wait for, by the calls that they are in; where a lock is left held that none of them has; where the other ends of a channel, wait group or condition are",
		Kinds: []evidence.Kind{evidence.Deadlock, evidence.Blocked, evidence.Timeout},
		Faults: []evidence.Fault{
			evidence.SelfDeadlock, evidence.LockOrderInversion, evidence.BlockedHoldingLock, evidence.LockNotReleased,
			evidence.SenderAlone, evidence.ReceiverAlone, evidence.WaitWithoutDone, evidence.MissedSignal,
		},
		find: ofBlocked,
	},
	{
		Name:   "panic by source",
		Doc:    "what closes the channel of a send or close that panics; who sets, in a goroutine, the variable that is still nil; the other Dones of a wait group",
		Kinds:  []evidence.Kind{evidence.Panic},
		Faults: []evidence.Fault{evidence.CloseDuringSend, evidence.DoubleClose, evidence.NegativeWaitGroup, evidence.OrderViolation},
		find:   ofPanic,
	},
	{
		Name:   "test by source",
		Doc:    "the test has ended a value with goroutines, and the method that ends it does not wait for them; what it calls goes by what a helper has found under a lock, and takes the lock again",
		Kinds:  []evidence.Kind{evidence.TestFailure},
		Faults: []evidence.Fault{evidence.WaitNotForAll, evidence.CheckThenAct},
		find:   ofTest,
	},
	{
		Name:   "taken by source",
		Doc:    "a way out that fails does not give back what the function took, as others do; or the test has code of its own panic, between what takes and what gives back",
		Kinds:  []evidence.Kind{evidence.TestFailure, evidence.Deadlock, evidence.Blocked, evidence.Timeout},
		Faults: []evidence.Fault{evidence.NotGivenBack},
		find:   ofTaken,
	},
}

// bySource is what the source says of a failure.
func bySource(m *locks.Model, p *analysis.Program, f evidence.Failure) (found []Finding) {
	for _, d := range diagnoses {
		if slices.Contains(d.Kinds, f.Kind) {
			found = append(found, d.find(looking{model: m, program: p}, f)...)
		}
	}
	return found
}

// add adds what was found.
func (l *looking) add(f Finding) { l.found = append(l.found, f) }

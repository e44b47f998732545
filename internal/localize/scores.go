package localize

import "mendel/analysis/evidence"

// Suspicions of places, 1 for what is as good as shown to be the fault. What is said in one
// sentence of several places has one suspicion for each of them, in the order in which a
// reader should look. All are guessed, and compared on the programs of
// docs/evaluation/localize.md.
const (
	// A wait for a lock, by what became of its owner.
	waitsForHeldLock   = 1    // the owner cannot go on
	waitsForUnknown    = 0.7  // nobody is known to own it
	holdsTheLock       = 0.9  // where the owner took it
	rareOrder          = 0.05 // more: the pair of locks is taken so at fewer places
	stuckWithLock      = 1.05 // the wait of an owner that waits for something else
	tookBeforeStuck    = 0.95 // where that owner took it
	waitsForStuck      = 0.8
	tookAndEnded       = 1 // where a goroutine took what it has never released
	waitsForEnded      = 0.8
	endedWithLock      = 0.9 // where that goroutine was last seen
	leftWithLock       = 1.02
	tookAndLeft        = 1 // where a function took what it has left locked
	waitsForLeft       = 0.7
	anotherCannotMove  = 0.9  // of any: a test fails otherwise, and nobody can ever get a lock
	testWaitedToTheEnd = 0.97 // of any: a test fails because its time is over

	// A wait for anything else, by what ends it elsewhere.
	waitsForEver  = 0.95
	neverHappens  = 0.85 // what would end the wait does not happen
	tooEarly      = 0.8  // it comes too early, or too seldom
	lostSignal    = 0.97
	slotGoneTwice = 0.98 // gives back what was given back
	slotTaken     = 0.95
	fixedRoom     = 0.75 // a channel is made with room for so many
	noRoom        = 0.98 // the channel of a wait is made without room, and somebody sends who does not wait

	// Who was counted in a wait group and has no Done.
	endedUncounted  = 0.98 // where the goroutine was last seen
	startedCounted  = 0.96 // where it was started
	endedInOther    = 0.9  // these two if it ended in another package
	startedForOther = 0.98
	countedOne      = 0.9
	countedTooMany  = 0.97
	waitsForNobody  = 0.97 // a method that should wait
	mustBeToldMore  = 0.6  // one that has parameters

	// A race, by the locks that are held.
	guardedShare    = 0.6  // less, times the share of accesses under the guard
	notInTheRace    = 0.25 // less: a place that does not take part in the race
	onlyReads       = 0.05 // less
	lockGuardsMore  = 0.1  // less: another lock guards something else
	lockGuardsNone  = 0.1  // more: it guards nothing else
	callsUnlocked   = 1
	exportedCaller  = 0.95 // times that of the place it leads to
	receiverCopied  = 1.05
	nearlyAlways    = 0.9 // the share from which a place counts as guarded
	hardlyHalf      = 0.5 // the share below which a place has the wrong lock
	panicsOnObject  = 1
	beforeThePanic  = 0.95 // what was done to the same object before
	panicsElsewhere = 0.5  // a panic of nothing that synchronises

	// Patterns of accesses: of what they count for.
	anyPattern      = 0.9
	secondOfTwo     = 0.99
	lastOfThree     = 0.98
	intruderOfThree = 0.9
	lockedAgain     = 1.05
	callsFirst      = 1.05
	callsLast       = 1.04
	firstInOrder    = 0.98
	switchedHere    = 0.98 // a place where a goroutine must be stopped
	eachSwitch      = 0.04 // less for each of these places
	onlyInFailing   = 0.8  // if no execution passes: then the order distinguishes nothing
	notWhenSwitched = 0.5  // if it does not occur in the failing execution with the fewest switches

	// Of what is suspicious otherwise.
	ofConsequence   = 0.5  // a wait that another one explains
	goesOnAllSame   = 0.95 // what goes on in spite of blocked goroutines may have another cause
	inTest          = 0.6  // what a test compares is seldom what went wrong
	inOtherPlace    = 0.7  // a place in another package, of which the one that was asked about makes use
	furtherFailures = 3    // a further failure of one fault counts one part in so many
)

// weights of shapes: what says more comes first. Guessed.
var weights = map[shape]float64{between: 1, synchron: 0.9, order: 0.8, sections: 0.7}

// base is what the places of a failure of a kind count for: a test's complaint, or what is
// blocked, may be a consequence of something else. Guessed.
func base(k evidence.Kind) float64 {
	switch k {
	case evidence.Race, evidence.Deadlock:
		return 0.9
	case evidence.Panic:
		return 0.85
	case evidence.Blocked:
		return 0.8
	}
	return 0.75
}

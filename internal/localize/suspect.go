package localize

import (
	"cmp"
	"slices"

	"mendel/analysis/evidence"
	"mendel/checker"
)

// Names of faults: those of the field, and three where nothing better is known.
const (
	dataRace            = evidence.DataRace
	lostUpdate          = evidence.LostUpdate
	checkThenAct        = evidence.CheckThenAct
	publication         = evidence.Publication
	captured            = evidence.CapturedVariable
	wrongLock           = evidence.WrongLock
	missingLock         = evidence.MissingLock
	inconsistentRead    = evidence.InconsistentRead
	overwritten         = evidence.OverwrittenValue
	intermediate        = evidence.IntermediateValue
	orderViolation      = evidence.OrderViolation
	atomicityViolation  = evidence.AtomicityViolation
	lockOrderInversion  = evidence.LockOrderInversion
	selfDeadlock        = evidence.SelfDeadlock
	lockNotReleased     = evidence.LockNotReleased
	blockedHoldingLock  = evidence.BlockedHoldingLock
	missedSignal        = evidence.MissedSignal
	senderAlone         = evidence.SenderAlone
	receiverAlone       = evidence.ReceiverAlone
	closeDuringSend     = evidence.CloseDuringSend
	doubleClose         = evidence.DoubleClose
	doubleRelease       = evidence.DoubleRelease
	waitWithoutDone     = evidence.WaitWithoutDone
	waitNotForAll       = evidence.WaitNotForAll
	unknownDeadlock     = "deadlock"
	unknownFailure      = "failure under some schedules"
	mutexMisuse         = evidence.UnlockedMutex
	negativeWaitGroup   = evidence.NegativeWaitGroup
	blockedForEver      = "goroutine blocked for ever"
	afterPanicSuspicion = 0.5
)

// A suspect is a place that may be the fault, as one failure shows it.
type suspect struct {
	at              site
	does            string // "read", "write", "lock", "channel send"
	fault           string // its name
	variable        string // or lock, or channel, that it is about
	field           bool   // it names a field, and so one variable only
	score           float64
	partner         site // zero: none
	partnerDoes     string
	says            string // one sentence
	failed, passing int    // executions behind the score; 0, 0: exact
}

// An examiner examines failures.
type examiner struct {
	src        *sources
	executions map[string][]*execution // by test
}

// suspects of one failure, the most suspicious first.
func (x *examiner) suspects(f *checker.Failure) []suspect {
	all := x.executions[f.Test]
	own := shortest(f, all)
	var list []suspect
	switch f.Kind {
	case "race":
		list = x.race(f, all)
	case "deadlock", "blocked":
		list = x.blocked(f, own, all)
	case "panic":
		list = x.panicked(f, own)
	}
	if f.Kind != "deadlock" && f.Kind != "blocked" && !x.overdue(f, own) {
		list = append(list, x.unawaited(own)...)
	}
	if f.Kind != "race" {
		list = append(list, x.patterned(f, own, all)...)
		list = append(list, x.switched(f, own)...)
	}
	if f.Kind == "test-failure" {
		list = append(list, x.full(own)...)
		list = append(list, x.reported(f, own, all)...)
	}
	return named(merged(x.ownFirst(f, x.onlyInside(list))))
}

// named gives the suspects that tell only where a fault is the name that others have for
// it, the most suspicious first.
func named(list []suspect) []suspect {
	name := unknownFailure
	if i := slices.IndexFunc(list, func(s suspect) bool { return s.fault != "" }); i >= 0 {
		name = list[i].fault
	}
	for i := range list {
		list[i].fault = cmp.Or(list[i].fault, name)
	}
	return list
}

// shortest is the execution that shows a failure with the fewest switches.
func shortest(f *checker.Failure, all []*execution) *execution {
	var best *execution
	for _, x := range all {
		if x.fails(f) && x.Given && (best == nil || len(x.words) > len(best.words)) {
			best = x
		}
	}
	if best == nil {
		best = fromTrace(f)
	}
	return best
}

// onlyInside leaves out what is not in the module. Places in tests are less
// suspicious: what a test compares is seldom what went wrong.
func (x *examiner) onlyInside(list []suspect) []suspect {
	list = slices.DeleteFunc(list, func(s suspect) bool { return !x.src.inside(s.at) })
	for i := range list {
		if x.src.test(list[i].at) {
			list[i].score *= 0.6
		}
	}
	return list
}

// merged has each place once, with the suspicion that is highest. Of equal ones the
// first is kept.
func merged(list []suspect) []suspect {
	var out []suspect
	for _, s := range list {
		i := slices.IndexFunc(out, func(o suspect) bool { return o.at == s.at })
		switch {
		case i < 0:
			out = append(out, s)
		case s.score > out[i].score:
			out[i] = s
		}
	}
	slices.SortStableFunc(out, func(a, b suspect) int { return cmp.Compare(b.score, a.score) })
	return out
}

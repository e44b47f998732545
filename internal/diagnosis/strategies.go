package diagnosis

import (
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

// A Strategy is a way to mend a fault: an operator, at what the finding binds.
type Strategy struct {
	Operator string
	Forms    []string // of its edits; none: all
	Bound    Bound
}

// A Bound is what an edit has in common with the finding that it mends.
type Bound string

// Bounds.
const (
	InFunction Bound = "in the function"              // of one of the places
	WithGuard  Bound = "in the function, the guard"   // also by the lock that guards the variable
	Guarding   Bound = "the variable, with its guard" // wherever it is
	OnVariable Bound = "the variable"                 // wherever it is
	Anywhere   Bound = "anywhere"
)

// A remedy is what mends a fault.
type remedy struct {
	fault      evidence.Fault
	strategies []Strategy
	none       string // why there are no strategies
}

// remedies is the table: for each fault the strategies, in the order in which a careful
// maintainer would try them. What keeps the shape of the code comes before what changes it,
// an existing lock before a new one, and one place before many.
var remedies = []remedy{
	{fault: evidence.DataRace, strategies: []Strategy{
		on("copyarg", InFunction, "handed"), on("guard", OnVariable), on("atomicvar", OnVariable), on("addlock", WithGuard),
	}},
	{fault: evidence.MissingLock, strategies: []Strategy{
		on("copyarg", InFunction, "handed"), on("addlock", WithGuard), on("guard", Guarding), on("hoist", WithGuard), on("lockhelper", InFunction), on("lockread", WithGuard), on("lockcaller", InFunction),
	}},
	{fault: evidence.WrongLock, strategies: []Strategy{
		on("uselock", InFunction), on("guard", Guarding), on("addlock", WithGuard),
	}},
	{fault: evidence.ReadLockForWrite, strategies: []Strategy{
		on("rlock", InFunction, "write"), on("rlock", InFunction, "upgrade"), on("rlock", InFunction),
	}},
	{fault: evidence.HandedOut, strategies: []Strategy{
		on("renew", OnVariable), on("clonemap", OnVariable), on("clonevalue", OnVariable), on("clonemap", InFunction), on("clonevalue", InFunction),
	}},
	{fault: evidence.ReusedMemory, strategies: []Strategy{
		on("renew", Anywhere), on("copyreused", Anywhere), on("putlater", Anywhere),
	}},
	{fault: evidence.LostUpdate, strategies: []Strategy{
		on("addlock", WithGuard), on("atomicrmw", InFunction), on("mergesections", InFunction), on("expandafter", InFunction), on("expandbefore", InFunction),
		on("hoist", InFunction), on("askagain", InFunction), on("claimearly", InFunction), on("takeout", Anywhere), on("skipstale", Anywhere), on("guard", Guarding),
	}},
	{fault: evidence.CheckThenAct, strategies: []Strategy{
		on("mergesections", InFunction), on("expandafter", InFunction), on("expandbefore", InFunction), on("addlock", WithGuard), on("once", InFunction),
		on("hoist", InFunction), on("askagain", InFunction), on("claimearly", InFunction), on("stillcurrent", InFunction), on("refuselate", InFunction), on("handback", InFunction), on("takeout", Anywhere), on("skipstale", Anywhere), on("atomicrmw", InFunction), on("lockatomics", InFunction), on("guard", Guarding),
	}},
	{fault: evidence.InconsistentRead, strategies: []Strategy{
		on("expandafter", InFunction), on("mergesections", InFunction), on("addlock", WithGuard), on("lockcaller", InFunction), on("lockatomics", InFunction),
	}},
	{fault: evidence.OverwrittenValue, strategies: []Strategy{on("expandafter", InFunction), on("mergesections", InFunction), on("takeout", Anywhere), on("atomicrmw", InFunction)}},
	{fault: evidence.IntermediateValue, strategies: []Strategy{on("expandafter", InFunction), on("mergesections", InFunction)}},
	{fault: evidence.AtomicityViolation, strategies: []Strategy{
		on("mergesections", InFunction), on("expandafter", InFunction), on("expandbefore", InFunction), on("hoist", InFunction),
		on("askagain", InFunction), on("claimearly", InFunction), on("lockcaller", InFunction), on("takeout", Anywhere), on("skipstale", Anywhere), on("atomicrmw", InFunction),
	}},
	{fault: evidence.OrderViolation, strategies: []Strategy{on("initbeforego", InFunction), on("golater", InFunction)}},
	{fault: evidence.Publication, strategies: []Strategy{on("once", InFunction), on("once", OnVariable), on("guard", OnVariable)}},
	{fault: evidence.CapturedVariable, strategies: []Strategy{
		on("shadowerr", InFunction), on("copyarg", InFunction), on("rangeloop", InFunction), on("guard", OnVariable), on("atomicvar", OnVariable),
	}},
	{fault: evidence.CopiedLock, strategies: []Strategy{on("pointerreceiver", InFunction), on("inplace", InFunction)}},
	{fault: evidence.LockOrderInversion, strategies: []Strategy{
		on("swaplocks", InFunction), on("orderlocks", InFunction), on("shrinkend", InFunction), on("callafter", InFunction), on("shrinkstart", InFunction),
	}},
	{fault: evidence.SelfDeadlock, strategies: []Strategy{
		on("calllocked", InFunction), on("callafter", InFunction, "loop"), on("addunlock", InFunction), on("callafter", InFunction), on("releasearound", InFunction), on("gocall", InFunction),
	}},
	{fault: evidence.LockNotReleased, strategies: []Strategy{on("addunlock", InFunction), on("deferend", InFunction)}},
	{fault: evidence.BlockedHoldingLock, strategies: []Strategy{
		on("closeguard", InFunction, "counted"), on("waitmove", InFunction), on("moveout", InFunction), on("shrinkend", InFunction), on("callafter", InFunction),
		on("releasearound", InFunction), on("shrinkstart", InFunction), on("swapops", InFunction),
	}},
	{fault: evidence.UnlockedMutex, strategies: []Strategy{on("releaseonce", InFunction)}},
	{fault: evidence.MissedSignal, strategies: []Strategy{
		on("waitloop", InFunction), on("signallocked", InFunction), on("broadcast", InFunction), on("wakeafter", Anywhere), on("buffer", InFunction), on("handback", Anywhere),
	}},
	{fault: evidence.SenderAlone, strategies: []Strategy{
		on("giveback", Anywhere), on("selectdone", InFunction), on("buffer", InFunction), on("newdone", InFunction), on("closedone", InFunction), on("drain", InFunction), on("deferend", InFunction), on("swapops", InFunction), on("handback", Anywhere), on("refuselate", Anywhere),
		on("closepipe", Anywhere),
	}},
	{fault: evidence.ReceiverAlone, strategies: []Strategy{
		on("giveback", Anywhere), on("deferclose", InFunction), on("signalearly", InFunction), on("wakeafter", InFunction), on("selectdone", InFunction), on("ownend", InFunction),
		on("releasecontext", InFunction), on("closedone", InFunction), on("deferend", InFunction), on("buffer", InFunction), on("swapops", InFunction), on("handback", Anywhere), on("refuselate", Anywhere),
		on("closepipe", Anywhere),
	}},
	{fault: evidence.CloseDuringSend, strategies: []Strategy{on("claimearly", InFunction, "remove"), on("expandafter", InFunction, "counted"), on("closeguard", InFunction), on("closedone", InFunction), on("refuselate", Anywhere)}},
	{fault: evidence.DoubleClose, strategies: []Strategy{
		on("claimearly", InFunction, "remove"), on("closeonce", InFunction), on("closeguard", InFunction), on("claimearly", InFunction), on("askagain", InFunction),
	}},
	{fault: evidence.DoubleRelease, strategies: []Strategy{on("releaseonce", InFunction)}},
	{fault: evidence.NotGivenBack, strategies: []Strategy{
		on("giveback", InFunction), on("deferend", InFunction, "slot"), on("deferend", InFunction),
	}},
	{fault: evidence.BufferSize, strategies: []Strategy{on("buffer", InFunction)}},
	{fault: evidence.WaitWithoutDone, strategies: []Strategy{on("deferdone", InFunction), on("signalearly", InFunction), on("deferend", InFunction), on("wggo", InFunction)}},
	{fault: evidence.WaitNotForAll, strategies: []Strategy{
		on("addbeforego", InFunction), on("expandafter", InFunction, "counted"), on("join", InFunction), on("endwait", InFunction), on("refuselate", Anywhere), on("wggo", InFunction),
	}},
	{fault: evidence.NegativeWaitGroup, strategies: []Strategy{on("addbeforego", InFunction), on("releaseonce", InFunction)}},
	{fault: evidence.SomeDeadlock, none: "it is not known what is waited for"},
	{fault: evidence.SomeWait, none: "it is not known what is waited for"},
	{fault: evidence.SomeFailure, none: "nothing is known but that it depends on the schedule"},
}

func on(operator string, b Bound, forms ...string) Strategy { return Strategy{operator, forms, b} }

// Strategies are the ways to mend a fault, the first to be tried first.
func Strategies(f evidence.Fault) []Strategy {
	for _, r := range remedies {
		if r.fault == f {
			return r.strategies
		}
	}
	return nil
}

// fits reports whether an edit, or a part of a composite one, is the strategy for a finding.
func (s Strategy) fits(f *Finding, e *mutate.Edit) bool {
	if e.Operator != s.Operator || !s.hasForm(e) {
		return false
	}
	here := func(e *mutate.Edit) bool {
		return slices.ContainsFunc(f.Places, func(p Place) bool { return p.has(e) })
	}
	guard := func(e *mutate.Edit) bool { return f.Lock != "" && e.Lock != nil && e.Lock.Key == f.Lock }
	about := func(e *mutate.Edit) bool { return f.Variable != "" && slices.Contains(e.Vars, f.Variable) }
	switch s.Bound {
	case InFunction:
		return anyPart(e, here)
	case WithGuard:
		return anyPart(e, func(e *mutate.Edit) bool { return here(e) && guard(e) })
	case Guarding:
		return anyPart(e, func(e *mutate.Edit) bool { return about(e) && guard(e) })
	case OnVariable:
		return anyPart(e, about)
	}
	return s.Bound == Anywhere
}

// hasForm reports whether an edit, or all parts of a composite one, have a form of the strategy.
func (s Strategy) hasForm(e *mutate.Edit) bool {
	if len(s.Forms) == 0 {
		return true
	}
	if len(e.Parts) == 0 {
		return slices.Contains(s.Forms, e.Form)
	}
	return !slices.ContainsFunc(e.Parts, func(part mutate.Edit) bool { return !s.hasForm(&part) })
}

// anyPart reports whether something is so of an edit or of a part of it.
func anyPart(e *mutate.Edit, is func(*mutate.Edit) bool) bool {
	if is(e) {
		return true
	}
	for i := range e.Parts {
		if anyPart(&e.Parts[i], is) {
			return true
		}
	}
	return false
}

package diagnosis

import (
	"cmp"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/locks"
)

// Seen is what is known of how a program fails.
type Seen struct {
	Kind     evidence.Kind // of what is to be mended
	Failures []evidence.Failure
	// Suspects are the places that executions of the failures show, the most suspicious
	// first; none: no execution is known step by step.
	Suspects []Suspect
}

// A Suspect is a place that may be the fault, by executions.
type Suspect struct {
	Fault          evidence.Fault // of all places that belong together
	Suggests       evidence.Fault // what the place itself suggests; "": the same
	Variable       string
	Suspiciousness float64 // 0 to 1
	Says           string  // what is wrong with the place, which is the subject of the sentence
	Compared       bool    // by how often executions that fail have it, and others
	Places         []Place // its own first, and then that of the other goroutine
}

// Of is what is wrong with a program, the likeliest first, each once: what executions show,
// and what the source says of the failures. Of a race the source says more, since it knows
// all uses of the variable; of all else executions do. model is asked for only where the
// source is.
func Of(model func() *locks.Model, p *analysis.Program, seen Seen) []Finding {
	found := ranked(seen.Suspects)
	source := ofSource(model, p, seen.Failures)
	all := append(found, source...)
	if seen.Kind == evidence.Race {
		all = append(source, bound(found, source)...)
	}
	all = unique(all)
	// What has no name says nothing beside what has one.
	slices.SortStableFunc(all, func(a, b Finding) int { return nameless(a.Fault) - nameless(b.Fault) })
	return all
}

// nameless is 1 for the faults that stand where nothing better is known.
func nameless(f evidence.Fault) int {
	if len(Strategies(f)) == 0 {
		return 1
	}
	return 0
}

// nearlySuspicious is the part of the first place's suspicion that others must have to be
// diagnosed, too. Guessed.
const nearlySuspicious = 0.6

// ranked are the faults that the ranked places suggest, with the functions around these and
// their partners, and then the fault of all where that is another one.
func ranked(suspects []Suspect) (all []Finding) {
	for _, s := range suspects {
		all = with(all, s, cmp.Or(s.Suggests, s.Fault), suspects[0].Suspiciousness)
	}
	for _, s := range suspects {
		all = with(all, s, s.Fault, suspects[0].Suspiciousness)
	}
	return all
}

// with adds the fault of a place that is nearly as suspicious as the first.
func with(all []Finding, s Suspect, fault evidence.Fault, first float64) []Finding {
	places := slices.DeleteFunc(slices.Clone(s.Places), func(p Place) bool { return p.Func == "" })
	if s.Suspiciousness < nearlySuspicious*first || len(places) == 0 {
		return all
	}
	f := Finding{Fault: fault, Variable: s.Variable, Places: places, Says: s.Places[0].String() + " " + s.Says, Certainty: Shown}
	if s.Compared {
		f.Certainty = Likely
	}
	if s.Suspiciousness < nearlyShown || fault == evidence.SomeFailure {
		f.Certainty = Possible
	}
	return append(all, f)
}

// nearlyShown is the suspiciousness from which on a place counts as more than a possible
// one. Guessed.
const nearlyShown = 0.6

// unique has each finding once, the first of those that are the same.
func unique(list []Finding) (once []Finding) {
	for _, f := range list {
		if !slices.ContainsFunc(once, func(o Finding) bool { return same(o, f) }) {
			once = append(once, f)
		}
	}
	return once
}

func same(a, b Finding) bool {
	return a.Fault == b.Fault && a.Variable == b.Variable && a.Lock == b.Lock && slices.Equal(functions(a), functions(b))
}

// functions are those of the places of a finding.
func functions(f Finding) (list []string) {
	for _, p := range f.Places {
		list = append(list, p.File+" "+p.Func)
	}
	return list
}

// bound gives the findings of executions the guards that the source shows of their
// variables.
func bound(found, races []Finding) []Finding {
	for i := range found {
		k := slices.IndexFunc(races, func(r Finding) bool { return r.Variable != "" && r.Variable == found[i].Variable })
		if k >= 0 {
			found[i].Lock = races[k].Lock
		}
	}
	return found
}

// mostFailures is how many failures of a kind are diagnosed by the source. Guessed: what
// several have in common shows in a few.
const mostFailures = 6

// ofSource is what the source shows of the first failures.
func ofSource(model func() *locks.Model, p *analysis.Program, failures []evidence.Failure) (found []Finding) {
	n := map[evidence.Kind]int{}
	for _, f := range failures {
		if n[f.Kind]++; n[f.Kind] <= mostFailures && explained(f.Kind) {
			found = append(found, bySource(model(), p, f)...)
		}
	}
	// What is likeliest of each race comes before what is less so of the first one.
	rank := func(f Finding) int {
		if f.Certainty == Likely {
			return 0
		}
		return likely(f.Fault)
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return rank(a) - rank(b) })
	for i := range found {
		if rank(found[i]) == 0 {
			found[i].Certainty = Likely
		} else {
			found[i].Certainty = Possible
		}
	}
	return found
}

// explained reports whether the source says anything of failures of a kind.
func explained(k evidence.Kind) bool {
	return slices.ContainsFunc(diagnoses, func(d Diagnosis) bool { return slices.Contains(d.Kinds, k) })
}

// likely orders the faults that a failure suggests: whether a lock is missing is known from all
// other uses, the order and other names only from the two that race.
func likely(f evidence.Fault) int {
	switch f {
	case evidence.MissingLock, evidence.WrongLock, evidence.ReadLockForWrite, evidence.CapturedVariable, evidence.HandedOut, evidence.CloseDuringSend, evidence.DoubleClose,
		evidence.SelfDeadlock, evidence.LockOrderInversion, evidence.BlockedHoldingLock, evidence.LockNotReleased:
		return 0
	case evidence.OrderViolation, evidence.WaitNotForAll, evidence.Publication, evidence.DataRace, evidence.SenderAlone, evidence.ReceiverAlone,
		evidence.WaitWithoutDone, evidence.MissedSignal, evidence.NegativeWaitGroup, evidence.NotGivenBack:
		return 1
	}
	return 2
}

package localize

import (
	"fmt"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
)

// panicked explains a panic of an operation that synchronises by what was done to
// the same object before, and any other by the variables of its line.
func (x *examiner) panicked(f *checker.Failure, own *execution) []suspect {
	if len(f.Places) == 0 {
		return nil
	}
	at := siteOfPlace(f.Places[0])
	for _, fr := range f.Places[0].Stack {
		if s := siteOf(fr); x.src.inside(s) {
			at = s
			break
		}
	}
	here := suspect{at: at, does: "panic", score: panicsOnObject, fault: evidence.SomeFailure, variable: x.src.text(at)}
	m := f.Message
	switch {
	case strings.Contains(m, "send on closed channel"):
		here.does = "channel send"
		return x.after(own, here, evidence.CloseDuringSend, sched.KindClose, "is sent to here, after it was closed at %s", "closes the channel, and %s sends to it afterwards")
	case strings.Contains(m, "close of closed channel"):
		here.does = "close of a channel"
		return x.after(own, here, evidence.DoubleClose, sched.KindClose, "closes a channel that was closed already at %s", "closes the channel, which %s closes again")
	case strings.Contains(m, "negative WaitGroup counter"):
		here.does = "WaitGroup.Add"
		return x.after(own, here, evidence.NegativeWaitGroup, sched.KindAdd, "makes the counter of the wait group negative, which was changed last at %s", "changes the counter of the wait group, which becomes negative at %s")
	case strings.Contains(m, "unlock of unlocked"):
		here.does = "unlock"
		return x.after(own, here, evidence.UnlockedMutex, sched.KindRelease, "unlocks a lock that was unlocked already at %s", "unlocks the lock, which %s unlocks again")
	}
	here.score = panicsElsewhere
	here.says = "panics: " + strings.TrimPrefix(firstLine(m), "panic: ")
	return []suspect{here}
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// after explains an operation that fails because another one of a kind came before
// it on the same object.
func (x *examiner) after(own *execution, here suspect, fault evidence.Fault, kind sched.Kind, saysHere, saysThere string) []suspect {
	here.fault = fault
	earlier, ok := own.before(here.at, kind)
	if !ok {
		here.says = "panics here"
		return []suspect{here}
	}
	here.partner, here.partnerDoes = earlier.at, earlier.what
	here.says = fmt.Sprintf(saysHere, x.src.rel(earlier.at))
	there := here
	there.at, there.does, there.partner, there.partnerDoes, there.score = earlier.at, earlier.what, here.at, here.does, beforeThePanic
	there.says = fmt.Sprintf(saysThere, x.src.rel(here.at))
	return []suspect{here, there}
}

// before is the last operation of a kind on the object of the last operation at a
// place.
func (x *execution) before(at site, kind sched.Kind) (deed, bool) {
	for i := len(x.Events) - 1; i >= 0; i-- {
		e := x.Events[i]
		if e.Memory || e.Object == 0 || siteOf(e.Frame) != at {
			continue
		}
		for k := i - 1; k >= 0; k-- {
			b := x.Events[k]
			if !b.Memory && b.Object == e.Object && b.Kind == kind {
				return deed{k, siteOf(b.Frame), b.G, b.Kind, b.Operation}, true
			}
		}
		break
	}
	// A select does not say on which channel it failed.
	i := slices.IndexFunc(x.Events, func(e checker.WitnessEvent) bool { return !e.Memory && e.Kind == kind })
	if i < 0 || siteOf(x.Events[i].Frame) == at {
		return deed{}, false
	}
	e := x.Events[i]
	return deed{i, siteOf(e.Frame), e.G, e.Kind, e.Operation}, true
}

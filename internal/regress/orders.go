package regress

import (
	"fmt"
	"slices"
	"strings"

	"mendel/checker/sched"
)

// An event of an execution: the n-th passing of a name.
type event struct {
	name string
	n    int
}

func (e event) String() string {
	if e.n == 1 {
		return e.name
	}
	return fmt.Sprintf("%s#%d", e.name, e.n)
}

// An ordering has an event wait for another one, or until the goroutine is blocked that
// passed it.
type ordering struct {
	before, after event
	blocked       bool
}

func (o ordering) String() string {
	if o.blocked {
		return "[" + o.before.String() + "] -> " + o.after.String()
	}
	return o.before.String() + " -> " + o.after.String()
}

func ordersOf(list []ordering) string {
	var texts []string
	for _, o := range list {
		texts = append(texts, o.String())
	}
	return strings.Join(texts, ", ")
}

// A step is one of a trace: an event, or anything else.
type step struct {
	g       int
	event   string // "" for anything else
	creates int    // a goroutine, 0: none
}

// A visit is what a goroutine does at a spot: it arrives, and departs later.
type visit struct {
	g        int
	spot     string
	n        int // of all visits of the spot, from 1
	from, to int // steps at which it arrives and departs; the number of steps if it does not
}

// orderings are those of an execution in which each spot has its events: an arrival is moved
// to what its goroutine did before, a departure to what it does next. So whoever was at a spot
// while others went on is held there until they have come as far. That is the last spot at which
// another one arrived meanwhile, or, if it stands within a call of the program, that it is
// blocked there. Goroutines depart from one spot in the order in which they arrive, so that who
// comes there later is waited for only up to there.
func orderings(trace []sched.Event) []ordering {
	steps := settled(stepsOf(trace))
	visits, goroutines := visitsOf(steps)
	var list []ordering
	for _, v := range visits {
		for _, h := range goroutines {
			if h != v.g {
				list = append(list, v.waitsFor(h, steps, visits)...)
			}
		}
	}
	return list
}

// meetings are orderings for spots that several goroutines visit: nobody departs until two
// have arrived. Where one acts on what it has seen, both have seen the same then.
func meetings(trace []sched.Event) []ordering {
	visits, _ := visitsOf(settled(stepsOf(trace)))
	var list []ordering
	for i, v := range visits {
		if v.n == 2 && slices.ContainsFunc(visits[:i], func(w *visit) bool { return w.spot == v.spot && w.g != v.g }) {
			list = append(list, ordering{event{arriving + v.spot, 2}, event{departing + v.spot, 1}, false})
		}
	}
	return list
}

// visitsOf are the visits of an execution, and its goroutines, in the order in which they come.
func visitsOf(steps []step) (visits []*visit, goroutines []int) {
	counts, open := map[string]int{}, map[int]*visit{}
	for i, s := range steps {
		if !slices.Contains(goroutines, s.g) {
			goroutines = append(goroutines, s.g)
		}
		if spot, ok := strings.CutPrefix(s.event, arriving); ok {
			counts[spot]++
			open[s.g] = &visit{s.g, spot, counts[spot], i, len(steps)}
			visits = append(visits, open[s.g])
		} else if v := open[s.g]; s.event != "" && v != nil {
			v.to = i
		}
	}
	return visits, goroutines
}

// waitsFor is how far another goroutine comes during a visit.
func (v *visit) waitsFor(h int, steps []step, visits []*visit) (list []ordering) {
	end := v.to
	var last *visit // of h, in which it arrives or departs meanwhile
	for _, w := range visits {
		if w.g != h || w.from >= end || w.from <= v.from && (w.to <= v.from || w.to >= end) {
			continue
		}
		if last = w; w.spot == v.spot {
			end = w.to
		}
	}
	if last == nil {
		return nil
	}
	after := event{departing + v.spot, v.n}
	if last.from > v.from {
		list = append(list, ordering{event{arriving + last.spot, last.n}, after, false})
	}
	isStep := func(s step) bool { return s.g == h && s.event == "" }
	if last.to < end && slices.ContainsFunc(steps[last.to:end], isStep) && slices.ContainsFunc(steps[end:], isStep) {
		list = append(list, ordering{event{departing + last.spot, last.n}, after, true})
	}
	return list
}

// stepsOf are the steps of a trace, but for the first and the last ones of goroutines, which
// nobody notices.
func stepsOf(trace []sched.Event) []step {
	var steps []step
	for _, e := range trace {
		s := step{g: e.G}
		if e.Kind == sched.KindGo {
			s.creates = max(e.With, 0)
		}
		if name, ok := strings.CutPrefix(e.What, "order.At("); ok && e.Kind == sched.KindEvent {
			s.event = strings.TrimSuffix(name, ")")
		}
		if e.Kind != sched.KindExit && e.Kind != sched.KindStart {
			steps = append(steps, s)
		}
	}
	return steps
}

// settled moves arrivals to what their goroutines did before, if only their creation, and
// departures to what they do next.
func settled(steps []step) []step {
	arrives := func(s step) bool { return strings.HasPrefix(s.event, arriving) }
	departs := func(s step) bool { return strings.HasPrefix(s.event, departing) }
	for i := range steps {
		if !arrives(steps[i]) {
			continue
		}
		k := i - 1
		for k >= 0 && steps[k].g != steps[i].g && (steps[k].creates == 0 || steps[k].creates != steps[i].g) {
			k--
		}
		if k >= 0 {
			s := steps[i]
			copy(steps[k+2:i+1], steps[k+1:i])
			steps[k+1] = s
		}
	}
	for i := len(steps) - 1; i >= 0; i-- {
		if !departs(steps[i]) {
			continue
		}
		k := i + 1
		for k < len(steps) && steps[k].g != steps[i].g {
			k++
		}
		if k < len(steps) {
			s := steps[i]
			copy(steps[i:k-1], steps[i+1:k])
			steps[k-1] = s
		}
	}
	return steps
}

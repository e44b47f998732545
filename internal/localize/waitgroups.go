package localize

import (
	"fmt"
	"strings"

	"mendel/checker/sched"
)

// A counted is one call of a wait group's Add, with the goroutine that its caller
// starts next.
type counted struct {
	at    site
	child int // -1: none
}

// miscounted explains a wait for a wait group by who was counted: a goroutine that
// ended without a Done, or an Add of more than there are goroutines.
func (x *examiner) miscounted(w waiter, own *execution) []suspect {
	if !strings.HasPrefix(w.what, "WaitGroup") || w.obj == 0 {
		return nil
	}
	done := map[int]bool{}
	var adds []counted
	dones := 0
	for i, e := range own.Events {
		switch {
		case e.Kind != sched.KindAdd || e.Object != w.obj:
		case e.Operation == "WaitGroup.Done":
			done[e.G] = true
			dones++
		default:
			adds = append(adds, counted{siteOf(e.Frame), own.startedAfter(i)})
		}
	}
	base := suspect{variable: x.operand(w.at), fault: waitWithoutDone, partner: w.at, partnerDoes: w.what}
	var list []suspect
	for _, a := range adds {
		if a.child < 0 || done[a.child] {
			continue
		}
		last, ended := x.lastSeen(own, a.child)
		if !ended {
			continue
		}
		left, count := base, base
		left.at, left.does, left.score = last, "end of a goroutine", 0.98
		left.says = fmt.Sprintf("is the last that is seen of a goroutine that was counted at %s and ends without a Done, for which %s waits", x.src.rel(a.at), x.src.rel(w.at))
		count.at, count.does, count.score = a.at, "WaitGroup.Add", 0.9
		count.says = fmt.Sprintf("counts a goroutine that ends without a Done, after %s", x.src.rel(last))
		list = append(list, left, count)
	}
	if len(list) > 0 || dones < len(adds) {
		return list
	}
	for _, a := range adds {
		more := base
		more.at, more.does, more.score = a.at, "WaitGroup.Add", 0.97
		more.says = fmt.Sprintf("counts more than the Dones that follow: each Add has one, and %s waits all the same", x.src.rel(w.at))
		list = append(list, more)
	}
	return list
}

// startedAfter is the goroutine that is started next by the one that made an event,
// before it counts again; -1: none is.
func (x *execution) startedAfter(event int) int {
	of := x.Events[event]
	for _, e := range x.Events[event+1:] {
		switch {
		case e.G != of.G:
		case e.Kind == sched.KindGo:
			return e.With
		case e.Kind == sched.KindAdd && e.Object == of.Object:
			return -1
		}
	}
	return -1
}

// lastSeen is where a goroutine that has ended was last seen, in the module's own code
// rather than in a test of it.
func (x *examiner) lastSeen(own *execution, g int) (last site, ended bool) {
	inTest := site{}
	for _, e := range own.Events {
		at := siteOf(e.Frame)
		switch {
		case e.G != g:
		case e.Kind == sched.KindExit:
			ended = true
		case !x.src.inside(at):
		case x.src.test(at):
			inTest = at
		default:
			last = at
		}
	}
	if last.file == "" {
		last = inTest
	}
	return last, ended && last.file != ""
}

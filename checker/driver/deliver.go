package driver

import (
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// Deliveries: what a program delivers in schedules that pass, and what a mutant
// of it delivers when it is guided along the same schedules.

const (
	// At most so many executions are made to find one that passes. Guessed.
	deliverTries = 4
	// deliverTime bounds the search for passing executions of a test, and the
	// guided executions. Guessed.
	deliverTime = 500 * time.Millisecond
	// If nothing is received in so many passing executions, the program delivers
	// nothing. Guessed.
	silence = 10
	// An execution in which more different messages are received is left out.
	// Guessed.
	maxMessages = 500
)

// deliveries are options that count what is received.
func (e *exploration) deliveries() (o sched.Options, end time.Time) {
	o, end = e.options, time.Now().Add(deliverTime)
	o.Deliveries = true
	if !e.end.IsZero() && e.end.Before(end) {
		end = e.end
	}
	o.Stop = func() bool { return !time.Now().Before(end) }
	return o, end
}

// deliver makes executions by the random strategies in turn until enough have
// passed, and answers what was received in each. They do not count as
// executions: a search finds the same without them.
func (e *exploration) deliver() {
	n := e.search.Deliver
	if n <= 0 || e.over() {
		return
	}
	o, end := e.deliveries()
	seen := map[string]bool{}
	silent := 0
	enough := func() bool { return e.over() || silent >= silence || len(e.result.Delivered) >= n }
	take := func(x *sched.Execution) {
		if x.Failure == nil && len(x.Deliveries) == 0 {
			silent++
		}
		choices := sched.FormatChoices(x.Choices)
		if delivered(x) && !enough() && !seen[choices] {
			seen[choices] = true
			e.result.Delivered = append(e.result.Delivered, wire.Delivered{Choices: choices, Start: wire.At(x.Start), Messages: x.Deliveries})
		}
	}
	strategies := []string{"random", "pct", "pos"}
	for i, strategy := range strategies {
		if enough() || !time.Now().Before(end) {
			return
		}
		s := e.searchFor(strategy)
		s.Seed += sampleSeed / 2
		s.Executions, s.Run, s.All, s.Found = n*deliverTries/len(strategies), o, true, nil
		s.Time = max(time.Until(end), 1) / time.Duration(len(strategies)-i)
		s.Execute = func(t sched.Strategy, o sched.Options) *sched.Execution {
			x := e.make(t, o)
			take(x)
			return x
		}
		if _, err := explore.Explore(enough, s, nil); err != nil {
			e.broken = err.Error()
		}
	}
}

// delivered reports whether what an execution received can be compared.
func delivered(x *sched.Execution) bool {
	return x.Failure == nil && !x.Abandoned && !x.Cut && len(x.Deliveries) > 0 && len(x.Deliveries) <= maxMessages
}

// expected guides the program along the schedules of the request whose messages
// are known. The schedules are another program's. Where this one differs there is
// no single right way to go on, so several are tried.
func (e *exploration) expected() bool {
	if len(e.request.Expect) == 0 || e.over() {
		return !e.over()
	}
	o, end := e.deliveries()
	for _, s := range e.request.Expect {
		if s.Test != e.result.Name {
			continue
		}
		choices, err := sched.ParseChoices(s.Choices)
		if err != nil {
			e.broken = "read a schedule whose messages are expected: " + err.Error()
			return false
		}
		for way := range wire.Ways {
			if e.undone() || !time.Now().Before(end) {
				return !e.over()
			}
			if way.Declines() && !e.request.Decline {
				continue
			}
			if s.Start != 0 {
				o.Start = s.Start.Time()
			}
			e.guided(s, choices, way, o)
		}
	}
	return !e.over()
}

// guided makes one execution along choices.
func (e *exploration) guided(s wire.Schedule, choices []sched.Choice, way wire.Way, o sched.Options) {
	guided := explore.NewGuided(choices)
	if way.Declines() {
		guided.Decline()
	}
	if way.HandsOver() {
		guided.HandOver()
	}
	guided.Begin()
	x := e.make(guided, o)
	guided.End(x)
	if x.Failure != nil || x.Abandoned || x.Cut {
		return
	}
	e.result.Delivered = append(e.result.Delivered, wire.Delivered{
		Choices: s.Choices, Start: s.Start, Way: way, Declined: guided.Declined(), Messages: x.Deliveries,
	})
}

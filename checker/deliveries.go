package checker

import (
	"mendel/checker/sched"
	"mendel/checker/wire"
)

// A Delivered is a schedule that passes and the messages that were received
// from channels in it. Search.Deliver asks for some. If the search of a mutant
// gets them as Search.Expect, its report has what the mutant delivers when it is
// guided along the same schedules, once for each way of guiding it.
type Delivered struct {
	Schedule Schedule
	// Way is how a mutant was guided; the zero Way of what was asked for.
	Way wire.Way
	// Declined counts the default cases that a mutant was made to take although a
	// partner was there: in a real execution the partner may be late.
	Declined int
	Messages []sched.Delivery // positions in the source as it was given to Build
}

// expected are the schedules of some tests that were delivered along.
func expected(tests []string, all []Delivered) []wire.Schedule {
	var schedules []Schedule
	for _, d := range all {
		schedules = append(schedules, d.Schedule)
	}
	return of(tests, schedules)
}

// delivered adds what a process says was delivered in a test.
func (r *Report) delivered(c *Checker, test string, answers []wire.Delivered) {
	for _, d := range answers {
		for i := range d.Messages {
			d.Messages[i].File = c.absolute(d.Messages[i].File)
		}
		r.Delivered = append(r.Delivered, Delivered{Schedule{Test: test, Choices: d.Choices, Start: d.Start}, d.Way, d.Declined, d.Messages})
	}
}

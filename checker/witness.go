package checker

import (
	"context"
	"slices"
	"time"

	"mendel/checker/sched"
	"mendel/checker/wire"
)

// Witnessing says which executions of a test to tell in full.
type Witnessing struct {
	Test       string
	Executions int           // by the random strategies, those of Given left out
	Budget     time.Duration // for all of them; 0: 10 s
	Seed       uint64
	Given      []Schedule // followed first; the others go on behind the races of these
}

// A Witness is an execution told in full.
type Witness struct {
	Failure    *Failure // nil: passed. Without trace, schedule and message for people
	Given      bool     // it follows one of Witnessing.Given
	Goroutines []string
	Events     []WitnessEvent
}

// A WitnessEvent is a step of an execution, or a plain access to memory.
type WitnessEvent struct {
	G         int
	Kind      sched.Kind // of an access sched.KindAccess
	Object    int32      // what it is done on, the same number for the same object within an execution; 0: none
	Operation string     // "Mutex.Lock", "channel send"; of an access "read" or "write"
	Frame     sched.Frame
	Stack     []sched.Frame // of an access, some frames, innermost first; not to be changed
	With      int           // the other goroutine that took part, as sched.Event has it; -1: none
	Took      bool          // as sched.Event has it
	Memory    bool          // an access: Object numbers what is accessed, apart from other objects
	Write     bool          // that changes it
}

// Witness makes executions of a test and tells them in full, with the accesses to
// memory made while other goroutines were there. The executions are made in one
// process; reason says why there are none, or fewer than there might be.
func (b *Binary) Witness(ctx context.Context, w Witnessing) (all []Witness, reason string, err error) {
	if _, err := b.tests([]string{w.Test}); err != nil {
		return nil, "", err
	}
	for _, s := range w.Given {
		if err := s.check(); err != nil {
			return nil, "", err
		}
	}
	c := b.checker
	release, err := c.acquire(ctx)
	if err != nil {
		return nil, "", err
	}
	defer release()
	if w.Budget == 0 {
		w.Budget = defaultBudget
	}
	var got *wire.Test
	p, err := b.start(ctx, wire.Request{
		Mode:  wire.Witness,
		Tests: []string{w.Test},
		First: of([]string{w.Test}, w.Given),
		Search: wire.Search{
			Executions: w.Executions, Time: w.Budget, Seed: w.Seed, StepTime: maxStepTime,
			Patience: c.c.Patience, TrustTests: c.c.TrustTests, Start: wire.At(c.start),
		},
	}, time.Now().Add(w.Budget+overtime), func(a wire.Answer) {
		if a.Test != nil && a.Test.Witnessed != nil {
			got = a.Test
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	switch {
	case err != nil:
		return nil, "", err
	case got == nil:
		reason, _ = c.exitReason(&p)
		return nil, reason, nil
	}
	c.schedules.Add(int64(len(got.Witnessed.Executions)))
	return b.witnessed(got), got.Reason, nil
}

// witnessed are the executions of an answer.
func (b *Binary) witnessed(t *wire.Test) []Witness {
	w := t.Witnessed
	frames := slices.Clone(w.Frames)
	for i := range frames {
		frames[i].File, frames[i].Function = b.checker.absolute(frames[i].File), declared(frames[i].Function)
	}
	var stacks [][]sched.Frame
	for _, numbers := range w.Stacks {
		stack := []sched.Frame{}
		for _, n := range numbers {
			stack = append(stack, frames[n])
		}
		stacks = append(stacks, stack)
	}
	var all []Witness
	for _, x := range w.Executions {
		one := Witness{Given: x.Given, Goroutines: x.Goroutines}
		if x.Failure != nil {
			f := b.failure(t.Name, wire.Failure{Failure: *x.Failure, Goroutines: x.Goroutines})
			one.Failure = &f
		}
		for e := range slices.Chunk(x.Events, wire.WitnessFields) {
			if len(e) < wire.WitnessFields || e[3] >= len(w.Operations) || e[4] >= len(stacks) {
				break // not written by the driver
			}
			var frame sched.Frame
			if stack := stacks[e[4]]; len(stack) > 0 {
				frame = stack[0]
			}
			one.Events = append(one.Events, WitnessEvent{
				G: e[0], Kind: sched.Kind(e[1]), Object: int32(e[2]), Operation: w.Operations[e[3]], Frame: frame, Stack: stacks[e[4]], With: e[5],
				Took: e[6]&wire.Took != 0, Memory: e[6]&wire.Memory != 0, Write: e[6]&wire.Write != 0,
			})
		}
		all = append(all, one)
	}
	return all
}

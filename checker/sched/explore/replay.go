package explore

import (
	"fmt"

	"mendel/checker/sched"
)

// A Replay makes one execution along recorded choices. Diverged reports every
// difference from the recording. A body that diverges depends on something that is
// not part of the schedule (time, an unordered map, a variable that an earlier
// execution changed).
type Replay struct {
	choices  []sched.Choice
	next     int
	begun    bool
	diverged string
}

// NewReplay returns the strategy for one execution along choices.
func NewReplay(choices []sched.Choice) *Replay { return &Replay{choices: choices} }

// Begin implements [sched.Strategy]: true once.
func (r *Replay) Begin() bool {
	first := !r.begun
	r.begun = true
	return first
}

// Next implements [sched.Strategy].
func (r *Replay) Next(enabled []sched.Pending, _ int, _ bool) int {
	want, ok := r.take()
	switch {
	case !ok:
		return -1
	case want.Kind == sched.Number:
		return r.diverge("step %d chooses a goroutine, the schedule a number", r.next)
	case want.Kind == sched.Admission:
		return r.diverge("at step %d of the schedule goroutine %d comes from outside control, which it does not here", r.next, want.N)
	case want.Kind == sched.ClockBegins:
		return r.diverge("at step %d of the schedule a timer is used for the first time", r.next)
	case want.Kind == sched.Expiry:
		return r.diverge("at step %d of the schedule a timer expires, which none can here", r.next)
	case want.Kind != sched.Step:
		return r.diverge("at step %d of the schedule time passes, which it cannot here", r.next)
	}
	i := sched.Index(enabled, want.N)
	if i < 0 {
		return r.diverge("at step %d goroutine %d of the schedule cannot go on", r.next, want.N)
	}
	return i
}

// Expire implements [sched.Timekeeper].
func (r *Replay) Expire(n int, idle bool) int {
	switch next, _ := r.Peek(); {
	case next.Kind == sched.Expiry && next.N < n, next.Kind == sched.TimePassed && !idle:
		r.next++
		return next.N
	case !idle:
		return -1
	}
	want, ok := r.take()
	switch {
	case !ok:
	case want.Kind == sched.Expiry:
		r.diverge("at step %d the schedule has timer %d of %d expire", r.next, want.N, n)
	default:
		r.diverge("at step %d only a timer can expire, which it does not in the schedule", r.next)
	}
	return -1
}

// Peek implements [sched.Follower].
func (r *Replay) Peek() (sched.Choice, bool) {
	if r.diverged != "" || r.next == len(r.choices) {
		return sched.Choice{}, false
	}
	return r.choices[r.next], true
}

// Take implements [sched.Recorded].
func (r *Replay) Take() { r.next++ }

// Left implements [sched.Recorded].
func (r *Replay) Left() int { return len(r.choices) - r.next }

// Choose implements [sched.Strategy].
func (r *Replay) Choose(n int) int {
	want, ok := r.take()
	switch {
	case !ok:
		return 0
	case want.Kind != sched.Number:
		r.diverge("step %d chooses a number, the schedule does not", r.next)
		return 0
	case want.N < 0 || want.N >= n:
		r.diverge("at step %d the schedule chooses %d of %d", r.next, want.N, n)
		return 0
	}
	return want.N
}

// take returns the next recorded choice; false once the replay has diverged.
func (r *Replay) take() (sched.Choice, bool) {
	if r.diverged != "" {
		return sched.Choice{}, false
	}
	if r.next == len(r.choices) {
		r.diverge("the execution goes on after the %d steps of the schedule", len(r.choices))
		return sched.Choice{}, false
	}
	r.next++
	return r.choices[r.next-1], true
}

func (r *Replay) diverge(format string, args ...any) int {
	if r.diverged == "" {
		r.diverged = fmt.Sprintf(format, args...)
	}
	return -1
}

// End implements [sched.Strategy].
func (r *Replay) End(*sched.Execution) {
	if r.diverged == "" && r.next < len(r.choices) {
		r.diverge("the execution ends after %d of the %d steps of the schedule", r.next, len(r.choices))
	}
}

// Diverged reports how the execution differed from the recording, "" if it did
// not. It is meaningful after End.
func (r *Replay) Diverged() string { return r.diverged }

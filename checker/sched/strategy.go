package sched

import "unsafe"

// A Strategy explores schedules. Run calls Next and Choose; whoever calls Run
// calls Begin before it and End after it. A strategy must not use anything
// that is instrumented.
//
// The other interfaces of this file are for strategies that want to know or to decide
// more. Run asks once for each.
type Strategy interface {
	// Begin starts an execution; false when there is nothing left to explore.
	Begin() bool
	// Next chooses among the enabled operations (at least one, by ascending G).
	// current is the goroutine that made the last step, -1 at first; yielding
	// reports that it asked to be passed over. The result is an index into
	// enabled, or -1 to abandon the execution as redundant. The slice must not
	// be changed and is reused after the call.
	Next(enabled []Pending, current int, yielding bool) int
	// Choose picks a number below n.
	Choose(n int) int
	// End is called with the execution when it has ended.
	End(x *Execution)
}

// A Watcher is a Strategy that must also know what blocked goroutines wait
// for: without it no partial-order reduction of blocking operations is sound.
type Watcher interface {
	Strategy
	// Blocked is called just before each Next and at quiescence, with the pending
	// operations that are not enabled, by ascending G. The slice is reused after
	// the call.
	Blocked(pending []Pending)
}

// A Timekeeper is a Strategy that decides which timers expire, and which of them
// before goroutines that could go on. That happens in a real program whose
// goroutines wait for a processor. If time-outs are believed (Options.Patience), an
// execution computes for at most a millisecond of virtual time in all, so that a
// test's own time limits remain useful.
type Timekeeper interface {
	Strategy
	// Expire returns which of n timers expires before the next decision. If idle,
	// nothing else could go on, and one must; -1 abandons the execution. Else -1 is
	// for none. It is asked until then.
	Expire(n int, idle bool) int
}

// A ClockChooser is a Strategy for which the clock is one of the goroutines, with
// G TheClock. Its operation comes last of those that are enabled.
type ClockChooser interface {
	Strategy
	ChoosesClock()
}

// A Follower is a Strategy that has recorded choices before it.
type Follower interface {
	Strategy
	// Peek returns the recorded choice that comes next; false if there is none, or if
	// the execution has come to differ from the recording.
	Peek() (Choice, bool)
}

// A Recorded is a Follower that makes what was recorded and nothing else. What is no
// decision of a strategy the engine makes as it was recorded: it waits for goroutines
// from outside control, and reads whether timers are choices.
type Recorded interface {
	Follower
	// Take passes over the choice that comes next, which the execution has made.
	Take()
	// Left is how many choices are left. An execution may come from an engine that goes
	// on for longer, or with more steps: while some are left it is not ended for that.
	Left() int
}

// A Selector is a Strategy that may settle what a select does without choosing a number.
type Selector interface {
	Strategy
	// Select returns one of the cases of g's select that can be done, or, if declinable,
	// Default; Unsettled leaves it to Choose.
	Select(g int, ready []int, declinable bool) int
}

// What a [Selector] returns that is no case.
const (
	Default   = -1 // the default case
	Unsettled = -2
)

// A Viewer is a Strategy that looks at more of an execution than it is asked about.
type Viewer interface {
	Strategy
	// View is called when an execution begins. The view holds until it ends.
	View(v View)
}

// A Recorder is a Viewer that is told what goroutines do and see, each by its ID. It
// must not ask the engine for anything but the view.
type Recorder interface {
	Viewer
	// Created is told of a new goroutine, which has announced its first operation, and
	// of the one that created it; -1: none under control.
	Created(g, by int)
	// Announced is told that g is about to do View.Op(g), and has ended what it did.
	Announced(g int)
	// Began is told that g does what it has announced.
	Began(g int)
	// Accessed is told of an access of g to memory.
	Accessed(g int, p unsafe.Pointer, size uintptr, how Mode)
	// Cases and Partners say, before Choose, that the number is one of these cases of
	// a select, Default included, or of these that wait for a partner; nil: no longer.
	Cases(ready []int)
	Partners(waiting []Offer)
	// Communicated is told that g has done one of its offers, -1 being the default case,
	// and of the goroutine that it met, if the channel is unbuffered and open.
	Communicated(g, offer, met int)
	// Ended is told of the end of g, unless the execution fails by it.
	Ended(g int)
}

// A Forgetter is a Recorder that wants to know where goroutines forget what they have seen.
type Forgetter interface {
	Recorder
	// Recall returns what stands for all that g has seen so far; false if it is unknown.
	Recall(g int) (history uint64, ok bool)
	// Forget is told that g has forgotten what it saw since.
	Forget(g int, history uint64)
}

// A View is what a strategy may see of an execution beyond what it is asked about.
type View struct{ x *execution }

// Enabled are the operations among which a strategy will be asked to choose next. They
// must not be changed.
func (v View) Enabled() []Pending { return v.x.ready.enabled }

// Frames are those of the program where a goroutine has announced its operation, with
// Options.Trace, innermost first. They must not be changed.
func (v View) Frames(g int) []Frame { return v.x.goroutines[g].position.frames() }

// Alive are the goroutines that have not ended, by ascending ID.
func (v View) Alive() (all []int) {
	for _, g := range v.x.alive {
		all = append(all, g.id)
	}
	return all
}

// Pending is the operation of a goroutine as it would be among the enabled ones now.
func (v View) Pending(g int) Pending { return *v.x.goroutines[g].look() }

// Op is what a goroutine has announced. It must not be changed.
func (v View) Op(g int) *Op { return &v.x.goroutines[g].pending }

// Offers is how many communications the operation of a goroutine offers.
func (v View) Offers(g int) int { return len(v.x.goroutines[g].waiters) }

// Offer returns one of them.
func (v View) Offer(g, i int) Offer { return Offer{&v.x.goroutines[g].waiters[i]} }

// An Offer is a communication that a goroutine has announced: its send or receive, or a
// case of its select.
type Offer struct{ w *waiter }

// Goroutine is who offers it.
func (o Offer) Goroutine() int { return o.w.g.id }

// Index is which of its goroutine's offers it is.
func (o Offer) Index() int {
	for i := range o.w.g.waiters {
		if &o.w.g.waiters[i] == o.w {
			return i
		}
	}
	return -1
}

// Sends reports whether it is a send.
func (o Offer) Sends() bool { return o.w.send }

// Channel is the channel's object, nil for the nil channel, which has none.
func (o Offer) Channel() *Object {
	if o.w.c == nil {
		return nil
	}
	return &o.w.c.object
}

// Filled reports whether the channel's buffer has a value.
func (o Offer) Filled() bool { return o.w.c.count > 0 }

// Ticks reports whether a timer sends on the channel.
func (o Offer) Ticks() bool { return o.w.c.timers }

// Ways is in how many ways it could be done now.
func (o Offer) Ways() int { return o.w.options(o.w.g.waiting) }

// ID is the object's number in the execution, from 1.
func (o *Object) ID() int32 { return o.id }

// Unbuffered reports whether the object is that of a channel without a buffer.
func (o *Object) Unbuffered() bool {
	return o.channel && (*channel)(unsafe.Pointer(o)).capacity == 0
}

// Bit is the bit of a channel in Pending.Channels.
func (o *Object) Bit() uint64 { return 1 << (o.id % 64) }

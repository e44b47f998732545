package sched

import (
	"sync"
	"unsafe"
)

// Packages make channels when they are initialised, before there is an execution. One
// whose body initialises the program anew makes its own. One that goes on from the
// state in which the process began (Options.Inherit) takes over those that are there,
// with the values in them, when it meets them.

// bequest are the channels that were made outside control before the first execution,
// with what makes their state. They are kept alive, so that their addresses stand for
// them.
var bequest struct {
	sync.Mutex
	channels map[unsafe.Pointer]func() *channel
}

// bequeath notes a channel that was made outside control.
func bequeath[T any](c chan T) {
	if serials.Load() > 0 {
		return // nobody inherits what was made later
	}
	bequest.Lock()
	defer bequest.Unlock()
	if bequest.channels == nil {
		bequest.channels = map[unsafe.Pointer]func() *channel{}
	}
	bequest.channels[channelOf(c)] = func() *channel { return takenOver(c) }
}

// takenOver returns the state of a channel that nobody uses any more but by that, with
// the values that were in it.
func takenOver[T any](c chan T) *channel {
	state := newChannel(c, cap(c))
	for {
		v := *new(T)
		switch got, ok := take[T](state.real, unsafe.Pointer(&v)); {
		case !got:
			return state
		case !ok:
			state.closed = true
			return state
		}
		state.move(state.slot(state.count), unsafe.Pointer(&v))
		state.count++
	}
}

// inherit takes over a channel, if that is possible: goroutines that were started early
// may be waiting for the real one.
func (x *execution) inherit(real unsafe.Pointer) *channel {
	if !x.options.Inherit || startedEarly.Load() {
		return nil
	}
	bequest.Lock()
	take := bequest.channels[real]
	bequest.Unlock()
	if take == nil {
		return nil
	}
	state := take()
	x.enrol(state)
	return state
}

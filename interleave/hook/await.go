package hook

import (
	"runtime"
	"time"

	"mendel/fitness/noise/hook"
)

const (
	// shortest and longest are the pauses of a goroutine that is held.
	shortest = 50 * time.Microsecond
	longest  = time.Millisecond
	// yields are how often it yields before it pauses.
	yields = 32
	// looks are how many dumps in a row must show that nothing else can go on.
	looks = 2
	// external is how long a goroutine is held at most while the others sleep or wait
	// for something outside the program: the paper's unit for asynchronous events.
	external = 100 * time.Millisecond
	// share is the part of a script's patience that a single hold may take.
	share = 5
)

// force is the state of a run that forces something. Its words are changed under
// its lock alone, but for those that are reached by atomic operations.
var force struct {
	forced  uint64 // 1: a script is being forced
	lock    uint64
	looking uint64 // a goroutine looks what the others do
	late    bool
	machine machine
	left    time.Duration // of the patience
	busy    time.Duration // how long a goroutine is held at most while others compute
}

// engage begins to force a script.
func engage(s Script) {
	force.machine.begin(s)
	force.late = s.Late
	force.left = time.Duration(s.Patience) * time.Millisecond
	force.busy = force.left / share
	store(&force.forced, 1)
}

//go:norace
func lock() {
	for !swapped(&force.lock, 0, 1) {
		runtime.Gosched()
	}
}

// unlock tells the log how far the forcing is, too.
//
//go:norace
func unlock() {
	m, h := &force.machine, recorder.header
	if m.exposed {
		h.Exposed = 1
	}
	h.GaveUp, h.Held = m.gaveUp, m.holds
	store(&force.lock, 0)
}

// arrive holds the calling goroutine before an access, as long as the script wants.
//
//go:norace
func arrive(site uint32, object uint64) {
	if delays.rate != 0 {
		delay()
	}
	if load(&force.forced) == 0 {
		return
	}
	completed() // what it did before
	if !force.machine.concerned(site, object) {
		return
	}
	id := self()
	lock()
	held := force.machine.arrive(id, site, object)
	unlock()
	if held {
		await(id)
	}
}

// late holds the calling goroutine at its beginning, in runs in which goroutines
// begin late.
//
//go:norace
func late() {
	if load(&force.forced) == 0 || !force.late {
		return
	}
	id := self()
	lock()
	held := force.machine.late(id)
	unlock()
	if held {
		await(id)
	}
}

// completed is a moment after the last access of the calling goroutine.
//
//go:norace
func completed() {
	if load(&force.forced) != 0 && force.machine.going != 0 {
		went(self())
	}
}

// went tells the machine that a goroutine has made the access before.
//
//go:norace
func went(id uint64) {
	if force.machine.going != id {
		return
	}
	lock()
	force.machine.went(id)
	unlock()
}

// await returns when the calling goroutine is no longer held.
//
//go:norace
func await(id uint64) {
	pause := shortest
	for n := 0; held(id); n++ {
		if n < yields {
			runtime.Gosched()
			continue
		}
		if swapped(&force.looking, 0, 1) {
			look()
			store(&force.looking, 0)
		}
		if held(id) {
			hook.Rest(pause)
			pause = min(2*pause, longest)
		}
	}
	lock()
	force.machine.leaves(id)
	unlock()
}

//go:norace
func held(id uint64) bool {
	lock()
	h := force.machine.isHeld(id)
	unlock()
	return h
}

// view is what was seen of the other goroutines, by whoever looks.
var view struct {
	passed uint64 // hooks, at the last look
	state  uint64 // of the machine: so many goroutines had been held
	still  int    // looks in a row at which nothing could go on
	since  time.Time
}

// look tells the machine when nothing else can go on. Only one goroutine looks at a
// time.
//
//go:norace
func look() {
	var ids [maxHeld]uint64
	going, state := heldNow(&ids)
	if state != view.state {
		view.state, view.still, view.since = state, 0, time.Now()
	}
	waited := time.Since(view.since)
	s := hook.View{Moving: true}
	if n := load(&passed); n != view.passed {
		view.passed = n
	} else {
		s = hook.Survey(ids[:], going)
	}
	switch {
	case s.Asked && going != 0:
		went(going) // it is blocked or gone
		return
	case s.Moving && waited < force.busy, s.Waiting && !s.Moving && waited < min(external, force.busy):
		view.still = 0
		return
	case s.Moving || s.Waiting:
		force.left -= waited
	default:
		if view.still++; view.still < looks {
			return
		}
	}
	lock()
	force.machine.spent = force.machine.spent || force.left < 0
	force.machine.still()
	unlock()
	view.still, view.since = 0, time.Now()
}

// heldNow copies the numbers of the goroutines that are held, and tells which one is
// making a step; 0 if none is, or it has not woken up yet.
//
//go:norace
func heldNow(ids *[maxHeld]uint64) (going, state uint64) {
	lock()
	for i := range ids {
		ids[i] = force.machine.held[i].id
	}
	if state = force.machine.holds; !force.machine.leaving {
		going = force.machine.going
	}
	unlock()
	return going, state
}

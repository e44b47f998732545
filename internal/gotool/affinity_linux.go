//go:build linux && !portable

package gotool

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// crowd is how many processes of one run may be on all processors. Few tests
// have as many, and the tools of a build have them where one processor less
// does not matter. Guessed.
const crowd = 16

// gather keeps the members, once they are a crowd, off one processor.
// Otherwise a thread of ours that has to run before they can be counted and
// killed, if only to collect garbage, waits for its turn among hundreds of
// theirs, which fork meanwhile. Priorities would not do: the kernel may compare
// them within a session only.
//
// The processor is the one on which this runs. Nothing of theirs does at the
// time, and what does not run is moved without waiting for it.
//
// A child that a member is just about to start may get away. It is kept off
// when it is found (see look).
func (m *members) gather() {
	if len(m.known) > crowd && m.free < 0 {
		m.free = processor()
		m.eachMarked(m.keepOff)
	}
}

// keepOff keeps a thread, and what it starts from now on, off the free
// processor, unless it may use no other.
func (m *members) keepOff(id int) {
	var may unix.CPUSet
	if unix.SchedGetaffinity(id, &may) == nil && may.IsSet(m.free) {
		may.Clear(m.free)
		_ = unix.SchedSetaffinity(id, &may) // fails for the empty set
	}
}

// processor is the one on which this thread runs.
func processor() int {
	var cpu uint32 // stays 0 if the system does not tell
	_, _, _ = unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0)
	return int(cpu)
}

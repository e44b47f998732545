//go:build linux && !portable

package gotool

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// affinityThreshold is how many processes of one run may use all processors.
// Few tests have as many, and the tools of a build have them where one
// processor less does not matter. Guessed.
const affinityThreshold = 16

// restrictAffinity keeps the members off one processor once they are more than
// affinityThreshold. Otherwise a thread of ours that has to run before they can
// be counted and killed, if only to collect garbage, waits for its turn among
// hundreds of theirs, which fork meanwhile. Priorities would not help: the
// kernel may compare them within a session only.
//
// The processor is the one on which this function runs. None of the members
// runs there at that time, and moving a thread that does not run takes no wait.
//
// A child that a member is just about to start may escape. It is restricted
// when it is found (see look).
func (m *members) restrictAffinity() {
	if len(m.known) > affinityThreshold && m.reserved < 0 {
		m.reserved = processor()
		m.eachMarked(m.keepOff)
	}
}

// keepOff keeps a thread, and what it starts from now on, off the reserved
// processor, unless it may use no other.
func (m *members) keepOff(id int) {
	var may unix.CPUSet
	if unix.SchedGetaffinity(id, &may) == nil && may.IsSet(m.reserved) {
		may.Clear(m.reserved)
		_ = unix.SchedSetaffinity(id, &may) // fails for the empty set
	}
}

// processor is the one on which this thread runs.
func processor() int {
	var cpu uint32 // stays 0 if the system call fails
	_, _, _ = unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0)
	return int(cpu)
}

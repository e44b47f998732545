//go:build linux && !portable

package gotool

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// The mark's place is a resource limit: inherited through fork, exec and
// setsid, kept when the environment is cleared and the parent ends, read with
// one system call, and noticed by nobody. RLIMIT_RTTIME, in microseconds,
// is only for processes with a real-time scheduling policy; a mark stands for
// more than a hundred thousand years. A process may lower it, which takes intent.

// set marks a process and what it starts from now on.
func (m mark) set(pid int) error {
	limit := unix.Rlimit{Cur: uint64(m), Max: uint64(m)}
	if err := unix.Prlimit(pid, unix.RLIMIT_RTTIME, &limit, nil); err != nil {
		return fmt.Errorf("mark process %d: %w", pid, err)
	}
	return nil
}

// markOf reads the mark of a process, or of the process of a thread. Of other
// users' processes it cannot know.
func markOf(pid int) (mark, bool) {
	var limit unix.Rlimit
	err := unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &limit)
	if err != nil || limit.Max < markLeast || limit.Max == unix.RLIM_INFINITY {
		return 0, false
	}
	return mark(limit.Max), true
}

// on reports whether a process has the mark.
func (m mark) on(pid int) bool {
	found, ok := markOf(pid)
	return ok && found == m
}

// ownMark is the mark of this process; 0 if it has none.
func ownMark() mark {
	m, _ := markOf(0)
	return m
}

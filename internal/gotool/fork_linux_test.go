package gotool

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// forkForEver forks without exec, as fast as the kernel can, each child in a
// session of its own: as "relay" one after the other, as "bomb" all of them on.
// To spare the machine if it is not stopped, a line of descent ends after some
// generations.
func forkForEver(mode string) {
	relay := mode == "relay"
	generations, born := 11, 0 // a binary tree: 2^11 processes
	switch {
	case relay:
		generations = 200_000
	case os.Geteuid() > 0:
		generations = 9 // without root's priority it can take long to end more
	}
	for born < generations {
		born++
		child := rawFork()
		if child == 0 {
			syscall.RawSyscall(syscall.SYS_SETSID, 0, 0, 0)
		} else if relay {
			syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
		}
	}
	// Those of a bomb that had their children go on to take time, for longer than
	// a busy machine needs to count them.
	for end := time.Now().Add(30 * time.Second).Unix(); ; {
		if now := (unix.Timespec{}); unix.ClockGettime(unix.CLOCK_REALTIME, &now) != nil || now.Sec > end {
			syscall.RawSyscall(syscall.SYS_KILL, uintptr(syscall.Getpid()), uintptr(syscall.SIGKILL), 0)
		}
	}
}

// rawFork returns twice, in the child with 0. The child has one thread of the
// Go runtime and must not let it do anything.
func rawFork() uintptr {
	child, _, _ := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0)
	return child
}

package hook

import (
	"syscall"
	"time"
)

// pause makes the calling thread sleep.
//
//go:norace
func pause(d time.Duration) {
	spec := syscall.NsecToTimespec(int64(d))
	syscall.Nanosleep(&spec, nil)
}

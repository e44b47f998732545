//go:build unix

package sched

import (
	"syscall"
	"time"
)

// processorTime is what the process has used of processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return unknownTime()
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

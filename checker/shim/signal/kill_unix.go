//go:build unix

package signal

import (
	"syscall"

	"mendel/checker/sched"
)

// Kill is syscall.Kill.
func Kill(pid int, sig syscall.Signal) error {
	if pid == syscall.Getpid() && deliver(sig, "syscall.Kill") {
		return nil
	}
	return sched.UncontrolledCall(syscall.Kill, "syscall.Kill sends a signal")(pid, sig)
}

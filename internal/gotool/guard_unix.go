//go:build unix

package gotool

import "syscall"

// apart starts a process where the signals of a terminal do not reach it.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

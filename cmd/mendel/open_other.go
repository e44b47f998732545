//go:build !unix

package main

import "syscall"

// detached makes a process outlive the terminal that it was started from.
func detached() *syscall.SysProcAttr { return nil }

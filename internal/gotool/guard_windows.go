package gotool

import "syscall"

// apart starts a process where the signals of a console do not reach it.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

package gotool

import "golang.org/x/sys/unix"

// totalMemory is how many bytes of memory the machine has; 0 if unknown.
func totalMemory() int64 {
	size, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(size)
}

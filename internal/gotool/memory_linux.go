package gotool

import "golang.org/x/sys/unix"

// totalMemory is how many bytes of memory the machine has; 0 if unknown.
func totalMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}

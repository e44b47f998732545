package trial

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// ResetPeakMemory starts a new measurement: memory that earlier work left
// behind is given back, and the kernel forgets the old peak.
func ResetPeakMemory() {
	debug.FreeOSMemory()
	// 5 resets VmHWM (proc_pid_clear_refs(5)). Where that is forbidden the
	// peak is that of the whole process so far: too high, never too low.
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// PeakMemory is the most memory this process has had resident since
// ResetPeakMemory, in bytes; 0 if the system does not tell.
func PeakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		value, ok := strings.CutPrefix(line, "VmHWM:")
		if !ok {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		if err != nil {
			return 0
		}
		return kib << 10
	}
	return 0
}

//go:build !linux

package trial

import (
	"runtime"
	"runtime/debug"
)

// ResetPeakMemory gives memory that earlier work left behind back to the system.
func ResetPeakMemory() { debug.FreeOSMemory() }

// PeakMemory is the memory the Go runtime has obtained from the system so far,
// in bytes: an upper bound of what was in use.
func PeakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}

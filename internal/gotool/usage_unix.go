//go:build unix

package gotool

import (
	"os"
	"runtime"
	"syscall"
)

// usageOf reads what the system counted for a process that was waited for.
func usageOf(state *os.ProcessState) usage {
	if state == nil { // never started
		return usage{}
	}
	u := usage{cpu: state.UserTime() + state.SystemTime()}
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		u.maxRSS, u.switches = int64(r.Maxrss), int64(r.Nvcsw)
		if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
			u.maxRSS <<= 10 // elsewhere in kilobytes
		}
	}
	return u
}

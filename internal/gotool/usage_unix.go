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

// onlyDir are flags to open a directory and nothing that has taken its place,
// such as a pipe, for which one would wait.
const onlyDir = os.O_RDONLY | syscall.O_DIRECTORY | syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// occupied is what a file takes on the disk, in bytes: of one with holes less
// than its size.
func occupied(info os.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(s.Blocks) * 512
	}
	return info.Size()
}

//go:build linux && !portable

package gotool

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// A process is what /proc tells of one.
type process struct {
	pid, parent, group, session int
	dead                        bool   // a zombie: ended, not yet waited for
	start                       uint64 // clock ticks since boot; with pid it names a process for good
	resident                    int64  // bytes
}

// readProcesses reads all processes that started when first did or later:
// what is older is not its descendant. With newer, only ids above first's are
// looked at.
func readProcesses(first process, newer bool) ([]process, error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var all []process
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || newer && pid < first.pid {
			continue // not a process, or none of interest
		}
		if p, err := readProcess(pid); err == nil && p.start >= first.start {
			all = append(all, p) // an error: it is gone, or hidden from us
		}
	}
	return all, nil
}

// lastPID is the id the system gave out last; 0 if it does not tell.
func lastPID() int {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(data)
	if len(fields) == 0 {
		return 0
	}
	pid, err := strconv.Atoi(string(fields[len(fields)-1]))
	if err != nil {
		return 0
	}
	return pid
}

func readProcess(pid int) (process, error) {
	// Every run reads this of many processes: spare what os.ReadFile adds to
	// the three system calls.
	fd, err := unix.Open(procFile(pid, "stat"), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return process{}, err
	}
	defer unix.Close(fd)
	var buf [1024]byte // 52 numbers and a name of at most 64 bytes
	n, err := unix.Read(fd, buf[:])
	if err != nil {
		return process{}, err
	}
	return parseStat(buf[:n])
}

// errStat is for a /proc/PID/stat unlike proc_pid_stat(5).
var errStat = errors.New("unexpected format of /proc/PID/stat")

// parseStat parses /proc/PID/stat, see proc_pid_stat(5).
func parseStat(data []byte) (process, error) {
	// The second field, the command's name in parentheses, may have any character.
	open, shut := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 0 || shut < open {
		return process{}, errStat
	}
	fields := bytes.Fields(data[shut+1:])
	// The manual numbers fields from 1; the first here is its third.
	const state, parent, group, session, start, resident = 0, 1, 2, 3, 19, 21
	if len(fields) <= resident {
		return process{}, errStat
	}
	var problem error
	number := func(text []byte) int64 {
		n, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			problem = fmt.Errorf("%w: %w", errStat, err)
		}
		return n
	}
	p := process{
		pid:      int(number(bytes.TrimSpace(data[:open]))),
		parent:   int(number(fields[parent])),
		group:    int(number(fields[group])),
		session:  int(number(fields[session])),
		dead:     fields[state][0] == 'Z' || fields[state][0] == 'X',
		start:    uint64(number(fields[start])),
		resident: number(fields[resident]) * int64(os.Getpagesize()),
	}
	return p, problem
}

// hasVariable reports whether a process was started with an environment
// variable. Of other users' processes it cannot know.
func hasVariable(pid int, name string) bool {
	env, err := os.ReadFile(procFile(pid, "environ"))
	if err != nil {
		return false
	}
	name += "="
	return bytes.HasPrefix(env, []byte(name)) || bytes.Contains(env, []byte("\x00"+name))
}

func procFile(pid int, name string) string {
	return "/proc/" + strconv.Itoa(pid) + "/" + name
}

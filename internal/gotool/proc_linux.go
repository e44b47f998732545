//go:build linux && !portable

package gotool

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// A process is what /proc shows of one.
type process struct {
	pid, parent, group, session int
	dead                        bool   // a zombie: ended, not yet waited for
	start                       uint64 // clock ticks since boot; with pid it names a process for good
	resident                    int64  // bytes
}

// readProcesses reads all processes that started when first did or later:
// what is older is not its descendant. With newer, only ids from first's on are
// looked at. vanished reports that one of them was gone before it could be read.
func readProcesses(first process, newer bool) (all []process, vanished bool, err error) {
	each := eachPID
	if newer {
		each = func(do func(pid int)) error { return eachSince(first.pid, do) }
	}
	var r statReader
	err = each(func(pid int) {
		p, err := r.read(pid)
		switch {
		case err != nil: // or hidden from us
			vanished = true
		case p.start >= first.start:
			all = append(all, p)
		}
	})
	return all, vanished, err
}

// idsAtMost is up to how many process ids are tried one by one: a microsecond each,
// where the directory of all processes takes several for each that there is.
const idsAtMost = 1 << 10

// eachSince calls do for each process with the id first or a higher one. It goes
// through the ids until it has caught up: the child of a process that ends
// meanwhile has a higher id than that.
func eachSince(first int, do func(pid int)) error {
	last := lastPID()
	if last < first || last-first > idsAtMost {
		return eachPID(func(pid int) {
			if pid >= first {
				do(pid)
			}
		})
	}
	for id := first; id <= last; last = lastPID() {
		for ; id <= last; id++ {
			if isProcess(id) {
				do(id)
			}
		}
	}
	return nil
}

// isProcess reports whether an id is that of a process, not of another thread.
func isProcess(id int) bool { return unix.Tgkill(id, id, 0) != unix.ESRCH }

// eachPID calls do for each process there is.
func eachPID(do func(pid int)) error {
	proc, err := os.Open("/proc")
	if err != nil {
		return err
	}
	defer proc.Close()
	for {
		names, err := proc.Readdirnames(512)
		for _, name := range names {
			if pid, err := strconv.Atoi(name); err == nil {
				do(pid)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// lastPID is the id the system gave out last; 0 if it is not known.
func lastPID() int {
	fields := loadavg()
	if len(fields) < 5 {
		return 0
	}
	pid, err := strconv.Atoi(string(fields[4]))
	if err != nil {
		return 0
	}
	return pid
}

// allTasks is the number of processes and threads there are; 0 if it is not
// known.
func allTasks() int {
	fields := loadavg()
	if len(fields) < 5 {
		return 0
	}
	_, total, _ := bytes.Cut(fields[3], []byte("/")) // runnable/all
	tasks, err := strconv.Atoi(string(total))
	if err != nil {
		return 0
	}
	return tasks
}

// maxPID is the highest process id there may be; a large number if it is not
// known.
func maxPID() int {
	var buf [32]byte
	data, err := readProc("/proc/sys/kernel/pid_max", buf[:])
	if err == nil {
		if most, err := strconv.Atoi(string(bytes.TrimSpace(data))); err == nil {
			return most
		}
	}
	return math.MaxInt32
}

// loadavg reads the fields of /proc/loadavg, see proc_loadavg(5).
func loadavg() [][]byte {
	var buf [128]byte
	data, err := readProc("/proc/loadavg", buf[:])
	if err != nil {
		return nil
	}
	return bytes.Fields(data)
}

// writtenBy is how many bytes a process, and those it waited for, gave to
// storage and did not take back before they were stored; 0 if that is not known.
// Files in memory do not count.
func writtenBy(pid int) int64 {
	var buf [512]byte
	data, err := readProc(procFile(pid, "io"), buf[:])
	if err != nil {
		return 0
	}
	return max(0, field(data, "write_bytes: ")-field(data, "cancelled_write_bytes: "))
}

// field is the number after a name at the beginning of a line; 0 if there is none.
func field(data []byte, name string) int64 {
	for line := range bytes.Lines(data) {
		if text, ok := bytes.CutPrefix(line, []byte(name)); ok {
			n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
			if err == nil {
				return n
			}
		}
	}
	return 0
}

// readProc reads a file of /proc into a buffer that it fits into. Every run
// reads many of them, so it makes three system calls and no more.
func readProc(name string, buf []byte) ([]byte, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	n, err := unix.Read(fd, buf)
	if err != nil {
		return nil, err
	}
	return buf[:n], nil
}

// A statReader reads about processes, one after the other. It is called thousands
// of times a second and makes no garbage: a collection would stop the reader and
// wait for threads that get no processor when there are many processes.
type statReader [1 << 10]byte // fits 52 numbers and a name of at most 64 bytes

func (r *statReader) read(pid int) (process, error) {
	data, err := readProc(procFile(pid, "stat"), r[:])
	if err != nil {
		return process{}, err
	}
	return parseStat(data)
}

func readProcess(pid int) (process, error) { return new(statReader).read(pid) }

// errStat is for a /proc/PID/stat unlike proc_pid_stat(5).
var errStat = errors.New("unexpected format of /proc/PID/stat")

// parseStat parses /proc/PID/stat, see proc_pid_stat(5).
func parseStat(data []byte) (process, error) {
	// The second field, the command's name in parentheses, may have any character.
	open, shut := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 0 || shut < open {
		return process{}, errStat
	}
	// The manual numbers fields from 1; the first here is its third.
	const state, parent, group, session, start, resident = 0, 1, 2, 3, 19, 21
	var p process
	ok := true
	number := func(text []byte) int64 {
		n, err := strconv.ParseInt(string(text), 10, 64)
		ok = ok && err == nil
		return n
	}
	p.pid = int(number(bytes.TrimSpace(data[:open])))
	i := 0
	for field := range bytes.FieldsSeq(data[shut+1:]) {
		switch i {
		case state:
			p.dead = field[0] == 'Z' || field[0] == 'X'
		case parent:
			p.parent = int(number(field))
		case group:
			p.group = int(number(field))
		case session:
			p.session = int(number(field))
		case start:
			p.start = uint64(number(field))
		case resident:
			p.resident = number(field) * int64(os.Getpagesize())
			if !ok {
				return process{}, errStat
			}
			return p, nil
		}
		i++
	}
	return process{}, errStat // too few
}

// hasVariable reports whether a process was started with an environment
// variable whose name and value begin so. Of other users' processes it cannot know.
func hasVariable(pid int, begin string) bool {
	env, err := os.ReadFile(procFile(pid, "environ"))
	if err != nil {
		return false
	}
	return bytes.HasPrefix(env, []byte(begin)) || bytes.Contains(env, []byte("\x00"+begin))
}

func procFile(pid int, name string) string {
	return "/proc/" + strconv.Itoa(pid) + "/" + name
}

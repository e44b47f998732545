//go:build linux && !portable

package gotool

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// sampleEvery and sampleLeast bound the time between two looks at a group;
	// see watcher.pause.
	sampleEvery = 25 * time.Millisecond
	sampleLeast = time.Millisecond
	// endFor is how long killed processes may take to disappear.
	endFor = 10 * time.Second
	// maxDoubts is how many scans are repeated because a process ended meanwhile.
	maxDoubts = 3
	// spareTasks is what a user may start during a run before the programs
	// under test can fork no more: a stop for those that fork faster than they
	// are counted.
	spareTasks = 4 << 10
)

// A group is a process, the leader, and all its descendants.
type group struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when the leader has ended; it stays a zombie until end

	mu sync.Mutex // of what follows
	members
}

// startGroup starts cmd as the leader of a new session, and so of a new
// process group, without a terminal. Until the leader has ended, look is called
// with what the group takes, and returns the time until the next call.
func startGroup(cmd *exec.Cmd, m mark, look func(*group, load) time.Duration) (*group, error) {
	g := &group{ended: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The program dies with the thread that starts it: keep it for as long.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := g.start(cmd, m)
		started <- err
		if err == nil {
			urgently(func() { g.attend(look) })
			close(g.ended)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return g, nil
}

// attend looks at the group until its leader has ended. The thread does nothing
// else, and waits in the kernel, not among goroutines: it is woken in time even
// when thousands of processes want to run.
func (g *group) attend(look func(*group, load) time.Duration) {
	pause := look(g, load{processes: 1})
	fd, err := unix.PidfdOpen(g.leader.pid, 0)
	if err != nil { // an old kernel
		fd = -1
		pause = sampleLeast
	} else {
		defer unix.Close(fd)
	}
	for !g.endsWithin(fd, pause) {
		next := look(g, g.sample())
		if fd >= 0 {
			pause = next
		}
	}
}

// endsWithin waits for the end of the leader and reports whether it came in time.
func (g *group) endsWithin(fd int, pause time.Duration) bool {
	limit := unix.NsecToTimespec(int64(pause))
	var polled []unix.PollFd
	if fd >= 0 {
		polled = append(polled, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	}
	if _, err := unix.Ppoll(polled, &limit, nil); err != nil && err != unix.EINTR {
		time.Sleep(pause)
	}
	return inState(g.leader.pid, unix.WEXITED|unix.WNOHANG)
}

// sample measures the group.
func (g *group) sample() load {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.members.sample()
}

// scan looks for members, see members.scan.
func (g *group) scan() (alive []process, vanished bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.members.scan()
}

// written is how many bytes the group has given to storage. It may take time:
// the answer about a process that is just becoming another program comes when
// it has become that.
func (g *group) written() (sum int64) {
	g.mu.Lock()
	ids := slices.Collect(maps.Keys(g.known))
	g.mu.Unlock()
	for _, pid := range ids {
		sum += writtenBy(pid)
	}
	return sum
}

// start starts the leader and restricts it before its first instruction, at
// which it is stopped as a debugger would, or, where that is forbidden, a
// moment after.
func (g *group) start(cmd *exec.Cmd, m mark) error {
	plain := *cmd // a command cannot be started twice
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setsid:    true,
		Pdeathsig: syscall.SIGKILL, // even if we are killed
		Ptrace:    true,
	}
	g.cmd = cmd
	err := cmd.Start()
	stopped := err == nil
	if errors.Is(err, syscall.EPERM) {
		g.cmd = &plain
		plain.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
		err = plain.Start()
	}
	if err != nil {
		return err
	}
	pid := g.cmd.Process.Pid
	if stopped {
		inState(pid, unix.WSTOPPED|unix.WEXITED)
	}
	restrict(pid, m)
	// The leader is not reaped before end, so its id cannot mean another process.
	// While it is stopped, nothing about it changes.
	leader, err := readChild(pid)
	if stopped {
		_ = unix.PtraceDetach(pid) // fails if it was killed meanwhile
	}
	if err != nil {
		_ = g.cmd.Process.Kill()
		return errors.Join(fmt.Errorf("look at process %d: %w", pid, err), g.cmd.Wait())
	}
	g.members = newMembers(leader, m)
	return nil
}

// readChild reads a child that is not reaped, and so exists. It was seen once that
// the system did not find it; a thread other than the first may have been becoming
// another program then, as the go command does to choose a toolchain.
func readChild(pid int) (p process, err error) {
	for range 100 {
		p, err = readProcess(pid)
		if !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.ESRCH) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return p, err
}

// restrict marks a process that was just started and sets limits of the kernel
// that no ordinary program reaches. Where one of these fails, the other means
// must do.
func restrict(pid int, m mark) {
	_ = m.set(pid)
	// SIGQUIT makes some programs leave a core file in the user's directory.
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
	// It is the user's processes and threads that are counted, not the run's.
	if tasks := allTasks(); tasks > 0 {
		limitTo(pid, unix.RLIMIT_NPROC, uint64(tasks+spareTasks))
	}
	// If memory runs out faster than it is measured, the kernel should end this
	// process, not Mendel or the user's editor.
	_ = os.WriteFile(procFile(pid, "oom_score_adj"), []byte("1000"), 0)
}

// limitTo lowers a limit and never raises it.
func limitTo(pid, resource int, most uint64) {
	var now unix.Rlimit
	if unix.Prlimit(pid, resource, nil, &now) == nil && most < now.Cur {
		_ = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: now.Max}, nil)
	}
}

// inState waits until a child is in one of these states, and reports whether
// it is. It is not reaped: until then its process id, which is its group's and
// session's too, stays taken.
func inState(pid, states int) bool {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, pid, &info, states|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err != nil || info.Signo != 0
		}
	}
}

// quit asks the leader for a goroutine dump and its end. If it has stopped
// itself, it has to go on for that.
func (g *group) quit() {
	_ = unix.Kill(g.leader.pid, unix.SIGQUIT)
	_ = unix.Kill(g.leader.pid, unix.SIGCONT)
}

// kill kills the process group, which a fork cannot leave, and all other
// descendants of the leader that are known by now.
func (g *group) kill() {
	_ = unix.Kill(-g.leader.pid, unix.SIGKILL)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.members.kill()
}

// end kills the rest of the group when its leader has ended, waits until it is
// gone, and returns the state of the leader.
func (g *group) end() (*os.ProcessState, error) {
	problem := g.clear()
	err := g.cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		problem = errors.Join(problem, err)
	}
	return g.cmd.ProcessState, problem
}

// clear kills members until there are none.
func (g *group) clear() error {
	deadline := time.Now().Add(endFor)
	doubts := 0
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, 20*time.Millisecond) {
		var alive []process
		var vanished bool
		var err error
		urgently(func() {
			g.kill()
			alive, vanished, err = g.scan()
		})
		switch {
		case err != nil:
			return err
		case len(alive) == 0 && (!vanished || doubts == maxDoubts):
			return nil
		case len(alive) == 0:
			doubts++ // processes of others may end all the time
			continue
		case time.Now().After(deadline):
			return fmt.Errorf("%d processes of the program, one with id %d, cannot be killed", len(alive), alive[0].pid)
		}
		doubts = 0
		for _, p := range alive {
			killProcess(p.pid, p.start)
		}
		time.Sleep(pause)
	}
}

// urgently runs do with priority over everything else on the machine, if that is
// permitted: a fair share is too little against thousands of processes.
func urgently(do func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := unix.SchedGetAttr(0, 0)
	if err == nil {
		now := unix.SchedAttr{
			Size:     unix.SizeofSchedAttr,
			Policy:   unix.SCHED_FIFO,
			Flags:    unix.SCHED_FLAG_RESET_ON_FORK,
			Priority: 1,
		}
		if unix.SchedSetAttr(0, &now, 0) == nil {
			defer func() { _ = unix.SchedSetAttr(0, before, 0) }()
		}
	}
	do()
}

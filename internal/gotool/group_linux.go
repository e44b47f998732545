//go:build linux && !portable

package gotool

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// sampleEvery bounds how far a program can overshoot its memory: about
	// 100 MB at the speed at which a kernel hands out pages.
	sampleEvery = 25 * time.Millisecond
	// scanShare bounds the part of a processor spent on looking through
	// /proc for new descendants to 1/scanShare.
	scanShare = 40
	// endFor is how long killed processes may take to disappear.
	endFor = 10 * time.Second
)

// A group is a process, the leader, and all its descendants. Descendants are
// recognised by process group, session, parent, or the environment variable
// that marks the run; one that was seen once stays known.
type group struct {
	cmd    *exec.Cmd
	leader process
	mark   string
	ended  chan struct{}  // closed when the leader has ended; it stays a zombie until end
	known  map[int]uint64 // living members other than zombies: process id to start time

	nextScan time.Time
	wrapped  bool // ids have started again from the lowest since the leader got its
	zombies  int  // members found dead by the last scan
}

// startGroup starts cmd as the leader of a new session, and so of a new
// process group, without a terminal.
func startGroup(cmd *exec.Cmd, mark string) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setsid: true,
		// Dies with us, even if we are killed.
		Pdeathsig: syscall.SIGKILL,
	}
	g := &group{cmd: cmd, mark: mark, ended: make(chan struct{}), known: map[int]uint64{}}
	started := make(chan error)
	go func() {
		// "Us" is the thread that starts the process: keep it for as long.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			waitEnded(cmd.Process.Pid)
			close(g.ended)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	pid := cmd.Process.Pid
	// The leader is not reaped before end, so its id cannot mean another process.
	leader, err := readProcess(pid)
	if err != nil {
		g.kill()
		<-g.ended
		return nil, errors.Join(fmt.Errorf("look at process %d: %w", pid, err), cmd.Wait())
	}
	g.leader = leader
	g.known[pid] = leader.start
	// SIGQUIT makes some programs leave a core file in the user's directory.
	// Where this fails, they may.
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
	return g, nil
}

// waitEnded returns when a child has ended and leaves it to be reaped: until
// then its process id, which is its group's and session's too, stays taken.
func waitEnded(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

// quit asks the leader for a goroutine dump and its end.
func (g *group) quit() { _ = unix.Kill(g.leader.pid, unix.SIGQUIT) }

// kill kills the process group and whatever else of the leader's descendants
// is known by now.
func (g *group) kill() {
	_ = unix.Kill(-g.cmd.Process.Pid, unix.SIGKILL)
	for pid, start := range g.known {
		if pid != g.leader.pid {
			killProcess(pid, start)
		}
	}
}

// killProcess kills the process with this id and start time, and never
// another that got the id since: FindProcess holds on to one process.
func killProcess(pid int, start uint64) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer p.Release()
	if now, err := readProcess(pid); err == nil && now.start == start {
		_ = p.Signal(syscall.SIGKILL)
	}
}

// sample measures the bytes resident in the group and counts its processes.
func (g *group) sample() (memory int64, processes int) {
	if now := time.Now(); now.After(g.nextScan) {
		// Where /proc cannot be read, the processes known are all there are.
		_, _ = g.scan()
		g.nextScan = time.Now().Add(scanShare * time.Since(now))
	}
	for pid, start := range g.known {
		p, err := readProcess(pid)
		if err != nil || p.start != start {
			delete(g.known, pid)
			continue
		}
		memory += p.resident
		processes++
	}
	return memory, processes + g.zombies
}

// scan looks through all processes for members, adds them to known and
// returns those that are alive, without the leader.
func (g *group) scan() ([]process, error) {
	// Ids go up until they wrap around: before that, descendants' are above
	// the leader's, and most processes of the machine need no look.
	g.wrapped = g.wrapped || lastPID() < g.leader.pid
	all, err := readProcesses(g.leader, !g.wrapped)
	if err != nil {
		return nil, err
	}
	member := map[int]bool{g.leader.pid: true}
	for more := true; more; { // until no member's child is left out
		more = false
		for _, p := range all {
			if !member[p.pid] && (member[p.parent] || g.owns(p)) {
				member[p.pid] = true
				more = true
			}
		}
	}
	g.zombies = 0
	var alive []process
	for _, p := range all {
		switch {
		case !member[p.pid] || p.pid == g.leader.pid:
		case p.dead:
			g.zombies++
		default:
			g.known[p.pid] = p.start
			alive = append(alive, p)
		}
	}
	return alive, nil
}

// owns reports whether a process shows by itself that it is a member.
func (g *group) owns(p process) bool {
	leader := g.leader.pid
	if p.group == leader || p.session == leader {
		return true
	}
	if start, ok := g.known[p.pid]; ok && start == p.start {
		return true
	}
	return g.mark != "" && !p.dead && hasVariable(p.pid, g.mark)
}

// end kills what is left of the group when its leader has ended, waits until
// it is gone, and says what became of the leader.
func (g *group) end() (*os.ProcessState, error) {
	deadline := time.Now().Add(endFor)
	g.kill()
	var problem error
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, 20*time.Millisecond) {
		alive, err := g.scan()
		if err != nil {
			problem = err
			break
		}
		if len(alive) == 0 {
			break
		}
		for _, p := range alive {
			killProcess(p.pid, p.start)
		}
		if time.Now().After(deadline) {
			problem = fmt.Errorf("%d processes of the program, one with id %d, cannot be killed", len(alive), alive[0].pid)
			break
		}
		time.Sleep(pause)
	}
	err := g.cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		problem = errors.Join(problem, err)
	}
	return g.cmd.ProcessState, problem
}

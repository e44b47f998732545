//go:build unix && (!linux || portable)

package gotool

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const (
	// sampleEvery and sampleLeast bound the time between two looks at a group.
	// It is long, because each starts ps.
	sampleEvery = 500 * time.Millisecond
	sampleLeast = sampleEvery
	// endFor is how long killed processes may take to disappear.
	endFor = 2 * time.Second
)

// A group is a process, the leader, and those of its descendants that stay in
// its process group.
type group struct {
	cmd      *exec.Cmd
	ended    chan struct{}  // closed when the leader has ended
	err      error          // of waiting for it; read after ended
	attended sync.WaitGroup // of who looks at the group
}

// startGroup starts cmd as the leader of a new session, and so of a new
// process group, without a terminal. Until the leader has ended, look is called
// with what the group takes and says after what time it wants to know again.
func startGroup(cmd *exec.Cmd, _ mark, look func(*group, load) time.Duration) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	g := &group{cmd: cmd, ended: make(chan struct{})}
	go func() {
		defer close(g.ended)
		g.err = cmd.Wait()
	}()
	g.attended.Go(func() {
		pause := time.NewTimer(look(g, load{processes: 1}))
		defer pause.Stop()
		for {
			select {
			case <-g.ended:
				return
			case <-pause.C:
				pause.Reset(look(g, g.sample()))
			}
		}
	})
	return g, nil
}

// quit asks the leader for a goroutine dump and its end. If it has stopped
// itself, it has to go on for that.
func (g *group) quit() {
	_ = g.cmd.Process.Signal(syscall.SIGQUIT)
	_ = g.cmd.Process.Signal(syscall.SIGCONT)
}

// kill kills the process group.
func (g *group) kill() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

// sample measures the bytes resident in the group and counts its processes.
// Where there is no ps, it knows nothing.
func (g *group) sample() load {
	out, err := exec.Command("ps", "-axo", "pgid=,rss=").Output()
	if err != nil {
		return load{}
	}
	return sumGroup(out, g.cmd.Process.Pid)
}

// written is not known.
func (g *group) written() int64 { return 0 }

// sumGroup adds up a process group in lines of group ids and kilobytes.
func sumGroup(ps []byte, group int) (sum load) {
	for line := range bytes.Lines(ps) {
		fields := bytes.Fields(line)
		if len(fields) != 2 || string(fields[0]) != strconv.Itoa(group) {
			continue
		}
		if kilobytes, err := strconv.ParseInt(string(fields[1]), 10, 64); err == nil {
			sum.memory += kilobytes << 10
			sum.processes++
		}
	}
	return sum
}

// end kills what is left of the group when its leader has ended, waits until
// it is gone, and says what became of the leader.
func (g *group) end() (*os.ProcessState, error) {
	g.attended.Wait()
	// No new process gets the id while the group has members. If it has none,
	// it is free since a moment ago; systems hand ids out in a circle.
	deadline := time.Now().Add(endFor)
	for pause := 100 * time.Microsecond; time.Now().Before(deadline); pause = min(2*pause, 20*time.Millisecond) {
		if syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) != nil {
			break // nobody there (ESRCH), or only zombies (EPERM on macOS)
		}
		time.Sleep(pause)
	}
	if exit := (*exec.ExitError)(nil); g.err != nil && !errors.As(g.err, &exit) {
		return g.cmd.ProcessState, g.err
	}
	return g.cmd.ProcessState, nil
}

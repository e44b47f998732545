package gotool

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// sampleEvery and sampleLeast are never used: nothing is measured.
const sampleEvery, sampleLeast = time.Hour, time.Hour

// A group is a process and, as far as taskkill finds them, its descendants.
type group struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when the process has ended
	err   error         // of waiting for it; read after ended
}

// startGroup starts cmd in a console process group of its own.
func startGroup(cmd *exec.Cmd, _ mark, _ func(*group, load) time.Duration) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	g := &group{cmd: cmd, ended: make(chan struct{})}
	go func() {
		defer close(g.ended)
		g.err = cmd.Wait()
	}()
	return g, nil
}

// quit kills: there is no signal that makes a Go program dump its goroutines.
func (g *group) quit() { g.kill() }

// kill kills the process and those of its descendants whose parents live.
func (g *group) kill() {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(g.cmd.Process.Pid)).Run()
	_ = g.cmd.Process.Kill()
}

// written is not known.
func (g *group) written() int64 { return 0 }

// end says what became of the process.
func (g *group) end() (*os.ProcessState, error) {
	if exit := (*exec.ExitError)(nil); g.err != nil && !errors.As(g.err, &exit) {
		return g.cmd.ProcessState, g.err
	}
	return g.cmd.ProcessState, nil
}

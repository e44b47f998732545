package gotool

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// A command is a process to supervise.
type command struct {
	path  string
	args  []string
	dir   string
	env   []string // complete
	mark  string   // name of an environment variable only this process has; "": none
	apart bool     // capture stderr apart from stdout
	limits
}

// limits end a process. Zero means none, but for timeout and output, which are required.
type limits struct {
	timeout   time.Duration
	grace     time.Duration // from SIGQUIT to SIGKILL; 0: SIGKILL at once
	memory    int64
	output    int64
	processes int
}

// An ending is what became of a command.
type ending struct {
	stop           Stop
	code           int
	state          *os.ProcessState // nil if it never started
	stdout, stderr []byte
	elapsed        time.Duration
	peak           int64 // most memory seen resident in the group, bytes
}

// supervise runs a command in a process group of its own, within its limits,
// and returns when the whole group is gone.
//
// What differs between systems is in the type group: start it, ask it to quit,
// kill it, measure it, end it for good.
func supervise(ctx context.Context, c command) (ending, error) {
	if ctx.Err() != nil {
		return ending{stop: Cancelled, code: -1}, nil
	}
	stdout, err := newCapture(c.output)
	if err != nil {
		return ending{}, err
	}
	defer stdout.close()
	stderr := stdout
	if c.apart {
		if stderr, err = newCapture(c.output); err != nil {
			return ending{}, err
		}
		defer stderr.close()
	}

	cmd := exec.Command(c.path, c.args...)
	cmd.Dir, cmd.Env = c.dir, c.env
	cmd.Stdout, cmd.Stderr = stdout.w, stderr.w // stdin stays empty
	start := time.Now()
	g, err := startGroup(cmd, c.mark)
	stdout.start()
	stderr.start()
	if err != nil {
		return ending{}, err
	}
	w := watcher{command: c, group: g, full: stdout.full}
	w.watch(ctx)
	elapsed := time.Since(start)
	state, err := g.end()
	if err != nil {
		return ending{}, fmt.Errorf("end its processes: %w", err)
	}
	e := ending{stop: w.stop, code: state.ExitCode(), state: state, elapsed: elapsed, peak: w.peak}
	e.stdout = stdout.drain()
	if c.apart {
		e.stderr = stderr.drain()
	}
	if e.stop == Exited && stdout.overflowed() {
		e.stop = TooMuchText // too late to kill it, but the text is not complete
	}
	return e, nil
}

// A watcher waits for the end of a group's leader and brings it about when a
// limit is reached.
type watcher struct {
	command
	group *group
	full  <-chan struct{} // closed when there is more output than allowed
	stop  Stop
	peak  int64
}

func (w *watcher) watch(ctx context.Context) {
	timeout := time.NewTimer(w.timeout)
	defer timeout.Stop()
	var tick <-chan time.Time
	if w.memory > 0 || w.processes > 0 {
		ticker := time.NewTicker(sampleEvery)
		defer ticker.Stop()
		tick = ticker.C
	}
	cancelled := ctx.Done()
	for {
		select {
		case <-w.group.ended:
			return
		case <-timeout.C:
			if w.stop == Exited && w.grace > 0 {
				w.stop = TimedOut
				w.group.quit()
				timeout.Reset(w.grace)
			} else { // no grace, or it is over
				w.kill(TimedOut)
			}
		case <-cancelled:
			cancelled = nil // a closed channel would keep the loop busy
			w.kill(Cancelled)
		case <-w.full:
			w.full = nil
			if w.stop != TimedOut { // the rest of a goroutine dump is cut, no more
				w.kill(TooMuchText)
			}
		case <-tick:
			w.sample()
		}
	}
}

// sample holds the group to its limits of memory and processes.
func (w *watcher) sample() {
	memory, processes := w.group.sample()
	w.peak = max(w.peak, memory)
	switch {
	case w.memory > 0 && memory > w.memory:
		w.kill(OutOfMemory)
	case w.processes > 0 && processes > w.processes:
		w.kill(TooManyProcesses)
	}
}

// kill ends the group; the first reason stands.
func (w *watcher) kill(why Stop) {
	if w.stop == Exited {
		w.stop = why
	}
	w.group.kill()
}

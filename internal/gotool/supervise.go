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
	mark  mark
	temp  string // directory for temporary files, held to limits.disk; "": none
	apart bool   // capture stderr apart from stdout
	// reads gets what is kept of stdout, piece by piece; nil: nobody does. stalled ends the
	// process as its time-out does.
	reads   func([]byte)
	stalled <-chan struct{}
	limits
}

// limits end a process. Zero means none, but for timeout and output, which are required.
type limits struct {
	timeout   time.Duration
	grace     time.Duration // from SIGQUIT to SIGKILL; 0: SIGKILL at once
	memory    int64
	output    int64
	processes int
	disk      int64 // bytes below the directory for temporary files; of what is written anywhere writtenShare times as much
}

// A load is what a group takes at a moment.
type load struct {
	memory    int64 // bytes resident
	processes int
}

const (
	// A program takes at most so much in a millisecond, on the machines
	// measured: memory touched by two processors, new processes by fork alone.
	memoryRate  = 8 << 20
	processRate = 20
)

// An exit is what became of a command.
type exit struct {
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
// Type group has the part that differs between systems: start it, ask it to
// quit, kill it, measure it, end it for good.
func supervise(ctx context.Context, c command) (exit, error) {
	if ctx.Err() != nil {
		return exit{stop: Cancelled, code: -1}, nil
	}
	stdout, err := newCapture(c.output)
	if err != nil {
		return exit{}, err
	}
	defer stdout.close()
	stdout.reads = c.reads
	stderr := stdout
	if c.apart {
		if stderr, err = newCapture(c.output); err != nil {
			return exit{}, err
		}
		defer stderr.close()
	}

	cmd := exec.Command(c.path, c.args...)
	cmd.Dir, cmd.Env = c.dir, c.env
	cmd.Stdout, cmd.Stderr = stdout.w, stderr.w // stdin stays empty
	start := time.Now()
	w := watcher{command: c, full: stdout.full, over: make(chan Stop, 1)}
	w.group, err = startGroup(cmd, c.mark, w.look)
	stdout.start()
	stderr.start()
	if err != nil {
		return exit{}, err
	}
	diskFull, unwatch := watchDisk(c.temp, c.disk, w.group.written)
	defer unwatch()
	w.diskFull = diskFull
	w.watch(ctx)
	elapsed := time.Since(start)
	state, err := w.group.end()
	if err != nil {
		return exit{}, fmt.Errorf("end its processes: %w", err)
	}
	e := exit{stop: w.stop, code: state.ExitCode(), state: state, elapsed: elapsed, peak: w.peak}
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
	group    *group
	full     <-chan struct{} // closed when there is more output than allowed
	diskFull <-chan struct{} // closed when more is in temp, or was written, than allowed
	over     chan Stop       // the limit at which look has killed the group
	stop     Stop
	peak     int64 // written by look until the leader has ended
}

func (w *watcher) watch(ctx context.Context) {
	timeout := time.NewTimer(w.timeout)
	defer timeout.Stop()
	cancelled := ctx.Done()
	for {
		select {
		case <-w.group.ended:
			select {
			case why := <-w.over:
				w.kill(why)
			default:
			}
			return
		case <-timeout.C:
			w.expire(timeout)
		case <-w.stalled:
			w.stalled = nil // a closed channel would keep the loop busy
			if w.stop == Exited {
				w.expire(timeout)
			}
		case <-cancelled:
			cancelled = nil
			w.kill(Cancelled)
		case <-w.full:
			w.full = nil
			if w.stop != TimedOut { // the rest of a goroutine dump is cut, no more
				w.kill(TooMuchText)
			}
		case <-w.diskFull:
			w.diskFull = nil
			w.kill(DiskFull)
		case why := <-w.over:
			w.kill(why)
		}
	}
}

// expire ends a group whose time is over: it may print its goroutines first.
func (w *watcher) expire(timeout *time.Timer) {
	if w.stop == Exited && w.grace > 0 {
		w.stop = TimedOut
		w.group.quit()
		timeout.Reset(w.grace)
	} else { // no grace, or it is over
		w.kill(TimedOut)
	}
}

// look holds the group to its limits of memory and processes, and returns the
// time until the next look. It does not wait for watch.
func (w *watcher) look(g *group, now load) time.Duration {
	w.peak = max(w.peak, now.memory)
	if why := w.exceeded(now); why != Exited {
		select {
		case w.over <- why:
		default: // it is known already
		}
		g.kill()
	}
	return w.pause(now)
}

func (w *watcher) exceeded(now load) Stop {
	switch {
	case w.memory > 0 && now.memory > w.memory:
		return OutOfMemory
	case w.processes > 0 && now.processes > w.processes:
		return TooManyProcesses
	}
	return Exited
}

// pause is the time in which a group cannot exceed its limits by much. It is
// shorter the nearer the group is to a limit. Each look wakes a process that may
// have nothing else to do, which costs more than the look.
func (w *watcher) pause(now load) time.Duration {
	pause := sampleEvery
	if w.memory > 0 {
		pause = min(pause, time.Duration(w.memory-now.memory)*time.Millisecond/memoryRate)
	}
	if w.processes > 0 {
		// Twice: so few processes may be more than the limit without harm.
		pause = min(pause, 2*time.Duration(w.processes-now.processes)*time.Millisecond/processRate)
	}
	return max(pause, sampleLeast)
}

// kill ends the group; the first reason stands.
func (w *watcher) kill(why Stop) {
	if w.stop == Exited {
		w.stop = why
	}
	w.group.kill()
}

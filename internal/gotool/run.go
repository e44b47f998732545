package gotool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Stop says who ended a process.
type Stop string

// Reasons for a process's end.
const (
	Exited           Stop = "" // by itself, or by a signal of its own
	TimedOut         Stop = "timeout"
	OutOfMemory      Stop = "memory"    // killed at RunOptions.Memory
	TooMuchText      Stop = "output"    // killed at RunOptions.OutputLimit
	TooManyProcesses Stop = "processes" // killed at RunOptions.Processes
	DiskFull         Stop = "disk"      // killed at RunOptions.Disk
	Cancelled        Stop = "cancelled" // ctx ended
)

// RunOptions says how to run an untrusted program.
type RunOptions struct {
	Path    string // absolute
	Args    []string
	Dir     string        // working directory; "": the caller's
	Private bool          // the program works in a place of its own that stands for Dir, a package's: what it makes there no other sees
	Env     []string      // added to the environment
	Timeout time.Duration // then SIGQUIT (the goroutine dump is in Output), grace, SIGKILL; 0: 1 minute
	// Reads, if not nil, gets what the program prints, piece by piece, while it runs. When Stalled
	// is closed the run ends as at its Timeout.
	Reads       func(text []byte)
	Stalled     <-chan struct{}
	Grace       time.Duration // between SIGQUIT and SIGKILL; 0: 1 second
	Memory      int64         // bytes resident in the program and its descendants; 0: 2 GiB
	OutputLimit int64         // bytes kept and allowed on stdout and stderr together; 0: 16 MiB
	Processes   int           // the program and its descendants at one time; 0: 256
	Disk        int64         // bytes below the temporary directory, small files rounded up to 16 KiB; 0: 2 GiB. Four times as much may be written, wherever it is
}

// Defaults of RunOptions.
const (
	defaultTimeout     = time.Minute
	defaultGrace       = time.Second
	defaultMemory      = 2 << 30
	defaultOutputLimit = 16 << 20
	defaultProcesses   = 256
	defaultDisk        = 2 << 30
)

// A RunResult is what became of a process.
type RunResult struct {
	Output   []byte // stdout and stderr, interleaved, at most RunOptions.OutputLimit bytes
	ExitCode int    // -1 when ended by a signal, or never started because ctx had ended
	Stop     Stop   // the first reason, where there are several
	// Killed tells of SIGKILL from somebody else, such as a system short of
	// memory; or the program killed itself, which cannot be told apart.
	Killed   bool
	Elapsed  time.Duration
	CPU      time.Duration // user and system, of the program and descendants it waited for; 0 on Windows
	MaxRSS   int64         // bytes; see the package's documentation for what it includes; 0 on Windows
	Switches int64         // voluntary context switches, of whom CPU counts; 0 on Windows
}

// Run runs a program in a session and process group of its own, its stdin
// empty and its temporary directory private, and returns when it and all its
// descendants are gone. The error is for what could not be run, or not be
// cleaned up afterwards; a failing program, and an ended ctx, is a result.
func Run(ctx context.Context, o RunOptions) (result RunResult, err error) {
	err = retryTransient(ctx, func() error {
		result, err = run(ctx, o)
		return err
	})
	return result, err
}

// Run is [Run] of a program that the toolchain built: files of the library have the
// names that the user knows, whatever they are built under.
func (t *Toolchain) Run(ctx context.Context, o RunOptions) (RunResult, error) {
	result, err := Run(ctx, o)
	result.Output = t.Original(result.Output)
	return result, err
}

func run(ctx context.Context, o RunOptions) (result RunResult, err error) {
	o = o.withDefaults()
	temp, remove, err := TempDir()
	if err != nil {
		return RunResult{}, err
	}
	defer func() { err = errors.Join(err, remove()) }()

	if o.Private {
		o.Dir = placeOf(o.Dir, temp)
	}
	m := newMark()
	env := append(os.Environ(), tempEnv(temp)...)
	if filepath.IsAbs(o.Dir) {
		env = append(env, "PWD="+o.Dir)
	}
	env = append(env, o.Env...)
	e, err := supervise(ctx, command{
		path:    o.Path,
		args:    o.Args,
		dir:     o.Dir,
		env:     append(env, m.variable()+"=1"),
		mark:    m,
		temp:    temp,
		reads:   o.Reads,
		stalled: o.Stalled,
		limits:  limits{o.Timeout, o.Grace, o.Memory, o.OutputLimit, o.Processes, o.Disk},
	})
	if err != nil {
		return RunResult{}, fmt.Errorf("run %s: %w", o.Path, err)
	}
	u := usageOf(e.state)
	return RunResult{
		Output:   e.stdout,
		ExitCode: e.code,
		Stop:     e.stop,
		Killed:   e.stop == Exited && killed(e.state),
		Elapsed:  e.elapsed,
		CPU:      u.cpu,
		MaxRSS:   max(u.maxRSS, e.peak),
		Switches: u.switches,
	}, nil
}

// killed reports whether a process ended by SIGKILL.
func killed(state *os.ProcessState) bool {
	if state == nil {
		return false
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

func (o RunOptions) withDefaults() RunOptions {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Grace <= 0 {
		o.Grace = defaultGrace
	}
	if o.Memory <= 0 {
		o.Memory = defaultMemory
	}
	if o.OutputLimit <= 0 {
		o.OutputLimit = defaultOutputLimit
	}
	if o.Processes <= 0 {
		o.Processes = defaultProcesses
	}
	if o.Disk <= 0 {
		o.Disk = defaultDisk
	}
	return o
}

// usage is what a process took, as far as the system tells.
type usage struct {
	cpu      time.Duration
	maxRSS   int64
	switches int64
}

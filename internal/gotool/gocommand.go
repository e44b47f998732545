package gotool

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// buildTimeout is for a cold build cache on a slow machine.
	buildTimeout = 5 * time.Minute
	queryTimeout = 2 * time.Minute // a toolchain may have to be downloaded first
	// goOutput bounds what one go command may print.
	goOutput = 16 << 20
	// goProcesses bounds how many processes it may have at a time: it starts
	// one compiler for each processor.
	goProcesses = 4096
	// goDisk bounds what a build may have in its temporary directory: what it
	// links, many times over.
	goDisk = 8 << 30
)

// goMemory is how many bytes a go command and its compilers may take together
// unless a caller says otherwise: three quarters of what the machine has, so
// that not Mendel or another program is ended when there is no more. 0: the
// machine does not tell.
func goMemory() int64 { return totalMemory() / 4 * 3 }

// A stopped is the error of a go command that was ended at a limit.
type stopped struct {
	stop Stop
	text string
}

func (s *stopped) Error() string { return s.text }

// answer is what a go command that ended by itself said.
type answer struct {
	stdout, stderr []byte // stderr is empty unless asked for apart
	code           int
}

// query runs a go command that builds nothing, stderr apart.
func (t *Toolchain) query(ctx context.Context, args ...string) (a answer, err error) {
	err = retryTransient(ctx, func() error {
		a, err = t.run(ctx, invocation{args: args, timeout: queryTimeout, apart: true})
		return err
	})
	return a, err
}

// An invocation is one call of the go command.
type invocation struct {
	args    []string
	env     []string
	temp    string // private directory for the command's temporary files; "": it makes none
	memory  int64  // bytes; 0: see goMemory
	timeout time.Duration
	apart   bool   // capture stderr apart
	root    string // a GOROOT other than the go command's; "": its own
}

// run runs the go command. The error is for a command that did not come to an
// end by itself, a *stopped if that was at a limit; what it says about the
// program is in the answer.
func (t *Toolchain) run(ctx context.Context, inv invocation) (answer, error) {
	path := t.path
	if path == "" {
		path = "go"
	}
	env := append(os.Environ(), "PWD="+t.Dir)
	env = append(env, t.extra...)
	if inv.root != "" {
		// The go command itself, and not one that chooses the toolchain.
		path = filepath.Join(inv.root, "bin", "go")
		env = append(env, "GOROOT="+inv.root, "GOTOOLCHAIN=local")
	}
	if inv.temp != "" {
		// A killed go command leaves its work directory behind: give it one
		// that the caller removes.
		env = append(env, tempEnv(inv.temp)...)
		env = append(env, "GOTMPDIR="+inv.temp)
	}
	if inv.memory <= 0 {
		inv.memory = goMemory()
	}
	e, err := supervise(ctx, command{
		path:   path,
		args:   inv.args,
		dir:    t.Dir,
		env:    append(env, inv.env...),
		mark:   newMark(),
		temp:   inv.temp,
		limits: limits{timeout: inv.timeout, memory: inv.memory, output: goOutput, processes: goProcesses, disk: goDisk},
		apart:  inv.apart,
	})
	name := "go " + inv.args[0]
	switch {
	case err != nil:
		return answer{}, fmt.Errorf("%s: %w", name, err)
	case e.stop == Cancelled:
		return answer{}, fmt.Errorf("%s: %w", name, ctx.Err())
	case e.stop == TimedOut:
		return answer{}, &stopped{e.stop, fmt.Sprintf("%s in %s was not done after %v and was stopped; allow it more time, or run it once by hand to fill the build cache", name, t.Dir, inv.timeout)}
	case e.stop == OutOfMemory:
		return answer{}, &stopped{e.stop, fmt.Sprintf("%s in %s was stopped because it took more than %d MiB of memory", name, t.Dir, inv.memory>>20)}
	case e.stop != Exited:
		return answer{}, &stopped{e.stop, strings.TrimSpace(fmt.Sprintf("%s in %s was stopped (%s) %s", name, t.Dir, e.stop, firstLines(e.stdout, 5)))}
	case e.code < 0:
		return answer{}, &transientError{fmt.Sprintf("%s in %s was killed by somebody else (%v); is the machine short of memory?", name, t.Dir, e.state)}
	}
	return answer{stdout: e.stdout, stderr: e.stderr, code: e.code}, nil
}

// OutOfResources finds the machine's failures, which say nothing about the
// program, in what a failed go command printed.
func OutOfResources(output string) bool {
	for _, sign := range []string{
		"no space left on device",
		"cannot allocate memory",
		"resource temporarily unavailable",
		": signal: killed", // a compiler or linker, by the system
		"GOCACHEPROG",      // what reads the build cache was killed
	} {
		if strings.Contains(output, sign) {
			return true
		}
	}
	return false
}

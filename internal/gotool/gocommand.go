package gotool

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

const (
	// buildTimeout is for a cold build cache on a slow machine.
	buildTimeout = 5 * time.Minute
	queryTimeout = 2 * time.Minute // a toolchain may have to be downloaded first
	// goOutput bounds what one go command may print.
	goOutput = 16 << 20
)

// answer is what a go command that ended by itself said.
type answer struct {
	stdout, stderr []byte // stderr is empty unless asked for apart
	code           int
}

// query runs a go command that builds nothing, stderr apart.
func (t *Toolchain) query(ctx context.Context, args ...string) (answer, error) {
	return t.run(ctx, invocation{args: args, timeout: queryTimeout, apart: true})
}

// An invocation is one call of the go command.
type invocation struct {
	args    []string
	env     []string
	temp    string // private directory for the command's temporary files; "": it makes none
	timeout time.Duration
	apart   bool // capture stderr apart
}

// run runs the go command. The error is for a command that did not come to an
// end by itself; what it says about the program is in the answer.
func (t *Toolchain) run(ctx context.Context, inv invocation) (answer, error) {
	path := t.path
	if path == "" {
		path = "go"
	}
	env := append(os.Environ(), "PWD="+t.Dir)
	if inv.temp != "" {
		// A killed go command leaves its work directory behind: give it one
		// that the caller removes.
		env = append(env, tempEnv(inv.temp)...)
		env = append(env, "GOTMPDIR="+inv.temp)
	}
	e, err := supervise(ctx, command{
		path:   path,
		args:   inv.args,
		dir:    t.Dir,
		env:    append(env, inv.env...),
		limits: limits{timeout: inv.timeout, output: goOutput},
		apart:  inv.apart,
	})
	name := "go " + inv.args[0]
	switch {
	case err != nil:
		return answer{}, fmt.Errorf("%s: %w", name, err)
	case e.stop == Cancelled:
		return answer{}, fmt.Errorf("%s: %w", name, ctx.Err())
	case e.stop == TimedOut:
		return answer{}, fmt.Errorf("%s in %s was not done after %v and was stopped; allow it more time, or run it once by hand to fill the build cache", name, t.Dir, inv.timeout)
	case e.stop != Exited:
		return answer{}, fmt.Errorf("%s in %s was stopped (%s): %s", name, t.Dir, e.stop, firstLines(e.stdout, 5))
	case e.code < 0:
		return answer{}, fmt.Errorf("%s in %s was killed by somebody else (%v); is the machine short of memory?", name, t.Dir, e.state)
	}
	return answer{stdout: e.stdout, stderr: e.stderr, code: e.code}, nil
}

// outOfResources finds the machine's failures, which say nothing about the
// program, in what a failed go command printed.
func outOfResources(output string) bool {
	for _, sign := range []string{
		"no space left on device",
		"cannot allocate memory",
		"resource temporarily unavailable",
		": signal: killed", // a compiler or linker, by the system
	} {
		if strings.Contains(output, sign) {
			return true
		}
	}
	return false
}

package hostile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"mendel/analysis"
	"mendel/fitness/noise"
	"mendel/internal/bench/commands"
	"mendel/internal/gotool"
)

// A sandbox is a directory for hostile programs. All their executables and
// temporary files lie in it, so nothing that is left of them is missed.
//
//	module     the tests
//	bin        imp, the program that the tests start
//	tmp        for temporary files
//	elsewhere  what they must leave alone
type sandbox struct {
	dir    string
	remove func() error
}

// untouchable is a file that must stay as it is.
const untouchable = "untouchable"

// newSandbox makes a sandbox. The environment points to it until it is removed.
func newSandbox(ctx context.Context) (_ *sandbox, err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	a := &sandbox{dir: dir, remove: remove}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.remove())
		}
	}()
	for _, d := range []string{a.module(), a.bin(), a.tmp(), a.elsewhere()} {
		if err := os.Mkdir(d, 0o777); err != nil {
			return nil, fmt.Errorf("make a sandbox: %w", err)
		}
	}
	if err := writeModule(a.module()); err != nil {
		return nil, fmt.Errorf("write the hostile tests: %w", err)
	}
	if err := os.WriteFile(filepath.Join(a.elsewhere(), untouchable), []byte(untouchable), 0o444); err != nil {
		return nil, fmt.Errorf("make a sandbox: %w", err)
	}
	if _, err := commands.Go(ctx, a.module(), "build", "-o", a.imp(), "./imp"); err != nil {
		return nil, err
	}
	restore := a.enter()
	a.remove = func() error {
		restore()
		return remove()
	}
	return a, nil
}

func (a *sandbox) module() string    { return filepath.Join(a.dir, "module") }
func (a *sandbox) bin() string       { return filepath.Join(a.dir, "bin") }
func (a *sandbox) imp() string       { return filepath.Join(a.bin(), "imp") }
func (a *sandbox) tmp() string       { return filepath.Join(a.dir, "tmp") }
func (a *sandbox) elsewhere() string { return filepath.Join(a.dir, "elsewhere") }

// enter sets the environment variables by which Mendel and the tests find the sandbox.
func (a *sandbox) enter() (restore func()) {
	var undo []func()
	for name, value := range map[string]string{"TMPDIR": a.tmp(), "IMP": a.imp(), "ELSEWHERE": a.elsewhere()} {
		before, set := os.LookupEnv(name)
		_ = os.Setenv(name, value) // neither is odd
		undo = append(undo, func() {
			if set {
				_ = os.Setenv(name, before)
			} else {
				_ = os.Unsetenv(name)
			}
		})
	}
	return func() {
		for _, f := range undo {
			f()
		}
	}
}

// watch runs one kind and looks at the machine meanwhile and afterwards.
func (a *sandbox) watch(ctx context.Context, k kind, path string, run runner) (*outcome, error) {
	before, err := a.files()
	if err != nil {
		return nil, err
	}
	c := &outcome{Name: k.test, Path: path, Limit: k.limit.Seconds()}
	stop := a.monitor(c)
	began := time.Now()
	c.Ended, c.Detail, err = run(ctx, k)
	c.Seconds = time.Since(began).Seconds()
	stop()
	if err != nil {
		return nil, err
	}
	c.Processes = len(a.processes())
	after, err := a.files()
	if err != nil {
		return nil, err
	}
	for name := range after {
		if !before[name] {
			c.Files = append(c.Files, name)
		}
	}
	if text, err := os.ReadFile(filepath.Join(a.elsewhere(), untouchable)); err != nil || string(text) != untouchable {
		c.Problems = append(c.Problems, fmt.Sprintf("a file elsewhere is not what it was: %q, %v", text, err))
	}
	return c, nil
}

// files names what is in the sandbox, except for what the tests may do to the module.
func (a *sandbox) files() (map[string]bool, error) {
	found := map[string]bool{}
	for _, dir := range []string{a.tmp(), a.elsewhere(), a.module()} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			found[filepath.Join(filepath.Base(dir), e.Name())] = true
		}
	}
	return found, nil
}

// watchInterval is the time between two looks at the machine.
const watchInterval = 20 * time.Millisecond

// monitor notes in a case, until it is stopped, the longest time that a
// goroutine that wants to run does not, and the most memory that the programs
// in the sandbox take together.
func (a *sandbox) monitor(c *outcome) (stop func()) {
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			slept := time.Now()
			select {
			case <-done:
				return
			case <-time.After(watchInterval):
			}
			c.Stall = max(c.Stall, (time.Since(slept) - watchInterval).Seconds())
			var memory int64
			for _, resident := range a.processes() {
				memory += resident
			}
			c.Peak = max(c.Peak, memory)
		}
	})
	return func() {
		close(done)
		watching.Wait()
	}
}

// runKilled starts a process that runs a kind as Mendel does. The process is
// killed meanwhile: by the test, or here as soon as there is something to clean
// up. Everything that is left must then go within the overtime.
func (a *sandbox) runKilled(ctx context.Context, k kind) (ended, detail string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", "", err
	}
	victim := exec.CommandContext(ctx, self, "hostile", "--victim", a.dir, "--only", k.test)
	victim.Stderr = os.Stderr
	if err := victim.Start(); err != nil {
		return "", "", fmt.Errorf("start a victim: %w", err)
	}
	if k.test == leftAlone {
		for deadline := time.Now().Add(k.limit); len(a.started()) == 0 && time.Now().Before(deadline); {
			time.Sleep(watchInterval)
		}
		_ = victim.Process.Kill()
	}
	_ = victim.Wait() // also for its guard, which writes to the same place
	state := victim.ProcessState
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
		ended = endedKilled
	} else {
		ended = endedFailed
	}
	// The guard has nobody to tell when it is done.
	for deadline := time.Now().Add(overtime); time.Now().Before(deadline); time.Sleep(watchInterval) {
		left, err := os.ReadDir(a.tmp())
		if err != nil {
			return "", "", err
		}
		if len(a.processes()) == 0 && len(left) == 0 {
			break
		}
	}
	return ended, strings.TrimSpace(state.String()), nil
}

// leftAlone is the kind that is killed from here.
const leftAlone = "TestIsLeftAlone"

// beVictim runs a kind, until somebody kills this process.
func beVictim(ctx context.Context, o Options, a *sandbox) error {
	restore := a.enter()
	defer restore()
	tool, err := gotool.Open(ctx, a.module())
	if err != nil {
		return err
	}
	program, err := analysis.Load(ctx, tool, analysis.Target{Dir: tool.Dir, Package: "."})
	if err != nil {
		return err
	}
	run, closed, err := prepareNoise(ctx, noise.Config{Tool: tool, Program: program, Memory: o.Memory << 20, Disk: o.Disk << 20})
	if err != nil {
		return err
	}
	for _, k := range kinds {
		if k.kill && k.wanted(o.Only) {
			if _, _, err = run(ctx, k); err != nil {
				break
			}
		}
	}
	return errors.Join(err, closed())
}

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

// An arena is a directory for hostile programs: all their executables and
// temporary files lie in it, so that what is left of them is found.
//
//	module     the tests
//	bin        imps
//	tmp        for temporary files
//	elsewhere  what they must leave alone
type arena struct {
	dir    string
	remove func() error
}

// precious is a file that must stay as it is.
const precious = "precious"

// newArena makes an arena and, until it is removed, the environment point to it.
func newArena(ctx context.Context) (_ *arena, err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	a := &arena{dir: dir, remove: remove}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.remove())
		}
	}()
	for _, d := range []string{a.module(), a.bin(), a.tmp(), a.elsewhere()} {
		if err := os.Mkdir(d, 0o777); err != nil {
			return nil, fmt.Errorf("make an arena: %w", err)
		}
	}
	if err := writeModule(a.module()); err != nil {
		return nil, fmt.Errorf("write the hostile tests: %w", err)
	}
	if err := os.WriteFile(filepath.Join(a.elsewhere(), precious), []byte(precious), 0o444); err != nil {
		return nil, fmt.Errorf("make an arena: %w", err)
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

func (a *arena) module() string    { return filepath.Join(a.dir, "module") }
func (a *arena) bin() string       { return filepath.Join(a.dir, "bin") }
func (a *arena) imp() string       { return filepath.Join(a.bin(), "imp") }
func (a *arena) tmp() string       { return filepath.Join(a.dir, "tmp") }
func (a *arena) elsewhere() string { return filepath.Join(a.dir, "elsewhere") }

// enter sets the environment that Mendel and the tests find the arena by.
func (a *arena) enter() (restore func()) {
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
func (a *arena) watch(ctx context.Context, k kind, path string, run runner) (*Case, error) {
	before, err := a.files()
	if err != nil {
		return nil, err
	}
	c := &Case{Name: k.test, Path: path, Limit: k.limit.Seconds()}
	stop := a.vigil(c)
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
	if text, err := os.ReadFile(filepath.Join(a.elsewhere(), precious)); err != nil || string(text) != precious {
		c.Problems = append(c.Problems, fmt.Sprintf("a file elsewhere is not what it was: %q, %v", text, err))
	}
	return c, nil
}

// files names what is in the arena, except for what the tests may do to the module.
func (a *arena) files() (map[string]bool, error) {
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

// vigilEvery is the time between two looks at the machine.
const vigilEvery = 20 * time.Millisecond

// vigil notes in a case, until it is stopped, the longest time that a
// goroutine that wants to run does not, and the most memory that the programs
// in the arena take together.
func (a *arena) vigil(c *Case) (stop func()) {
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			slept := time.Now()
			select {
			case <-done:
				return
			case <-time.After(vigilEvery):
			}
			c.Stall = max(c.Stall, (time.Since(slept) - vigilEvery).Seconds())
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

// sacrifice starts a process that runs a kind as Mendel does, which is killed in
// the middle of it, by the test or, once there is something to clean up, here.
// Within the time that ends what the test has started, whatever is left is to go.
func (a *arena) sacrifice(ctx context.Context, k kind) (ended, detail string, err error) {
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
		for deadline := time.Now().Add(k.limit); len(a.imps()) == 0 && time.Now().Before(deadline); {
			time.Sleep(vigilEvery)
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
	for deadline := time.Now().Add(overtime); time.Now().Before(deadline); time.Sleep(vigilEvery) {
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
func beVictim(ctx context.Context, o Options, a *arena) error {
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

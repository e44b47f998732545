package gotool

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// guardVariable is the environment variable of a guard with the common part of
// the marks that the guarded process gives.
const guardVariable = "MENDEL_GUARD"

// Guard starts a process that does nothing but wait for the end of this one.
// If this one ends without having called stop, because it was killed, has
// crashed or was told to end at once, the guard ends the rest of its runs and
// removes its temporary directories. The guard is this same executable, so main
// has to call [BeGuard] first of all.
//
// It is for programs, not for libraries in programs of others.
func Guard() (stop func(), err error) {
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start a guard: %w", err)
	}
	cmd := exec.Command(path)
	cmd.Env = append(os.Environ(), guardVariable+"="+strconv.FormatUint(uint64(thisProcess), 16))
	cmd.SysProcAttr = apart()
	cmd.Stderr = os.Stderr
	life, err := cmd.StdinPipe() // closed by the system when we end
	if err != nil {
		return nil, fmt.Errorf("start a guard: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a guard: %w", err)
	}
	return func() {
		_ = cmd.Process.Kill() // if it is gone already, all the better
		_ = cmd.Wait()
		life.Close()
	}, nil
}

// sweepFor is how long killed processes may take to disappear.
const sweepFor = 10 * time.Second

// BeGuard does the work of a guard, and reports true, if [Guard] has started
// this process for that. Otherwise it does nothing.
func BeGuard() bool {
	value, set := os.LookupEnv(guardVariable)
	if !set {
		return false
	}
	// Ctrl-C is for the guarded process.
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	m, err := strconv.ParseUint(value, 16, 64)
	if err != nil {
		fmt.Fprintf(os.Stderr, "guard: %s=%q: %v\n", guardVariable, value, err)
		return true
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // until there is nobody who could write
	if err := cleanUpAfter(mark(m)); err != nil {
		fmt.Fprintf(os.Stderr, "guard: clean up after a killed process: %v\n", err)
	}
	return true
}

// cleanUpAfter ends all runs of a process that has ended, and removes its
// temporary directories.
func cleanUpAfter(ended mark) error {
	problems := sweep(ended, time.Now().Add(sweepFor))
	places := []string{os.TempDir()}
	if dir := os.Getenv("GOTMPDIR"); dir != "" {
		places = append(places, dir)
	}
	for _, place := range places {
		left, err := os.ReadDir(place)
		problems = errors.Join(problems, err)
		for _, e := range left {
			if strings.HasPrefix(e.Name(), ended.tempPrefix()) {
				problems = errors.Join(problems, removeAll(filepath.Join(place, e.Name())))
			}
		}
	}
	return problems
}

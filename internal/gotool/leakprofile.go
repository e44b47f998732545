package gotool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// leakExperiment switches the leak profile on where it is an experiment.
const leakExperiment = "goroutineleakprofile"

// leakProgram prints whether its runtime has the leak profile.
const leakProgram = `package main

import "runtime/pprof"

func main() { println(pprof.Lookup("goroutineleak") != nil) }
`

// LeakProfile reports whether programs can have the runtime's profile of leaked
// goroutines, and what the environment of their build needs for it: an experiment in
// Go 1.26, nothing in Go 1.27. It tries: the go command refuses an experiment that it
// does not know, and then a program is built and asked.
func (t *Toolchain) LeakProfile(ctx context.Context) (env []string, ok bool, err error) {
	own, err := t.query(ctx, "env", "GOEXPERIMENT")
	if err == nil && own.code != 0 {
		err = errors.New(firstLines(own.stderr, 10))
	}
	if err != nil {
		return nil, false, fmt.Errorf("ask the go command for its experiments: %w", err)
	}
	env = []string{"GOEXPERIMENT=" + strings.TrimPrefix(strings.TrimSpace(string(own.stdout))+","+leakExperiment, ",")}
	var tried answer
	err = retryTransient(ctx, func() error {
		tried, err = t.run(ctx, invocation{args: []string{"env", "GOEXPERIMENT"}, env: env, timeout: queryTimeout, apart: true})
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("try the leak profile: %w", err)
	}
	if tried.code == 0 {
		return env, true, nil
	}
	ok, err = t.hasLeakProfile(ctx)
	return nil, ok, err
}

// hasLeakProfile builds and runs a program that knows whether there is a leak profile
// without any experiment.
func (t *Toolchain) hasLeakProfile(ctx context.Context) (ok bool, err error) {
	dir, remove, err := TempDir()
	if err != nil {
		return false, fmt.Errorf("try the leak profile: %w", err)
	}
	defer func() { err = errors.Join(err, remove()) }()
	source, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "leak.exe")
	if err := os.WriteFile(source, []byte(leakProgram), 0o600); err != nil {
		return false, fmt.Errorf("try the leak profile: %w", err)
	}
	if err := t.build(ctx, []string{"build", "-o", binary}, BuildOptions{}, source); err != nil {
		return false, fmt.Errorf("try the leak profile: %w", err)
	}
	result, err := Run(ctx, RunOptions{Path: binary, Dir: dir, Timeout: time.Minute})
	if err != nil {
		return false, fmt.Errorf("try the leak profile: %w", err)
	}
	switch said := strings.TrimSpace(string(result.Output)); said {
	case "true", "false":
		return said == "true", nil
	default:
		return false, fmt.Errorf("try the leak profile: a program that asks for it ended with %q", firstLines(result.Output, 5))
	}
}

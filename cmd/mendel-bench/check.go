package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
)

// runTimeout limits one noised run of a patched program.
const runTimeout = 30 * time.Second

// A check is a patched program to be run.
type check struct {
	patched string // directory
	seed    uint64 // of the repair; the check's own seeds differ
	effort
}

// patchedCopy copies the module in source to dir and applies a patch. It
// returns what git had to say against the patch.
func patchedCopy(ctx context.Context, dir, source, patch string) (said string, err error) {
	if err := copyModule(dir, source); err != nil {
		return "", err
	}
	file := dir + ".patch" // outside the copy
	if err := os.WriteFile(file, []byte(patch), 0o666); err != nil {
		return "", fmt.Errorf("write a patch: %w", err)
	}
	return gitApply(ctx, dir, file)
}

// gitApply applies a patch in a directory that is in no repository. It
// returns what git had to say against it.
func gitApply(ctx context.Context, dir, patch string) (said string, err error) {
	git, err := command("git", "install git")
	if err != nil {
		return "", err
	}
	r, err := gotool.Run(ctx, gotool.RunOptions{
		Path: git, Args: []string{"apply", "--whitespace=error", patch}, Dir: dir,
		// Inside a repository git apply would quietly skip what is not below it.
		Env: []string{"GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir)},
	})
	if err != nil {
		return "", fmt.Errorf("apply %s: %w", patch, err)
	}
	return verdict(ctx, r)
}

// plainRuns runs a patched program n times as its user would: go test.
func plainRuns(ctx context.Context, c check, n int) (problem string, err error) {
	args := []string{"test", "-count=" + strconv.Itoa(n), "-timeout=9m"}
	if !c.NoRace {
		args = append(args, "-race")
	}
	_, problem, err = goSays(ctx, c.patched, append(args, ".")...)
	return problem, err
}

// verdict turns the end of a command into a problem, "" for success.
func verdict(ctx context.Context, r gotool.RunResult) (problem string, err error) {
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case r.Stop != gotool.Exited:
		return fmt.Sprintf("stopped (%s): %s", r.Stop, head(r.Output)), nil
	case r.ExitCode != 0:
		return fmt.Sprintf("exit status %d: %s", r.ExitCode, head(r.Output)), nil
	}
	return "", nil
}

// noisedRuns runs a patched program with noise from seeds of its own until a
// run fails; done counts the runs.
func noisedRuns(ctx context.Context, c check) (done int, problem string, err error) {
	first := 1<<40 + c.seed<<20 // far from those a repair draws from a small seed
	outcomes, err := runNoised(ctx, c.patched, c.Runs, first, c.effort, func(o noise.Outcome) bool { return !o.Pass })
	if err != nil {
		return 0, "", fmt.Errorf("run the patched program with noise: %w", err)
	}
	for i, o := range outcomes {
		if !o.Pass {
			return len(outcomes), fmt.Sprintf("noised run %d (seed %d) failed: %s", i+1, o.Seed, describe(o)), nil
		}
	}
	if len(outcomes) < c.Runs {
		return len(outcomes), "", fmt.Errorf("only %d of %d noised runs were done", len(outcomes), c.Runs)
	}
	return len(outcomes), "", nil
}

// runNoised builds the module in a directory with noise and runs its tests n
// times, or until stop returns true.
func runNoised(ctx context.Context, dir string, n int, seed uint64, e effort, stop func(noise.Outcome) bool) (outcomes []noise.Outcome, err error) {
	tool, err := gotool.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	program, err := analysis.Load(ctx, tool, analysis.Target{Dir: tool.Dir, Package: "."})
	if err != nil {
		return nil, err
	}
	narrowing, err := analysis.Narrow(ctx, program)
	if err != nil {
		return nil, err
	}
	h, err := noise.New(noise.Config{
		Tool: tool, Program: program, Narrowing: narrowing,
		Workers: e.Workers, NoRace: e.NoRace || tool.RaceErr != nil, LeakProfile: e.Leaks,
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	binary, err := h.Build(ctx, noise.Noised, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, binary.Close()) }()
	return h.RunMany(ctx, binary, n, noise.RunOptions{Seed: seed, Timeout: runTimeout}, stop)
}

// describe says in a line how a run failed.
func describe(o noise.Outcome) string {
	if len(o.Failures) == 0 {
		return head(o.Output)
	}
	return fmt.Sprintf("%s: %s", o.Failures[0].Kind, o.Failures[0].Message)
}

// command finds a command; hint says what to do without it.
func command(name, hint string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%w; %s", err, hint)
	}
	return filepath.Abs(path)
}

// head is the first lines of a command's output, for a message.
func head(output []byte) string {
	const most = 12
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	if len(lines) > most {
		lines = append(lines[:most], "...")
	}
	return strings.Join(lines, "\n\t")
}

package commands

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"mendel/internal/gotool"
)

// Find finds a command; hint says what to do without it.
func Find(name, hint string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%w; %s", err, hint)
	}
	return filepath.Abs(path)
}

// Head is the first lines of a command's output, for a message.
func Head(output []byte) string {
	const most = 12
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	if len(lines) > most {
		lines = append(lines[:most], "...")
	}
	return strings.Join(lines, "\n\t")
}

// Verdict turns the end of a command into a problem, "" for success.
func Verdict(ctx context.Context, r gotool.RunResult) (problem string, err error) {
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case r.Stop != gotool.Exited:
		return fmt.Sprintf("stopped (%s): %s", r.Stop, Head(r.Output)), nil
	case r.ExitCode != 0:
		return fmt.Sprintf("exit status %d: %s", r.ExitCode, Head(r.Output)), nil
	}
	return "", nil
}

// goTimeout limits one go command; a download may take a while.
const goTimeout = 10 * time.Minute

// Go runs the go command in a directory and returns what it printed.
func Go(ctx context.Context, dir string, args ...string) ([]byte, error) {
	output, problem, err := GoSays(ctx, dir, args...)
	if err != nil {
		return nil, err
	}
	if problem != "" {
		return nil, fmt.Errorf("in %s: %s", dir, problem)
	}
	return output, nil
}

// GoSays runs the go command in a directory and returns what it printed, and
// what is wrong if it failed.
func GoSays(ctx context.Context, dir string, args ...string) (output []byte, problem string, err error) {
	goCommand, err := Find("go", "install Go (https://go.dev/dl)")
	if err != nil {
		return nil, "", err
	}
	r, err := gotool.Run(ctx, gotool.RunOptions{Path: goCommand, Args: args, Dir: dir, Timeout: goTimeout, Memory: 8 << 30})
	if err != nil {
		return nil, "", fmt.Errorf("run go %s: %w", strings.Join(args, " "), err)
	}
	if problem, err = Verdict(ctx, r); problem != "" {
		problem = fmt.Sprintf("go %s: %s", strings.Join(args, " "), problem)
	}
	return r.Output, problem, err
}

// BuildMendel builds the command mendel from the source that the working
// directory is in.
func BuildMendel(ctx context.Context, executable string) error {
	if _, err := Go(ctx, ".", "build", "-o", executable, "mendel/cmd/mendel"); err != nil {
		return fmt.Errorf("build mendel: %w; run in Mendel's source", err)
	}
	return nil
}

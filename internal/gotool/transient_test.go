//go:build unix

package gotool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A build that fails because of the machine is made once more, and is nothing
// that the program can be blamed for. The go command is a script.
func TestBuildRetry(t *testing.T) {
	for _, c := range []struct{ name, command, want string }{
		{"killed", "kill -9 $$", "killed by somebody else"},
		{"compiler killed", "echo 'go build x: compile: signal: killed'; exit 1", "the machine is short of something"},
		{"disk full", "echo 'write $WORK/b001/x.a: no space left on device'; exit 1", "the machine is short of something"},
	} {
		for _, passes := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, passes %t", c.name, passes), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				script := "#!/bin/sh\necho call >>calls\n"
				if passes {
					script += "if [ $(wc -l <calls) -eq 2 ]; then echo binary >output; exit 0; fi\n"
				}
				path := filepath.Join(dir, "go")
				if err := writeScript(path, script+c.command+"\n"); err != nil {
					t.Fatal(err)
				}
				tool := &Toolchain{path: path, Dir: dir}
				err := tool.BuildTest(t.Context(), BuildOptions{Package: ".", Output: filepath.Join(dir, "output")})
				if passes && err != nil || !passes && (err == nil || !strings.Contains(err.Error(), c.want)) {
					t.Errorf("got %v", err)
				}
				if be := (*BuildError)(nil); errors.As(err, &be) {
					t.Error("the program is blamed")
				}
				calls, err := os.ReadFile(filepath.Join(dir, "calls"))
				if err != nil || strings.Count(string(calls), "\n") != 2 {
					t.Errorf("%d calls, %v; want 2", strings.Count(string(calls), "\n"), err)
				}
			})
		}
	}
}

// writeScript writes a command. No process may be started meanwhile: it would hold
// the file open for writing until it executes, and a file that somebody may write
// cannot be executed ("text file busy").
func writeScript(path, text string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, []byte(text), 0o700)
}

// A question that somebody killed is asked once more.
func TestQueryRetry(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "go")
	if err := writeScript(path, "#!/bin/sh\nif mkdir called 2>/dev/null; then kill -9 $$; fi\necho answer\n"); err != nil {
		t.Fatal(err)
	}
	tool := &Toolchain{path: path, Dir: filepath.Dir(path)}
	if a, err := tool.query(t.Context(), "list"); err != nil || string(a.stdout) != "answer\n" {
		t.Errorf("%q, %v", a.stdout, err)
	}
}

// Only a transient error is tried again, and only while ctx lives.
func TestRetryTransient(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want int // calls
	}{
		{"none", t.Context(), nil, 1},
		{"other", t.Context(), errors.New("other"), 1},
		{"cancelled", over, fmt.Errorf("make temporary directory: %w", syscall.ENOSPC), 1},
	} {
		calls := 0
		err := retryTransient(c.ctx, func() error { calls++; return c.err })
		if calls != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %d calls, %v; want %d, %v", c.name, calls, err, c.want, c.err)
		}
	}
}

//go:build unix

package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hopeless is a module whose test fails under every locking: its goroutines
// use the shared variable in the test itself, which is not edited.
var hopeless = map[string]string{
	"go.mod": "module example.com/hopeless\n\ngo 1.25\n",
	"hopeless.go": `package hopeless

// Total is a sum.
var Total int

// Add adds to the sum.
func Add(n int) { Total += n }
`,
	"hopeless_test.go": `package hopeless

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			Add(1)
			Total++
		})
	}
	wg.Wait()
}
`,
}

// Ctrl-C at any moment ends the command soon with what it has: the exit code
// says whether a failure had been seen, result.json is written, and neither
// processes nor temporary files are left.
func TestInterrupt(t *testing.T) {
	for _, tt := range []struct {
		name, when string // interrupted when this is printed
		code       int
		want       string
	}{
		{"reproducing", "running the tests with noise", 3, "not reproduced: interrupted"},
		{"searching", "searching among", 1, "not fixed: interrupted"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, temp := t.TempDir(), t.TempDir()
			for name, text := range hopeless {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			out := filepath.Join(t.TempDir(), "out")
			cmd := exec.Command("mendel", "repair", "--out", out, dir)
			cmd.Env = append(os.Environ(), "TMPDIR="+temp)
			var stdout bytes.Buffer
			cmd.Stdout = &stdout
			stderr, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			seen := false
			for lines := bufio.NewScanner(stderr); lines.Scan(); {
				if !seen && strings.Contains(lines.Text(), tt.when) {
					seen = true
					if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
						t.Fatal(err)
					}
				}
			}
			cmd.Wait() // the exit code is looked at below
			if !seen {
				t.Fatalf("%q was never printed; stdout:\n%s", tt.when, stdout.String())
			}
			if code := cmd.ProcessState.ExitCode(); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if !strings.Contains(stdout.String(), tt.want) {
				t.Errorf("want %q in:\n%s", tt.want, stdout.String())
			}
			if _, err := os.Stat(filepath.Join(out, "result.json")); err != nil {
				t.Error(err)
			}
			nothingLeft(t, temp)
		})
	}
}

// A signal ends the command when a build hangs, and when Mendel itself hangs and hears
// nothing: the evidence is read from a pipe into which nobody writes.
func TestInterruptStuck(t *testing.T) {
	dir, tools := t.TempDir(), t.TempDir()
	for name, text := range hopeless {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	slow, pipe := filepath.Join(tools, "slow"), filepath.Join(tools, "pipe")
	if err := os.WriteFile(slow, []byte("#!/bin/sh\ncase \"$*\" in *-V=full*) exec \"$@\";; esac\ntouch "+slow+".begun\nexec sleep 1000\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, args string
		env        string
		await      func() // the moment for the signal
		code       int
		want       string
	}{
		{"build", "", "GOFLAGS=-toolexec=" + slow, func() { awaitFile(t, slow+".begun") }, 3, "not reproduced: interrupted"},
		{"itself", "--from=" + pipe, "", func() { openPipe(t, pipe) }, 2, "mendel: ended by force: it went on for 5s when it should have ended, while beginning"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			temp := t.TempDir()
			cmd := exec.Command("mendel", "repair", "--out", filepath.Join(t.TempDir(), "out"), dir)
			if tt.args != "" {
				cmd.Args = append(cmd.Args, tt.args)
			}
			cmd.Env = append(os.Environ(), "TMPDIR="+temp, tt.env)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			tt.await()
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			cmd.Wait() // the exit code is looked at below
			if code := cmd.ProcessState.ExitCode(); code != tt.code || !strings.Contains(out.String(), tt.want) {
				t.Errorf("exit code %d, want %d and %q in:\n%s", code, tt.code, tt.want, out.String())
			}
			if tt.code != 2 { // else the guard cleans up, after the end
				nothingLeft(t, temp)
			}
		})
	}
}

// awaitFile waits until a file is there.
func awaitFile(t *testing.T, name string) {
	t.Helper()
	for range 6000 { // five minutes: nobody waits so long unless the command is gone
		if _, err := os.Stat(name); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s was never made", name)
}

// openPipe waits until a pipe is read, and lets its reader wait for more.
func openPipe(t *testing.T, name string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
}

// nothingLeft fails when a temporary directory is not empty or, where that
// can be seen, a process still has it in its environment.
func nothingLeft(t *testing.T, temp string) {
	t.Helper()
	left, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		t.Errorf("left behind: %s", e)
	}
	if runtime.GOOS != "linux" {
		return
	}
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range environs {
		env, err := os.ReadFile(name)
		if err == nil && bytes.Contains(env, []byte("TMPDIR="+temp)) {
			t.Errorf("still running: %s", filepath.Dir(name))
		}
	}
}

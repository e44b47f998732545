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

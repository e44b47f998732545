//go:build unix

package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// endless is a module whose test passes under more schedules than can be tried.
var endless = map[string]string{
	"go.mod": "module example.com/endless\n\ngo 1.25\n",
	"endless_test.go": `package endless

import (
	"sync"
	"testing"
)

func TestEndless(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 8 {
		wg.Go(func() {
			for range 8 {
				mu.Lock()
				n++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}
`,
}

// Ctrl-C ends a check soon: it says what was done, which is no pass, writes
// check.json, and leaves neither processes nor temporary files.
func TestCheckInterrupt(t *testing.T) {
	for _, when := range []string{"building the instrumented tests", "exploring schedules"} {
		t.Run(when, func(t *testing.T) {
			dir, temp := t.TempDir(), t.TempDir()
			for name, text := range endless {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			out := filepath.Join(t.TempDir(), "out")
			cmd := exec.Command("mendel", "check", "--strategy", "random", "--budget", "10m", "--out", out, dir)
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
			for lines := bufio.NewScanner(stderr); lines.Scan(); {
				if strings.Contains(lines.Text(), when) {
					if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
						t.Fatal(err)
					}
				}
			}
			cmd.Wait() // the exit code is looked at below
			if code := cmd.ProcessState.ExitCode(); code != 2 {
				t.Errorf("exit code %d, want 2", code)
			}
			if !strings.HasPrefix(stdout.String(), "inconclusive: interrupted") {
				t.Errorf("stdout:\n%s", stdout.String())
			}
			data, err := os.ReadFile(filepath.Join(out, "check.json"))
			if err != nil || !bytes.Contains(data, []byte(`"interrupted": true`)) {
				t.Errorf("check.json: %v\n%s", err, data)
			}
			nothingLeft(t, temp)
		})
	}
}

//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mendel"
)

// uncounted is a module that is easy to repair.
var uncounted = map[string]string{
	"go.mod": "module example.com/counter\n\ngo 1.25\n",
	"counter.go": `package counter

// A Counter counts.
type Counter struct{ n int }

// Add counts one.
func (c *Counter) Add() { c.n++ }
`,
	"counter_test.go": `package counter

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var c Counter
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(c.Add)
	}
	wg.Wait()
	if c.n != 2 {
		t.Fail()
	}
}
`,
}

// reported is what the race detector says of it, a container's log around it.
const reported = `app-1  | ==================
app-1  | WARNING: DATA RACE
app-1  | Read at 0x00c000014148 by goroutine 8:
app-1  |   example.com/counter.(*Counter).Add()
app-1  |       /src/counter/counter.go:7 +0x44
app-1  |   example.com/counter.TestAdd.gowrap1()
app-1  |       /src/counter/counter_test.go:12 +0x3c
app-1  |
app-1  | Previous write at 0x00c000014148 by goroutine 7:
app-1  |   example.com/counter.(*Counter).Add()
app-1  |       /src/counter/counter.go:7 +0x54
app-1  |   example.com/counter.TestAdd.gowrap1()
app-1  |       /src/counter/counter_test.go:12 +0x3c
app-1  | ==================
`

// A repair of what standard input names, killed in its search, goes on without
// reading that again. While it ran another one was refused, and its state could
// be read all the time. When it has ended its fix can still be applied.
func TestKilledAndResumed(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	for name, text := range uncounted {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"repair", "--no-race", "--confirm", "5", "--from", "-", "--out", out}
	first := exec.Command("mendel", append(args, dir)...)
	first.Stdin = strings.NewReader(reported)
	stderr, err := first.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	searched := false
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if searched || !strings.Contains(lines.Text(), "searching among") {
			continue
		}
		searched = true
		code, _, said := finished(t, append(args, dir)...)
		if code != 2 || !strings.Contains(said, fmt.Sprintf("process %d", first.Process.Pid)) || !strings.Contains(said, "--out") {
			t.Errorf("a second one ends with %d: %s", code, said)
		}
		if s := stateIn(t, out); s.RunState != mendel.Running || s.PID != first.Process.Pid {
			t.Errorf("while it runs: %+v", s)
		}
		if err := first.Process.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Wait(); err == nil || !searched {
		t.Fatalf("it was not killed in its search: %v", err)
	}
	killed := stateIn(t, out)
	if killed.RunState != mendel.Killed || killed.Package != "example.com/counter" {
		t.Errorf("when it is killed: %+v", killed)
	}
	code, stdout, said := finished(t, "repair", "--json", "--resume", out)
	var result mendel.Result
	if err := json.Unmarshal([]byte(stdout), &result); err != nil || code != 0 || result.Status != mendel.Fixed {
		t.Fatalf("exit code %d, %v, %s", code, err, said)
	}
	if !strings.Contains(said, "going on after") || !strings.Contains(said, "standard input names 1 failure; tests: ^TestAdd$") {
		t.Errorf("it said %s", said)
	}
	if s := stateIn(t, out); s.RunState != mendel.Ended || s.Resumed != 1 || s.Fixes == 0 {
		t.Errorf("at the end: %+v", s)
	}
	code, again, _ := finished(t, "repair", "--json", "--resume", out)
	if code != 0 || again != stdout {
		t.Errorf("asked again it ends with %d and prints %s", code, again)
	}
	code, _, said = finished(t, "repair", "--json", "--resume", out, "--write")
	text, err := os.ReadFile(filepath.Join(dir, "counter.go"))
	if err != nil || code != 0 || !strings.Contains(said, "applied fix-1.patch") || !strings.Contains(string(text), "sync") {
		t.Errorf("to be applied it ends with %d, %v and says %s: %s", code, err, said, text)
	}
}

// stateIn asks the command for the state of a repair.
func stateIn(t *testing.T, out string) (s mendel.State) {
	t.Helper()
	code, stdout, said := finished(t, "status", "--json", out)
	if err := json.Unmarshal([]byte(stdout), &s); code != 0 || err != nil {
		t.Fatalf("exit code %d, %v: %s", code, err, said)
	}
	return s
}

// finished runs the command to its end.
func finished(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	c := exec.Command("mendel", args...)
	var o, e bytes.Buffer
	c.Stdout, c.Stderr = &o, &e
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), o.String(), e.String()
}

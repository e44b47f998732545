//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"mendel/internal/sample"
)

// counter is a module with a data race that one lock mends.
var counter = map[string]string{
	"go.mod":     "module example.com/counter\n\ngo 1.25\n",
	"counter.go": "package counter\n\nvar n int\n\nfunc add() { n++ }\n",
	"counter_test.go": `package counter

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(add)
	}
	wg.Wait()
}
`,
}

// A repair whose workers somebody kills (each test binary once, while it runs,
// and compilers or linkers) ends as if nobody had: nothing is blamed on the
// program or a mutant, and no work is given up.
func TestKilledWorkers(t *testing.T) {
	sample.Whole(t, "package fitness/noise has processes killed, and TestInterrupt looks for what is left")
	dir, temp := t.TempDir(), t.TempDir()
	for name, text := range counter {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("mendel", "repair", "-v", "--count", "5", "--confirm", "10", "--out", filepath.Join(t.TempDir(), "out"), dir)
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	k := workerKiller{temp: temp, mendel: cmd.Process.Pid, killed: map[string]int{}}
	tick := time.NewTicker(10 * time.Millisecond) // to read /proc more often takes more than the repair
	defer tick.Stop()
	for running := true; running; {
		select {
		case err := <-ended:
			if running = false; err != nil {
				t.Errorf("%v:\n%s", err, out.String())
			}
		case <-tick.C:
			k.look()
		}
	}
	t.Logf("killed: %v", k.killed)
	if len(k.killed) < 2 {
		t.Errorf("killed %v only", k.killed)
	}
	if !strings.Contains(out.String(), "ended: fixed") || strings.Contains(out.String(), "signal") {
		t.Errorf("the end:\n%s", out.String())
	}
	nothingLeft(t, temp)
}

// A workerKiller kills processes that a mendel has started.
type workerKiller struct {
	temp   string // where its temporary files are
	mendel int
	killed map[string]int // executables and how often; those of a build are "loading" or "build"
}

// look kills what it finds running and has not killed before.
func (k *workerKiller) look() {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == k.mendel {
			continue
		}
		proc := filepath.Join("/proc", e.Name())
		env, err := os.ReadFile(filepath.Join(proc, "environ"))
		if err != nil || !bytes.Contains(env, []byte("TMPDIR="+k.temp)) {
			continue // gone, or another's
		}
		exe, err := os.Readlink(filepath.Join(proc, "exe"))
		if err != nil {
			continue
		}
		switch {
		case strings.HasPrefix(exe, k.temp):
		case filepath.Base(exe) == "compile" || filepath.Base(exe) == "link":
			exe = "build"
			if len(k.killed) == k.killed["loading"] {
				exe = "loading" // no test binary was killed yet
			}
		default:
			continue
		}
		if k.killed[exe] > 0 {
			continue
		}
		if p, err := os.FindProcess(pid); err == nil && p.Kill() == nil {
			k.killed[exe]++
		}
	}
}

//go:build unix

package gotool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func helper(mode string) RunOptions {
	return RunOptions{Path: self(), Args: []string{"helper", mode}, Timeout: time.Minute}
}

func TestRunHostile(t *testing.T) {
	big := func(o *RunOptions) { o.Memory = 8 << 30 }
	short := func(o *RunOptions) { o.Timeout, o.Grace = time.Second, 100*time.Millisecond }
	tests := []struct {
		mode      string
		options   func(*RunOptions)
		stop      Stop
		code      int
		text      string // a regular expression in the output
		processes int    // that spoke
		linux     bool   // needs Linux's containment
		waits     bool   // takes nothing but time: at the same time as others
	}{
		{mode: "exit", code: 3, processes: 1},
		{mode: "kill", code: -1, processes: 1},
		{mode: "sleep", waits: true, options: short, stop: TimedOut, code: 2, text: `(?s)SIGQUIT: quit.*goroutine 1 .*gotool\.help`, processes: 1},
		{mode: "deaf", waits: true, options: short, stop: TimedOut, code: -1, text: "deaf", processes: 1},
		{mode: "print", stop: TooMuchText, code: -1, text: "dull boy", processes: 1},
		{mode: "allocate", options: func(o *RunOptions) { o.Memory = 100 << 20 }, stop: OutOfMemory, code: -1, processes: 1},
		{mode: "children", processes: 4},
		{mode: "daemon", processes: 3, linux: true},
		{mode: "stranger", options: func(o *RunOptions) { o.Memory = 200 << 20 }, stop: OutOfMemory, code: -1, processes: 2, linux: true},
		{mode: "nameless", processes: 3, linux: true},
		{mode: "relay", options: short, linux: true, processes: 1},
		{mode: "bomb", options: func(o *RunOptions) { big(o); o.Processes = 100 }, stop: TooManyProcesses, code: -1, processes: 1, linux: true},
		{mode: "stop", waits: true, options: short, stop: TimedOut, code: 2, text: `SIGQUIT: quit`, processes: 1},
		{mode: "mute", waits: true, options: short, stop: TimedOut, code: 2, processes: 1},
		{mode: "fill", options: func(o *RunOptions) { o.Disk = 50 << 20 }, stop: DiskFull, code: -1, processes: 1},
		{mode: "files", options: func(o *RunOptions) { o.Disk = 10 << 20 }, stop: DiskFull, code: -1, processes: 1},
		{mode: "deep", text: "deep", processes: 1},
		{mode: "storm", options: func(o *RunOptions) { big(o); o.Processes = 20 }, stop: TooManyProcesses, code: -1, processes: 20},
		{mode: "litter", text: "littered", processes: 1},
	}
	privateTemp(t)
	t.Cleanup(func() { checkNoneMarked(t, thisProcess) })
	for _, test := range tests {
		t.Run(test.mode, func(t *testing.T) {
			if test.linux && !contained {
				t.Skip("descendants that leave the process group are found on Linux only")
			}
			if test.waits {
				t.Parallel()
			} else {
				privateTemp(t)
				t.Cleanup(func() { checkNoneMarked(t, thisProcess) })
			}
			o := helper(test.mode)
			if test.options != nil {
				test.options(&o)
			}
			if test.mode == "print" {
				o.OutputLimit = 100 << 10
			}
			r, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Stop != test.stop || r.ExitCode != test.code {
				t.Errorf("Stop %q, exit code %d; want %q, %d\n%s", r.Stop, r.ExitCode, test.stop, test.code, r.Output)
			}
			if r.Killed != (test.mode == "kill") {
				t.Errorf("Killed is %t", r.Killed)
			}
			if !regexp.MustCompile(test.text).Match(r.Output) {
				t.Errorf("output does not match %q:\n%s", test.text, r.Output)
			}
			if o.OutputLimit > 0 && int64(len(r.Output)) != o.OutputLimit {
				t.Errorf("%d bytes of output, want %d", len(r.Output), o.OutputLimit)
			}
			checkGone(t, r.Output, test.processes)
		})
	}
}

// Files written elsewhere than in the temporary directory count too.
func TestRunFillElsewhere(t *testing.T) {
	if !contained {
		t.Skip("needs what Linux tells of a process")
	}
	privateTemp(t)
	elsewhere, err := os.MkdirTemp(onDisk, "elsewhere-") // what is written to memory is not told
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(elsewhere)
	o := helper("fill-unseen")
	o.Disk, o.Env = 10<<20, []string{"HELPER_ELSEWHERE=" + elsewhere}
	r, err := Run(t.Context(), o)
	if err != nil || r.Stop != DiskFull {
		t.Errorf("Stop %q, exit code %d, %v; want %q\n%s", r.Stop, r.ExitCode, err, DiskFull, r.Output)
	}
}

// Only files of the program are removed in the end: links are not followed.
func TestRunKeepsElsewhere(t *testing.T) {
	for _, mode := range []string{"swap", "litter"} {
		privateTemp(t)
		precious := t.TempDir()
		file := filepath.Join(precious, "file")
		if err := os.WriteFile(file, []byte("precious"), 0o400); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(precious, 0o500); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(precious, 0o700) })
		o := helper(mode)
		o.Env = []string{"HELPER_ELSEWHERE=" + precious}
		r, err := Run(t.Context(), o)
		if err != nil || r.ExitCode != 0 {
			t.Errorf("%s: exit code %d, %v\n%s", mode, r.ExitCode, err, r.Output)
		}
		info, err := os.Stat(precious)
		if err != nil || info.Mode().Perm() != 0o500 {
			t.Errorf("%s: %v, %v; want mode 0500", mode, info, err)
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != "precious" {
			t.Errorf("%s: %q, %v", mode, data, err)
		}
	}
}

// Text beyond the limit is told even if the program ended before it could be killed.
func TestRunOverflowAtExit(t *testing.T) {
	privateTemp(t)
	o := helper("print-last")
	o.OutputLimit = 100
	r, err := Run(t.Context(), o)
	if err != nil || r.Stop != TooMuchText || len(r.Output) != 100 {
		t.Errorf("Stop %q, %d bytes, %v; want %q, 100 bytes", r.Stop, len(r.Output), err, TooMuchText)
	}
}

// The output of a program that is asked to quit may be cut, but it timed out.
func TestRunOverflowAfterTimeout(t *testing.T) {
	privateTemp(t)
	o := helper("print-quit")
	o.Timeout, o.Grace, o.OutputLimit = time.Second, 300*time.Millisecond, 10<<10
	r, err := Run(t.Context(), o)
	if err != nil || r.Stop != TimedOut || int64(len(r.Output)) != o.OutputLimit {
		t.Errorf("Stop %q, %d bytes, %v; want %q, %d bytes", r.Stop, len(r.Output), err, TimedOut, o.OutputLimit)
	}
	checkGone(t, r.Output, 1)
}

// Who reads what a program prints while it runs may end it as its time-out would.
func TestRunStalled(t *testing.T) {
	privateTemp(t)
	stalled := make(chan struct{})
	var said []byte
	o := helper("sleep")
	o.Stalled = stalled
	o.Reads = func(text []byte) {
		if said == nil {
			close(stalled)
		}
		said = append(said, text...)
	}
	r, err := Run(t.Context(), o)
	if err != nil || r.Stop != TimedOut || !bytes.Contains(r.Output, []byte("SIGQUIT: quit")) || !bytes.Equal(said, r.Output) {
		t.Errorf("Stop %q, %v; %d of %d bytes were read:\n%s", r.Stop, err, len(said), len(r.Output), r.Output)
	}
	checkGone(t, r.Output, 1)
}

func TestRunCancelled(t *testing.T) {
	privateTemp(t)
	pids := filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		waitFor(t, func() bool { said, _ := os.ReadFile(pids); return pidLine.Match(said) })
		cancel()
	}()
	o := helper("deaf")
	o.Env = []string{"HELPER_PIDS=" + pids}
	r, err := Run(ctx, o)
	if err != nil || r.Stop != Cancelled || r.ExitCode != -1 {
		t.Errorf("Stop %q, exit code %d, %v; want %q, -1", r.Stop, r.ExitCode, err, Cancelled)
	}
	said, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	checkGone(t, said, 1)

	if r, err = Run(ctx, o); err != nil || r.Stop != Cancelled || r.ExitCode != -1 {
		t.Errorf("after the end of ctx: Stop %q, exit code %d, %v; want %q, -1", r.Stop, r.ExitCode, err, Cancelled)
	}
}

func TestRunEnvironment(t *testing.T) {
	privateTemp(t)
	t.Setenv("X", "from outside")
	o := helper("environment")
	o.Dir = t.TempDir()
	o.Env = []string{"X=from options"}
	o.Args = append(o.Args, "an argument", "")
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("dir=%s PWD=%s X=from options args=[\"an argument\" \"\"]\nstdin: 0 EOF\n", o.Dir, o.Dir)
	if _, got, _ := strings.Cut(string(r.Output), "\n"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRunUsage(t *testing.T) {
	privateTemp(t)
	r, err := Run(t.Context(), helper("spin"))
	if err != nil || r.Stop != Exited || r.ExitCode != 0 {
		t.Fatalf("Stop %q, exit code %d, %v", r.Stop, r.ExitCode, err)
	}
	if r.CPU <= 0 || r.Elapsed < 100*time.Millisecond || r.MaxRSS < 1<<20 || r.MaxRSS > 8<<30 || r.Switches < 0 {
		t.Errorf("CPU %v, elapsed %v, %d bytes, %d switches", r.CPU, r.Elapsed, r.MaxRSS, r.Switches)
	}
}

func TestRunNoProgram(t *testing.T) {
	privateTemp(t)
	for _, o := range []RunOptions{
		{Path: filepath.Join(t.TempDir(), "nothing")},
		{Path: self(), Dir: filepath.Join(t.TempDir(), "nowhere")},
		{Path: t.TempDir()},
		{Path: self(), Env: []string{"A=\x00"}},
	} {
		if r, err := Run(t.Context(), o); err == nil {
			t.Errorf("%+v: no error, %+v", o, r)
		}
	}
}

// Runs at the same time do not disturb each other.
func TestRunParallel(t *testing.T) {
	privateTemp(t)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			mode, stop := "children", Exited
			if i%4 == 1 {
				mode, stop = "print", TooMuchText
			}
			o := helper(mode)
			o.OutputLimit = 50 << 10
			r, err := Run(t.Context(), o)
			if err != nil || r.Stop != stop {
				t.Errorf("%s: Stop %q, %v; want %q", mode, r.Stop, err, stop)
			}
			checkGone(t, r.Output, 1)
		})
	}
	wg.Wait()
}

// supervisor is a process like Mendel's, guarded and killed in the middle of a run.
func supervisor() {
	if _, err := Guard(); err != nil {
		panic(err)
	}
	if _, _, err := TempDir(); err != nil {
		panic(err)
	}
	o := helper("court")
	o.Env = []string{"HELPER_PIDS=" + os.Getenv("SUPERVISED_PIDS")}
	fmt.Printf("mark %x\n", uint64(thisProcess))
	_, _ = Run(context.Background(), o)
}

// When Mendel itself is killed, all that it runs dies too, and its temporary
// files go.
func TestGuard(t *testing.T) {
	if !contained {
		t.Skip("a guard finds processes on Linux only")
	}
	pids, temp := filepath.Join(t.TempDir(), "pids"), t.TempDir()
	cmd := exec.Command(self(), "helper", "supervisor")
	cmd.Env = append(os.Environ(), "SUPERVISED_PIDS="+pids, "TMPDIR="+temp)
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said []byte
	waitFor(t, func() bool { said, _ = os.ReadFile(pids); return len(pidLine.FindAll(said, -1)) == 4 })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	giver := markIn(t, out.String())
	waitFor(t, func() bool {
		left, err := os.ReadDir(temp)
		return err == nil && len(left) == 0 && len(marked(t, giver)) == 0
	})
	checkGone(t, said, 4)
}

// markIn finds what a supervisor said of its marks.
func markIn(t *testing.T, said string) mark {
	t.Helper()
	m := regexp.MustCompile(`(?m)^mark ([0-9a-f]+)$`).FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("nothing was run: %s", said)
	}
	giver, err := strconv.ParseUint(m[1], 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return mark(giver)
}

// A guard that is not needed ends.
func TestGuardStopped(t *testing.T) {
	privateTemp(t)
	dir, remove, err := TempDir()
	if err != nil {
		t.Fatal(err)
	}
	stop, err := Guard()
	if err != nil {
		t.Fatal(err)
	}
	stop()
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the guard has removed what is in use: %v", err)
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
}

func TestTempDir(t *testing.T) {
	privateTemp(t)
	dir, remove, err := TempDir()
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v; want mode 0700", info.Mode(), err)
	}
	if err := errors.Join(remove(), remove()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s: %v, want it gone", dir, err)
	}
}

// A tree deeper than there may be files open is removed all the same.
func TestRemoveAllDeep(t *testing.T) {
	privateTemp(t)
	dir, remove, err := TempDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	t.Chdir(dir) // deep leaves the working directory behind
	deep(100)
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	few := limit
	few.Cur = 60
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		t.Fatal(err)
	}
	simple := os.RemoveAll(dir)
	err = remove()
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if simple == nil {
		t.Error("the tree is not deep enough to be a test")
	}
	if err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s: %v, want it gone", dir, err)
	}
}

package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// childDir makes the test binary a process that works in a directory until it
// is killed.
const childDir = "MENDEL_STORE_TEST_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if err := work(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// work enters scores for ever, and says so of each.
func work(dir string) error {
	lock, err := Acquire(dir)
	if err != nil {
		return err
	}
	defer lock.Release() // a lock that nothing refers to is collected, and its file closed
	s, _, err := Open(dir, false)
	if err != nil {
		return err
	}
	r := &Run{PID: os.Getpid()}
	if err := s.Begin(r); err != nil {
		return err
	}
	for i := 0; ; i++ {
		hash := fmt.Sprint(i)
		if err := s.KeepEvaluation(Evaluation{Mutant: Mutant{Hash: hash}, Judging: "j", Run: r.ID, Record: []byte("{}")}); err != nil {
			return err
		}
		fmt.Println(hash)
	}
}

// A process that is killed leaves all that it said it has kept, and no lock.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	for round := range 3 {
		c := exec.Command(os.Args[0], "-test.run=^$")
		c.Env = append(os.Environ(), childDir+"="+dir)
		c.Stderr = os.Stderr
		out, err := c.StdoutPipe()
		must(t, err)
		must(t, c.Start())
		lines := bufio.NewScanner(out)
		var kept []string
		for lines.Scan() {
			if kept = append(kept, lines.Text()); len(kept) == 1 {
				checkHeld(t, dir, c.Process.Pid)
			}
			if len(kept) == 20+10*round {
				must(t, c.Process.Kill())
			}
		}
		if err := c.Wait(); err == nil {
			t.Fatal("it ended by itself")
		}
		if len(kept) < 20 {
			t.Fatalf("it said that it had kept %d scores", len(kept))
		}
		lock, err := Acquire(dir)
		must(t, err)
		s := opened(t, dir)
		for _, hash := range kept {
			if _, _, ok, err := s.Evaluation("j", hash); !ok || err != nil {
				t.Errorf("the score of %s is lost: %v", hash, err)
			}
		}
		must(t, errors.Join(s.Close(), lock.Release()))
	}
}

// checkHeld looks at a lock that another process holds.
func checkHeld(t *testing.T, dir string, pid int) {
	t.Helper()
	_, err := Acquire(dir)
	var held *HeldError
	if !errors.As(err, &held) || held.Holder.PID != pid || held.Holder.Since.IsZero() || !strings.Contains(err.Error(), fmt.Sprint(pid)) {
		t.Errorf("%v, want one with process %d", err, pid)
	}
	if h, taken, err := Held(dir); err != nil || !taken || h.PID != pid {
		t.Errorf("holder %+v, %t, %v", h, taken, err)
	}
}

// A lock that is given back is free, whatever its file says.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	if _, held, err := Held(dir); held || err != nil {
		t.Errorf("a directory without lock is held: %v", err)
	}
	for range 2 {
		lock, err := Acquire(dir)
		must(t, err)
		if _, held, err := Held(dir); !held || err != nil {
			t.Errorf("not held: %v", err)
		}
		if _, err := Acquire(dir); err == nil {
			t.Error("taken twice")
		}
		must(t, errors.Join(lock.Release(), lock.Release()))
		if _, held, err := Held(dir); held || err != nil {
			t.Errorf("held: %v", err)
		}
	}
	if err := (*Lock)(nil).Release(); err != nil {
		t.Error(err)
	}
}

// A free lock is taken however late the process gets to try.
func TestLockLate(t *testing.T) {
	dir := t.TempDir()
	over, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	lock, err := acquire(over, dir)
	must(t, err)
	if _, err := acquire(over, dir); !errors.As(err, new(*HeldError)) {
		t.Errorf("taken twice: %v", err)
	}
	must(t, lock.Release())
}

func FuzzReadHolder(f *testing.F) {
	for _, seed := range []string{"", "12 2026-01-02T03:04:05Z\n", "-3 x", "99999999999999999999 2026-01-02T03:04:05Z", "7 tomorrow"} {
		f.Add(seed)
	}
	name := f.TempDir() + "/lock"
	f.Fuzz(func(t *testing.T, text string) {
		must(t, os.WriteFile(name, []byte(text), 0o600))
		if h, ok := readHolder(name); ok && h.PID <= 0 || !ok && h != (Holder{}) {
			t.Errorf("%q gives %+v, %t", text, h, ok)
		}
	})
}

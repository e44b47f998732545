package sched

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// virtualStart has executions begin when their options say, even if an earlier test
// made uncontrolled calls.
func virtualStart(t *testing.T) {
	was := orphans.left.Swap(false)
	t.Cleanup(func() { orphans.left.Store(was) })
}

// The time of a file is the virtual time at which it was written.
func TestFileTimes(t *testing.T) {
	virtualStart(t)
	AsksFiles()
	defer asksFiles.Store(false)
	start := time.Date(2020, 5, 1, 0, 0, 0, 0, time.UTC)
	name := filepath.Join(t.TempDir(), "f")
	write := func() time.Duration {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Error(err)
		}
		fi, err := os.Stat(name)
		if err != nil {
			t.Error(err)
		}
		return OfFile(fi).ModTime().Sub(start)
	}
	var at [3]time.Duration
	x := Run(first{}, Options{Start: start}, func() {
		for i := range at {
			at[i] = write()
			Sleep(time.Hour)
		}
	})
	if x.Failure != nil || at != [3]time.Duration{0, time.Hour, 2 * time.Hour} {
		t.Error(at, x.Failure)
	}
	if !x.Start.Equal(start) {
		t.Errorf("began at %v", x.Start)
	}
}

// A time that the program itself gave to a file stays what it is.
func TestChangedFileTimes(t *testing.T) {
	virtualStart(t)
	AsksFiles()
	defer asksFiles.Store(false)
	name := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x := Run(first{}, Options{Start: time.Now()}, func() {
		for _, d := range []time.Duration{-time.Hour, time.Hour} {
			at := Start().Add(d)
			if err := os.Chtimes(name, at, at); err != nil {
				t.Error(err)
			}
			fi, err := os.Stat(name)
			if err != nil {
				t.Error(err)
			} else if got := OfFile(fi).ModTime(); !got.Equal(at) {
				t.Errorf("got %v, want %v", got, at)
			}
		}
	})
	if x.Failure != nil {
		t.Error(x.Failure)
	}
}

type fakeConn struct{ set time.Time }

func (c *fakeConn) SetDeadline(t time.Time) error { c.set = t; return nil }

// A connection of the program's own gets the moment as it is.
func TestOwnDeadline(t *testing.T) {
	virtualStart(t)
	at := time.Unix(1e9, 0)
	c := &fakeConn{}
	Run(first{}, Options{Start: at}, func() {
		if err := OfConn(c).SetDeadline(at); err != nil {
			t.Error(err)
		}
	})
	if !c.set.Equal(at) {
		t.Error(c.set)
	}
}

// A deadline is as far away by the real clock as it is by the virtual one.
func TestDeadlineOfPipe(t *testing.T) {
	virtualStart(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	Run(first{}, Options{Start: time.Unix(1e9, 0)}, func() {
		for _, d := range []time.Duration{time.Hour, -time.Hour} {
			if err := OfConn(r).SetReadDeadline(Start().Add(d)); err != nil {
				t.Error(err)
			}
			if d > 0 {
				if _, err := w.Write([]byte{1}); err != nil {
					t.Error(err)
				}
			}
			if _, err := r.Read(make([]byte, 1)); os.IsTimeout(err) != (d < 0) {
				t.Errorf("deadline in %v: %v", d, err)
			}
		}
	})
}

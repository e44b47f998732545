package net_test

import (
	"io"
	"os"
	"testing"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/shim/net"
	clock "mendel/checker/shim/time"
)

// Outside control a pipe is as the real one.
func TestPipeOutsideControl(t *testing.T) { talk(t) }

func TestPipeUnderControl(t *testing.T) {
	o := sched.Options{Patience: time.Second}
	r, err := explore.Explore(nil, explore.Search{Strategy: "dfs", Preemptions: 1, Run: o}, func() { talk(t) })
	if err != nil || r.Verdict != explore.Exhausted || r.Executions < 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// talk sends a message one way, misses a deadline, and closes one end.
func talk(t *testing.T) {
	a, b := net.Pipe()
	a.SetDeadline(clock.Now().Add(time.Hour))
	sched.Go(func() { io.WriteString(b, "x") })
	got := make([]byte, 2)
	if n, err := a.Read(got); n != 1 || got[0] != 'x' || err != nil {
		t.Errorf("%d, %q, %v", n, got, err)
	}
	a.SetReadDeadline(clock.Now().Add(-time.Second))
	if _, err := a.Read(got); !os.IsTimeout(err) {
		t.Errorf("read after the deadline: %v", err)
	}
	a.SetReadDeadline(time.Time{})
	b.Close()
	if _, err := a.Read(got); err != io.EOF {
		t.Errorf("read after the other end was closed: %v", err)
	}
	if _, err := a.Write(got); err != io.ErrClosedPipe {
		t.Errorf("write after the other end was closed: %v", err)
	}
	a.Close()
}

package io_test

import (
	"errors"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/shim/io"
)

// Outside control a pipe is as the real one.
func TestPipeOutsideControl(t *testing.T) { transfer(t) }

func TestPipeUnderControl(t *testing.T) {
	r, err := explore.Explore(nil, explore.Search{Strategy: "dfs", Preemptions: -1}, func() { transfer(t) })
	if err != nil || r.Verdict != explore.Exhausted || r.Bound >= 0 || r.Executions < 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// transfer sends two writes through a pipe whose ends are then closed.
func transfer(t *testing.T) {
	r, w := io.Pipe()
	broken := errors.New("broken")
	sched.Go(func() {
		for _, s := range []string{"ab", "c"} {
			if n, err := io.WriteString(w, s); n != len(s) || err != nil {
				t.Errorf("wrote %d bytes of %q: %v", n, s, err)
			}
		}
		w.CloseWithError(broken)
		w.Close() // the first error counts
	})
	if b, err := io.ReadAll(r); string(b) != "abc" || err != broken {
		t.Errorf("%q, %v", b, err)
	}
	r.Close()
	if _, err := w.Write(nil); err != io.ErrClosedPipe {
		t.Error(err)
	}
}

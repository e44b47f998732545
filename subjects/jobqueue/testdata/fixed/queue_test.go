package jobqueue

import (
	"errors"
	"testing"
)

// A client submits while the owner closes.
func TestCloseWhileSubmitting(t *testing.T) {
	q := New(1)
	b := NewBatch(q)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		for range 2 {
			b.Add(func() {})
		}
	}()
	q.Close()
	<-finished
	if b.Done()+b.Refused() != 2 || b.Done() != q.Submitted() {
		t.Errorf("%d jobs done, %d refused, %d taken", b.Done(), b.Refused(), q.Submitted())
	}
}

func TestClosed(t *testing.T) {
	q := New(2)
	ran := make(chan bool, 1)
	if err := q.Submit(func() { ran <- true }); err != nil {
		t.Fatal(err)
	}
	q.Close()
	if !<-ran {
		t.Error("the job did not run")
	}
	if err := q.Submit(func() {}); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed queue takes jobs: %v", err)
	}
}

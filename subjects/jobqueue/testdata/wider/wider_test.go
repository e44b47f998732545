package jobqueue

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// Several clients submit while two owners close, and others read the count. It
// fails if Close may still close the channel between the look and the send, if a
// job that was taken is dropped, or if two that close both do it.
func TestWiderClose(t *testing.T) {
	for range 100 {
		q := New(2)
		var taken, refused, done atomic.Int64
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for range 5 {
					switch err := q.Submit(func() { done.Add(1) }); {
					case err == nil:
						taken.Add(1)
					case errors.Is(err, ErrClosed):
						refused.Add(1)
					default:
						t.Error(err)
					}
					_ = q.Submitted()
				}
			})
		}
		for range 2 {
			wg.Go(q.Close)
		}
		wg.Wait()
		if taken.Load()+refused.Load() != 15 || done.Load() != taken.Load() || q.Submitted() != int(taken.Load()) {
			t.Fatalf("%d jobs taken, %d refused, %d done, %d counted", taken.Load(), refused.Load(), done.Load(), q.Submitted())
		}
	}
}

// Nobody takes a job until all are submitted that find room, and a client waits
// for it. It fails if a job is dropped when nobody takes it at once.
func TestWiderWaits(t *testing.T) {
	q := New(1)
	release := make(chan struct{})
	var done atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := q.Submit(func() { <-release; done.Add(1) }); err != nil {
				t.Error(err)
			}
		})
	}
	close(release)
	wg.Wait()
	q.Close()
	q.Close()
	if done.Load() != 4 || q.Submitted() != 4 {
		t.Errorf("%d jobs done, %d taken, want 4", done.Load(), q.Submitted())
	}
}

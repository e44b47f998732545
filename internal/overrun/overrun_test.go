package overrun

import (
	"context"
	"strings"
	"testing"
	"time"
)

// clocked is a watchdog whose grace is over when the test says so.
func clocked() (w *Watchdog, over chan time.Time, asked chan time.Duration, ended chan string) {
	over, asked, ended = make(chan time.Time), make(chan time.Duration, 1), make(chan string, 1)
	w = New(func(text string) { ended <- text })
	w.after = func(d time.Duration) <-chan time.Time {
		asked <- d
		return over
	}
	return w, over, asked, ended
}

// A computation that never looks at its context is ended, with a word on what it was.
func TestOverrun(t *testing.T) {
	w, over, asked, ended := clocked()
	ctx, cancel := context.WithCancel(w.Context(t.Context()))
	defer Watch(ctx)()
	w.Phase("searching among %d edits", 7)
	cancel()
	if d := <-asked; d != Grace {
		t.Errorf("waits for %v", d)
	}
	over <- time.Time{}
	if text := <-ended; !strings.Contains(text, "while searching among 7 edits") {
		t.Error(text)
	}
}

// The process ends once, however many parts of it overrun.
func TestOverrunOnce(t *testing.T) {
	w, over, asked, ended := clocked()
	ctx, cancel := context.WithCancel(w.Context(t.Context()))
	defer Watch(ctx)()
	defer Watch(ctx)()
	cancel()
	for range 2 {
		<-asked
		over <- time.Time{}
	}
	<-ended
	w.mu.Lock() // the second one is done, or sees what follows
	defer w.mu.Unlock()
	if len(ended) > 0 || !w.ended {
		t.Error("ended twice")
	}
}

// Work that ends in time, or has no end, is left alone.
func TestInTime(t *testing.T) {
	w, over, asked, ended := clocked()
	for _, interrupted := range []bool{false, true} {
		ctx, cancel := context.WithCancel(w.Context(t.Context()))
		done := make(chan struct{})
		go func() {
			w.watch(ctx, done)
			ended <- "watched"
		}()
		if interrupted {
			cancel()
			<-asked
		}
		close(done)
		if text := <-ended; text != "watched" {
			t.Error(text)
		}
		cancel()
	}
	close(over)
}

// Parts that have budgets of their own do not end the process, and neither does a
// program without a watchdog.
func TestUnwatched(t *testing.T) {
	w, _, asked, _ := clocked()
	for _, ctx := range []context.Context{t.Context(), Without(w.Context(t.Context()))} {
		if Of(ctx) != nil {
			t.Error("there is a watchdog")
		}
		over, cancel := context.WithCancel(ctx)
		stop := Watch(over)
		cancel()
		stop()
		stop()
	}
	if len(asked) > 0 {
		t.Error("it was watched")
	}
}

package report

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"mendel/evolve"
)

// A fakeClock stands still until it is set.
type fakeClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func newClock() *fakeClock { return &fakeClock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func TestProgressTerminal(t *testing.T) {
	var out bytes.Buffer
	clock := newClock()
	width := 80
	p := NewProgress(ProgressOptions{
		Out:      &out,
		Terminal: true,
		Width:    func() int { return width },
		Now:      clock.Now,
		Deadline: clock.Now().Add(2 * time.Minute),
	})
	step := func(want string, do func()) {
		t.Helper()
		out.Reset()
		do()
		if got := out.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	step(clearLine+"searching | 0:00 | 2:00 left", func() { p.Phase("searching") })
	clock.pass(10 * time.Second)
	step(clearLine+"searching | generation 1 | best 500 of 1000 | 1 scored | 1:50 left", func() {
		p.Search(evolve.Event{Generation: 1, Evaluations: 1, Best: 500})
	})
	clock.pass(4 * time.Second)
	step(clearLine+"searching | generation 2 | best 900 of 1000 | 10 scored, 2.5/s | 1:46 left", func() {
		p.Search(evolve.Event{Generation: 2, Evaluations: 10, Best: 900, Done: true})
	})
	step(clearLine+"found\n"+clearLine+"searching | generation 2 | best 900 of 1000 | 10 scored, 2.5/s | 1:46 left", func() {
		p.Printf("found")
	})
	width = 12
	clock.pass(time.Hour)
	step(clearLine+"validating~", func() { p.Phase("validating\tvery \x1b[1m long") })
	step(clearLine, p.Close)
	step("", func() { p.Phase("too late"); p.Printf("too late"); p.Search(evolve.Event{}) })
}

// A tick redraws; after Close nothing is written and the goroutine is gone,
// whether or not somebody still ticks.
func TestProgressTicks(t *testing.T) {
	var out bytes.Buffer
	clock := newClock()
	ticks := make(chan time.Time)
	p := NewProgress(ProgressOptions{Out: &out, Terminal: true, Now: clock.Now, Ticks: ticks})
	p.Phase("waiting")
	clock.pass(3 * time.Second)
	ticks <- time.Time{}
	ticks <- time.Time{} // the first has been drawn, or is about to be before this one
	p.Close()
	if _, running := <-p.idle; running {
		t.Error("the ticking goroutine has not ended")
	}
	if !strings.Contains(out.String(), clearLine+"waiting | 0:03") {
		t.Errorf("no redraw in %q", out.String())
	}

	closed := make(chan time.Time)
	close(closed)
	NewProgress(ProgressOptions{Out: &out, Terminal: true, Ticks: closed}).Close()
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second:             "0:00",
		1499 * time.Millisecond:  "0:01",
		59600 * time.Millisecond: "1:00",
		754 * time.Second:        "12:34",
		3723 * time.Second:       "1:02:03",
	} {
		if got := clock(d); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}

package sched

import (
	"strings"
	"testing"
	"time"
)

// ticker returns the channel of a ticker that is never stopped.
func ticker(every time.Duration) chan bool {
	c := MakeChan[bool](1)
	var t *Timer
	t = NewTimer(every, func() {
		SelectDefault(To(c).Case(true))
		t.Reset(every)
	})
	return c
}

// janitor receives ticks for ever, and looks under a lock each time.
func janitor(every time.Duration) {
	tick, m, never := ticker(every), new(mutex), MakeChan[bool](0)
	Go(func() {
		for Select(From(tick), From(never)) == 0 {
			m.lock()
			m.unlock()
		}
	})
}

func TestPeriodicGoroutines(t *testing.T) {
	tests := []struct {
		name    string
		body    func()
		failure string // kind, "" for none
		blocked int
		cut     bool
	}{
		{"an execution ends with its test", func() { janitor(1); janitor(time.Hour) }, "", 0, true},
		{"a deadlock beside a janitor", func() { janitor(1); janitor(7); Recv((chan bool)(nil)) }, Deadlock, 1, true},
		{"a leak beside a janitor", func() {
			janitor(1)
			Go(func() { Recv((chan bool)(nil)) })
		}, Blocked, 1, true},
		{"a function that sets a timer for itself", func() {
			var again func()
			again = func() { NewTimer(time.Second, func() { Go(again) }) }
			again()
		}, "", 0, true},
		{"a timer long after the test", func() {
			NewTimer(time.Hour, func() { Go(func() { Recv((chan bool)(nil)) }) })
		}, Blocked, 1, false},
		{"a timer that is late", func() {
			janitor(time.Second)
			done := MakeChan[bool](1)
			NewTimer(time.Hour, func() { Send(done, true) })
			Recv(done)
		}, "", 0, true},
		{"a sleeper that is late", func() {
			janitor(time.Second)
			done := MakeChan[bool](1)
			Go(func() { Sleep(time.Hour); Close(done) })
			Recv(done)
		}, "", 0, true},
		{"ticks that are counted in memory", func() {
			tick, done, n := ticker(1), MakeChan[bool](0), new(int)
			Go(func() {
				for *R(n) < 2*stillRounds {
					Recv(tick)
					*W(n)++
				}
				Close(done)
			})
			Recv(done)
		}, "", 0, false},
		{"ticks that are counted by the test", func() {
			tick := ticker(1)
			for range 2 * stillRounds {
				Recv(tick)
			}
		}, "", 0, false},
		{"a sleep in a loop", func() {
			done := MakeChan[bool](0)
			Go(func() {
				for range 2 * stillRounds {
					Sleep(1)
				}
				Close(done)
			})
			Recv(done)
		}, "", 0, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			x := run(test.body)
			kind, blocked := "", 0
			if f := x.Failure; f != nil {
				kind, blocked = f.Kind, len(f.Places)
			}
			if kind != test.failure || blocked != test.blocked || x.Cut != test.cut {
				t.Errorf("%q, %d blocked, cut %t: want %q, %d, %t; %+v", kind, blocked, x.Cut, test.failure, test.blocked, test.cut, x.Failure)
			}
			if strings.Contains(test.name, "for itself") && x.Steps > 4*idleRounds+10 {
				t.Errorf("%d steps with nothing but a timer", x.Steps)
			}
			if x.Steps > 25_000 {
				t.Errorf("%d steps", x.Steps)
			}
		})
	}
}

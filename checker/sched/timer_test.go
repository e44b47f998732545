package sched

import (
	"fmt"
	"testing"
	"time"
)

func TestVirtualTime(t *testing.T) {
	tests := []struct {
		name string
		body func(out *string)
		want string
	}{
		{"time stands still", func(out *string) {
			before := Now()
			Yield()
			*out = fmt.Sprint(before, Now())
		}, "0s 0s"},
		{"sleep ends on time", func(out *string) {
			Sleep(time.Hour)
			Sleep(-5)
			Sleep(0)
			*out = fmt.Sprint(Now())
		}, "1h0m0s"},
		{"sleeps end in order", func(out *string) {
			for _, d := range []time.Duration{30, 10, 20} {
				Go(func() { Sleep(d); *out += fmt.Sprint(int(Now()), " ") })
			}
		}, "10 20 30 "},
		{"equal sleeps end in any order", func(out *string) {
			for _, s := range []string{"a", "b"} {
				Go(func() { Sleep(5); *out += s })
			}
		}, "ab|ba"},
		{"who can go on does so before time passes", func(out *string) {
			Go(func() { Sleep(1); *out += "late" })
			for range 3 {
				Yield()
				*out += "."
			}
		}, "...late"},
		{"timer", func(out *string) {
			c := MakeChan[time.Duration](1)
			NewTimer(7, func() { Send(c, Now()) })
			*out = fmt.Sprint(Recv(c))
		}, "7ns"},
		{"stop", func(out *string) {
			timer := NewTimer(7, func() { *out += "fired" })
			*out += fmt.Sprint(timer.Stop(), timer.Stop())
			Sleep(10)
		}, "true false"},
		{"stop is too late", func(out *string) {
			timer := NewTimer(7, func() { *out += "fired " })
			Sleep(8)
			*out += fmt.Sprint(timer.Stop())
		}, "fired false"},
		{"reset", func(out *string) {
			timer := NewTimer(7, func() { *out += fmt.Sprint(Now(), " ") })
			*out += fmt.Sprint(timer.Reset(9), " ")
			Sleep(20)
			*out += fmt.Sprint(timer.Reset(9))
			Sleep(20)
		}, "true 9ns false29ns "},
		{"ticker", func(out *string) {
			n := 0
			var ticker *Timer
			ticker = NewTimer(3, func() {
				n++
				ticker.Reset(3)
			})
			Sleep(10)
			ticker.Stop()
			Sleep(10)
			*out = fmt.Sprint(n, Now())
		}, "3 20ns"},
		{"a ticker nobody listens to hides no deadlock", func(out *string) {
			var ticker *Timer
			ticker = NewTimer(3, func() { ticker.Reset(3) })
			Recv((chan int)(nil))
		}, "deadlock: blocked for ever:"},
		{"nor is one seen while somebody sleeps", func(out *string) {
			var ticker *Timer
			ticker = NewTimer(1, func() { ticker.Reset(1) })
			c := MakeChan[bool](0)
			Go(func() { Sleep(time.Hour); Send(c, true) })
			Recv(c)
			*out = fmt.Sprint(Now())
			ticker.Stop()
		}, "1h0m0s"},
		{"timer starts a goroutine", func(out *string) {
			NewTimer(3, func() { Go(func() { *out += "ran at " + fmt.Sprint(Now()) }) })
		}, "ran at 3ns"},
		{"a timer's value is dropped when there is no room", func(out *string) {
			c := MakeChan[int](1)
			NewTimer(1, func() { Send(c, 1); Send(c, 2) })
			Sleep(2)
			*out = fmt.Sprint(Len(c), Recv(c))
		}, "1 1"},
		{"timeout of a select", func(out *string) {
			c, timeout := MakeChan[int](0), MakeChan[int](1)
			Go(func() { Sleep(2); Send(c, 1) })
			NewTimer(3, func() { Send(timeout, 1) })
			*out = fmt.Sprint(Select(From(c), From(timeout)))
		}, "0"},
		{"panic in a timer", func(out *string) {
			NewTimer(3, func() { Go(func() { panic("late") }) })
		}, "panic: panic: late"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := outcomes(t, test.body); got != test.want {
				t.Errorf("outcomes %q, want %q", got, test.want)
			}
		})
	}
}

func TestTimersOfEarlierExecutions(t *testing.T) {
	var timer *Timer
	expect(t, run(func() { timer = NewTimer(1000, func() { panic("fired") }); Fail("stop") }), TestFailure, "stop")
	expect(t, run(func() {
		if timer.Stop() {
			panic("a timer of another execution is not set")
		}
		Sleep(5000)
	}), "", "")
}

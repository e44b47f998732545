package time_test

import (
	"fmt"
	"slices"
	"testing"
	realtime "time"

	"mendel/checker/sched"
	"mendel/checker/shim/internal/explore"
	"mendel/checker/shim/time"
)

func check(t *testing.T, body func() string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := explore.Outcomes(t, body); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got, ok := explore.Reduced(t, body); ok && !slices.Equal(got, want) {
		t.Errorf("with reduction: got %q\nwant %q", got, want)
	}
}

func TestVirtualClock(t *testing.T) {
	check(t, func() string {
		before := time.Now()
		time.Sleep(36 * time.Hour)
		time.Sleep(-1)
		return fmt.Sprint(before.UTC().Format(time.DateTime), " ", time.Since(before), time.Until(before))
	}, "2000-01-01 00:00:00 36h0m0.00000001s -36h0m0.00000002s")
}

// Timers fire in the order of their times, however they were set.
func TestTimersFireInOrder(t *testing.T) {
	check(t, func() string {
		got := sched.MakeChan[int](3)
		for _, d := range []int{3, 1, 2} {
			time.AfterFunc(time.Duration(d)*time.Second, func() { sched.Send(got, d) })
		}
		return fmt.Sprint(sched.Recv(got), sched.Recv(got), sched.Recv(got))
	}, "1 2 3")
}

// checkEarly is check where timers may expire while goroutines can go on.
func checkEarly(t *testing.T, body func() string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := explore.OutcomesEarly(t, body); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got, ok := explore.ReducedEarly(t, body); ok && !slices.Equal(got, want) {
		t.Errorf("with reduction: got %q\nwant %q", got, want)
	} else if !ok {
		t.Error("with reduction: not exhausted")
	}
}

func TestTimeoutsThatWin(t *testing.T) {
	for _, test := range []struct {
		name string
		body func() string
		want []string
	}{
		{"against a sender", func() string {
			c := sched.MakeChan[int](1)
			sched.Go(func() { sched.Send(c, 1) })
			return fmt.Sprint(sched.Select(sched.From(c), sched.From(time.After(time.Second))), time.Now().Second())
		}, []string{"0 0", "1 1", "0 1"}},
		{"a sleep is no synchronisation", func() string {
			c := sched.MakeChan[int](1)
			sched.Go(func() { sched.Send(c, 1) })
			time.Sleep(time.Second)
			return fmt.Sprint(sched.Len(c))
		}, []string{"0", "1"}},
		{"two that are due at one moment", func() string {
			c := sched.MakeChan[int](2)
			time.AfterFunc(time.Second, func() { sched.Send(c, 1) })
			time.AfterFunc(time.Second, func() { sched.Send(c, 2) })
			return fmt.Sprint(sched.Recv(c), sched.Recv(c))
		}, []string{"1 2", "2 1"}},
		{"channels in order of setting", func() string {
			a, b := time.After(time.Second), time.After(time.Second)
			sched.Recv(b)
			return fmt.Sprint(sched.SelectDefault(sched.From(a)))
		}, []string{"0"}},
		{"one that is due at once", func() string {
			c := time.After(0)
			return fmt.Sprint(sched.SelectDefault(sched.From(c)))
		}, []string{"0", "-1"}},
		{"stopped in time or not", func() string {
			n := new(int)
			done := sched.MakeChan[bool](1)
			timer := time.AfterFunc(time.Second, func() { *sched.W(n) = 1; sched.Send(done, true) })
			sched.Yield()
			if timer.Stop() {
				return "stopped"
			}
			sched.Recv(done)
			return fmt.Sprint(*sched.R(n))
		}, []string{"1", "stopped"}},
		{"a value that was not received is taken back", func() string {
			timer := time.NewTimer(time.Second)
			sched.Yield()
			stopped := timer.Stop()
			return fmt.Sprint(stopped, sched.SelectDefault(sched.From(timer.C)))
		}, []string{"true -1"}},
		{"a timer does not overtake an earlier one", func() string {
			c := sched.MakeChan[int](2)
			after := time.After(time.Second)
			sched.Go(func() { time.Sleep(2 * time.Second); sched.Send(c, 2) })
			sched.Recv(c)
			return fmt.Sprint(sched.SelectDefault(sched.From(after)))
		}, []string{"0"}},
		{"elapsed time", func() string {
			time.After(time.Second)
			start := time.Now()
			return time.Since(start).String()
		}, []string{"10ns", "1.00000001s"}},
	} {
		t.Run(test.name, func(t *testing.T) { checkEarly(t, test.body, test.want...) })
	}
}

func TestTimeout(t *testing.T) {
	check(t, func() string {
		never := sched.MakeChan[int](0)
		if sched.Select(sched.From(never), sched.From(time.After(time.Minute))) == 1 {
			return fmt.Sprint(time.Now().Minute())
		}
		return "received"
	}, "1")
}

func TestAfterFuncMakesAnEdge(t *testing.T) {
	check(t, func() string {
		n := new(int)
		done := sched.MakeChan[bool](0)
		*sched.W(n) = 1
		time.AfterFunc(time.Second, func() {
			*sched.RW(n)++
			sched.Send(done, true)
		})
		sched.Recv(done)
		return fmt.Sprint(*sched.R(n))
	}, "2")
}

// After Stop and Reset nothing of an earlier setting is received.
func TestStopAndReset(t *testing.T) {
	check(t, func() string {
		timer := time.NewTimer(time.Second)
		got := fmt.Sprint(timer.Stop(), timer.Stop())
		got += fmt.Sprint(" ", timer.Reset(time.Second), timer.Reset(2*time.Second))
		time.Sleep(time.Hour)
		got += fmt.Sprint(" ", timer.Reset(time.Second)) // fired, not received
		first := time.Now()
		got += fmt.Sprint(" ", sched.Recv(timer.C).Sub(first))
		return got + fmt.Sprint(" ", timer.Stop())
	}, "true false false true true 1s false")
	check(t, func() string {
		timer := time.AfterFunc(time.Second, func() {})
		got := fmt.Sprint(timer.C == nil, timer.Stop(), timer.Reset(1))
		time.Sleep(time.Hour)
		return got + fmt.Sprint(timer.Stop())
	}, "true true falsefalse")
}

func TestTicker(t *testing.T) {
	check(t, func() string {
		begin := time.Now()
		ticker := time.NewTicker(time.Second)
		got := fmt.Sprint(sched.Recv(ticker.C).Sub(begin), sched.Recv(ticker.C).Sub(begin))
		ticker.Reset(time.Minute)
		got += fmt.Sprint(" ", sched.Recv(ticker.C).Sub(begin))
		ticker.Stop()
		if sched.Select(sched.From(ticker.C), sched.From(time.After(time.Hour))) == 0 {
			got += " ticks"
		}
		return got
	}, "1s 2s 1m2s")
}

// A ticker that nobody listens to hides neither a deadlock nor a later sleeper.
func TestIdleTicker(t *testing.T) {
	check(t, func() string {
		time.Tick(time.Millisecond)
		sched.Recv(sched.MakeChan[int](0))
		return "received"
	}, "deadlock")
	check(t, func() string {
		ticker := time.NewTicker(time.Nanosecond)
		time.Sleep(1000 * time.Hour)
		sched.Recv(ticker.C)
		sched.Recv(ticker.C)
		return "ticks"
	}, "ticks")
}

func TestEndOfTime(t *testing.T) {
	check(t, func() string {
		time.Sleep(time.Second)
		timer := time.NewTimer(1<<63 - 1)
		ticker := time.NewTicker(1<<63 - 1)
		return fmt.Sprint(timer.Stop(), ticker.C != nil)
	}, "true true")
}

func TestMisuse(t *testing.T) {
	for want, misuse := range map[string]func(){
		"time: Stop called on uninitialized Timer":   func() { new(time.Timer).Stop() },
		"time: Reset called on uninitialized Timer":  func() { new(time.Timer).Reset(1) },
		"time: Reset called on uninitialized Ticker": func() { new(time.Ticker).Reset(1) },
		"non-positive interval for NewTicker":        func() { time.NewTicker(0) },
		"non-positive interval for Ticker.Reset":     func() { new(time.Ticker).Reset(0) },
		"<nil>":                                      func() { new(time.Ticker).Stop() },
	} {
		body := func() (got string) {
			defer func() { got = fmt.Sprint(recover()) }()
			misuse()
			return
		}
		check(t, body, want)
		if got := body(); got != want {
			t.Errorf("outside control: %q, want %q", got, want)
		}
	}
}

func TestOutsideControl(t *testing.T) {
	if d := realtime.Since(time.Now()); d < 0 || d > realtime.Hour {
		t.Error("Now is not the real time")
	}
	if v := <-time.After(1); v.IsZero() {
		t.Error("After sent no time")
	}
	timer := time.NewTimer(time.Hour)
	if !timer.Reset(time.Hour) || !timer.Stop() || timer.Stop() {
		t.Error("Stop and Reset do not tell what they did")
	}
	ticker := time.NewTicker(time.Millisecond)
	<-ticker.C
	ticker.Reset(time.Hour)
	ticker.Stop()
	done := make(chan bool)
	time.AfterFunc(1, func() { close(done) })
	<-done
	time.Sleep(1)
}

// No two moments are the same. A duration that was computed from them lasts as long as it
// would if they were.
func TestMoments(t *testing.T) {
	check(t, func() string {
		deadline := time.Now().Add(time.Second)
		for range 3 {
			time.Now()
		}
		begin := sched.Now()
		time.Sleep(time.Until(deadline))
		odd := sched.Now()
		time.Sleep(1500)
		return fmt.Sprint(odd-begin, sched.Now()-odd)
	}, "1s 1.5µs")
}

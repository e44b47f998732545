//go:build go1.25

package synctest_test

import (
	"fmt"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/shim/sync"
	"mendel/checker/shim/synctest"
	"mendel/checker/shim/time"
)

// Timers that are due together fire in any order, and goroutines that the first
// ones wake may see that the others have not fired.
func TestSimultaneous(t *testing.T) {
	check(t, in(func() string {
		a, b := time.NewTimer(1), time.NewTimer(1)
		first := sched.Select(sched.From(a.C), sched.From(b.C))
		return fmt.Sprint(first, " ", []*time.Timer{b, a}[first].Stop())
	}), "0 true", "1 true")
	check(t, in(func() string {
		var mu sync.Mutex
		got := ""
		time.AfterFunc(1, func() { mu.Lock(); got += "a"; mu.Unlock() })
		timer := time.AfterFunc(1, func() { mu.Lock(); got += "b"; mu.Unlock() })
		time.Sleep(1)
		stopped := timer.Stop()
		synctest.Wait()
		return got + fmt.Sprint(stopped)
	}), "abfalse", "bafalse", "atrue")
}

// Ticks come at their times, whoever receives them when.
func TestTicker(t *testing.T) {
	check(t, in(func() string {
		start := time.Now()
		ticker := time.NewTicker(time.Second)
		time.Sleep(10*time.Second + 1)
		got := fmt.Sprint(sched.Recv(ticker.C).Sub(start), " ", sched.Recv(ticker.C).Sub(start))
		ticker.Stop()
		return got
	}), "1s 11s")
}

// Timers of a bubble must not be touched from outside.
func TestTimersFromOutside(t *testing.T) {
	for want, use := range map[string]func(*time.Timer){
		"stop":  func(t *time.Timer) { t.Stop() },
		"reset": func(t *time.Timer) { t.Reset(1) },
	} {
		check(t, func() string {
			var timer *time.Timer
			sched.RunBubble("", func() { timer = time.NewTimer(1) })
			use(timer)
			return "went on"
		}, "panic: fatal error: "+want+" of synctest timer from outside bubble")
	}
}

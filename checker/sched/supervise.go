package sched

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// supervise waits for the end of the execution. When one step takes longer
// than Options.StepTime it takes control away from the running goroutine.
func (x *execution) supervise() {
	timer := time.NewTimer(x.options.StepTime)
	defer timer.Stop()
	seen := x.control.Load()
	for {
		select {
		case <-x.done:
			return
		case <-timer.C:
		}
		c := x.control.Load()
		if c == seen && c&3 == inBody && x.control.CompareAndSwap(c, seized) {
			x.seize()
			return
		}
		seen = c
		timer.Reset(x.options.StepTime)
	}
}

// seize ends an execution whose running goroutine does not come back.
func (x *execution) seize() {
	stack, _ := orphan(running.Load())
	doing := "still running"
	if strings.Contains(stack, "[") && !strings.Contains(stack, "[run") {
		doing = "blocked"
	}
	x.result.Failure = &Failure{
		Kind: Uncontrolled,
		Message: fmt.Sprintf("a step took longer than %v of wall-clock time; the goroutine is %s in code that is not under control:\n%s",
			x.options.StepTime, doing, stack),
	}
}

// stackOf returns the part of a goroutine dump that shows g.
func stackOf(g *goroutine) string {
	mark := fmt.Sprintf("(*goroutine).main(%p", g)
	for _, stack := range strings.Split(dump(), "\n\n") {
		if strings.Contains(stack, mark) {
			return stack
		}
	}
	return "(stack not found)"
}

// dump returns the stacks of all goroutines.
func dump() string {
	buf := make([]byte, 64<<10)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) || len(buf) > 16<<20 {
			return string(buf[:n])
		}
		buf = make([]byte, 2*len(buf))
	}
}

// tearDown ends the goroutines that are left, the youngest first: each is
// given control, leaves by runtime.Goexit and runs its deferred calls.
func (x *execution) tearDown() {
	x.over = true
	var timer *time.Timer
	for i := len(x.goroutines) - 1; i >= 0; i-- {
		g := x.goroutines[i]
		if !g.started || g.fate.Load() != alive {
			continue
		}
		if timer == nil {
			timer = time.NewTimer(x.options.StepTime)
			defer timer.Stop()
		} else {
			timer.Reset(x.options.StepTime)
		}
		running.Store(g)
		g.wake <- struct{}{}
		x.expel(g, timer)
	}
}

// expel waits until g is gone, or makes it an orphan.
func (x *execution) expel(g *goroutine, timer *time.Timer) {
	for {
		select {
		case other := <-x.done:
			if other == g {
				return
			}
		case <-timer.C:
			if stack, ok := orphan(g); ok && x.result.Failure == nil {
				x.result.Failure = &Failure{Kind: Uncontrolled,
					Message: "a goroutine did not end when the execution was over:\n" + stack}
			}
			return
		}
	}
}

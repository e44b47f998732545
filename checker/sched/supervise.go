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
	look := min(usualLook, x.options.StepTime)
	timer := time.NewTimer(look)
	defer timer.Stop()
	seen, since := x.control.Load(), time.Now()
	used, limit := time.Duration(-1), x.options.StepTime // used is not known: most executions end before the first look
	for hasty := false; ; {
		select {
		case <-x.done:
			return
		case <-x.environment.nudge:
			hasty = true
		case <-timer.C:
			if used < 0 {
				used = processorTime()
			}
			c := x.control.Load()
			switch took := time.Since(since); {
			case c != seen || c&3 != inBody:
				hasty = hasty && c == seen
				seen, since = c, time.Now()
				used, limit = processorTime(), x.options.StepTime
			default:
				if next, out := x.sendOut(c, took); out {
					if next == nil {
						return
					}
					next.resume()
				} else if took >= limit && x.starved(took, processorTime()-used) {
					limit = took + x.options.StepTime/2
				} else if took >= limit && x.control.CompareAndSwap(c, seized) {
					x.seize()
					return
				}
			}
		}
		if hasty {
			timer.Reset(hastyLook)
		} else {
			timer.Reset(look)
		}
	}
}

// starved reports whether a step takes long because the machine is busy with other
// processes: its goroutine runs, and this process had less than Options.StepTime of
// processor time since.
func (x *execution) starved(took, used time.Duration) bool {
	if used >= x.options.StepTime || took >= mostStarved*x.options.StepTime {
		return false
	}
	g := running.Load()
	return g != nil && strings.Contains(stackOf(g), " [run")
}

// mostStarved is how many times Options.StepTime a step may take in any case. Guessed.
const mostStarved = 20

// seize ends an execution whose running goroutine does not come back.
func (x *execution) seize() {
	stack, _ := orphan(running.Load())
	doing := "still running, without an operation that others can notice:"
	if strings.Contains(stack, "[") && !strings.Contains(stack, "[run") {
		doing = "blocked in code that is not under control:"
	}
	x.result.Failure = &Failure{
		Kind: Uncontrolled,
		Message: fmt.Sprintf("a step took longer than %v of wall-clock time; the goroutine is %s\n%s",
			x.options.StepTime, doing, stack),
	}
}

// stackOf returns the part of a goroutine dump that shows g.
func stackOf(g *goroutine) string {
	if stack := stackIn(dump(), g); stack != "" {
		return stack
	}
	return "(stack not found)"
}

// stackIn returns the part of a goroutine dump that shows g, "" if none does.
func stackIn(dump string, g *goroutine) string {
	begin, mark := "goroutine "+g.number+" ", fmt.Sprintf("(*goroutine).main(%p", g)
	for stack := range stacksOf(dump) {
		if g.number != "" && strings.HasPrefix(stack, begin) || g.number == "" && strings.Contains(stack, mark) {
			return stack
		}
	}
	return ""
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
	x.close()
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
	x.leaveCoroutines()
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

package hook

import (
	"os"
	"time"
)

const (
	// tick is how often the watchdog looks whether hooks are still being passed;
	// it looks more and more seldom, down to maxTick, at a program that passes
	// none and yet is not blocked.
	tick    = 20 * time.Millisecond
	maxTick = 200 * time.Millisecond
	// ExitDeadlock is the exit status of a run that the watchdog ended.
	ExitDeadlock = 67
)

// guard ends the program with a report when it is deadlocked. It takes dumps,
// which stop the world, only while no hook is passed.
func guard() {
	var p patrol
	var last uint64
	for pause := tick; ; {
		time.Sleep(pause)
		if n := moved(); n != last {
			last, p, pause = n, patrol{}, tick
			continue
		}
		blocked, certain := deadlocked()
		if !certain {
			p, pause = patrol{}, min(pause+tick, maxTick)
			continue
		}
		pause = tick
		p.see(blocked)
		if !p.settled(blocked) {
			continue
		}
		watched.Lock()
		test, running := watched.first, watched.running
		watched.Unlock()
		if running == 0 {
			continue // between tests only package testing acts
		}
		report("mendel: deadlock in ", test, blocked)
		os.Exit(ExitDeadlock)
	}
}

// deadlocked returns all goroutines of the program if every one is blocked and
// none can be freed from outside.
func deadlocked() (blocked []goroutine, certain bool) {
	all, complete := goroutines()
	if !complete {
		return nil, false
	}
	own := false
	for _, g := range all {
		switch g.hold {
		case active, outside:
			return nil, false
		case awaits, stuck:
			blocked = append(blocked, g)
			own = own || g.own
		}
	}
	return blocked, own
}

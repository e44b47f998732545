package hook

import (
	"os"
	"strings"
	"time"
)

const (
	// tick is how often the watchdog looks whether hooks are still being passed.
	// The interval grows up to maxTick while a program passes none and is not
	// blocked.
	tick    = 20 * time.Millisecond
	maxTick = 200 * time.Millisecond
	// ExitDeadlock is the exit status of a run that the watchdog ended.
	ExitDeadlock = 67
)

// A watchdog remembers since when goroutines stand where they stand.
type watchdog struct {
	since map[stand]time.Time
	freed time.Time // when one was last seen to have got the lock it waited for
}

// A stand is where a goroutine stands, and why.
type stand struct{ id, state, at string }

func (g *goroutine) stand() stand { return stand{g.id, g.state, g.at} }

// see notes where goroutines stand now. The time of those that moved begins anew.
func (w *watchdog) see(gs []goroutine) {
	now, since := time.Now(), make(map[stand]time.Time)
	for _, g := range gs {
		if t, ok := w.since[g.stand()]; ok {
			since[g.stand()] = t
		} else {
			since[g.stand()] = now
		}
	}
	for was := range w.since {
		if _, still := since[was]; !still && strings.HasSuffix(was.state, "Lock") {
			w.freed = now
		}
	}
	w.since = since
}

// stable reports whether all goroutines have stood still long enough.
func (w *watchdog) stable(gs []goroutine) bool {
	grace := shortGrace
	for _, g := range gs {
		if g.hold == awaits {
			grace = longGrace
		}
	}
	return len(w.longer(gs, grace)) == len(gs)
}

// longer returns the goroutines that have stood for at least d.
func (w *watchdog) longer(gs []goroutine, d time.Duration) []goroutine {
	var kept []goroutine
	for _, g := range gs {
		if t, ok := w.since[g.stand()]; ok && time.Since(t) >= d {
			kept = append(kept, g)
		}
	}
	return kept
}

// givenUp returns the goroutines that have stood for long when nobody waits for the
// others any more: none while locks go from one to the next.
func (w *watchdog) givenUp(gs []goroutine) []goroutine {
	if time.Since(w.freed) <= longGrace {
		return nil
	}
	return w.longer(gs, longGrace)
}

// run ends the program with a report when it is deadlocked. It takes dumps,
// which stop the world, only while no hook is passed.
func (w *watchdog) run() {
	var last uint64
	for pause := tick; ; {
		time.Sleep(pause)
		if n := moved(); n != last {
			last, *w, pause = n, watchdog{}, tick
			continue
		}
		blocked, certain := deadlocked()
		if !certain {
			*w, pause = watchdog{}, min(pause+tick, maxTick)
			continue
		}
		pause = tick
		w.see(blocked)
		if !w.stable(blocked) {
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
		case active, external:
			return nil, false
		case awaits, stuck:
			blocked = append(blocked, g)
			own = own || g.own
		}
	}
	return blocked, own
}

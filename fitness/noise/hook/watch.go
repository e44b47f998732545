package hook

import (
	"bytes"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"time"
)

// T is what Watch needs of a *testing.T.
type T interface {
	Cleanup(func())
	Failed() bool
	Fail()
	Name() string
}

const (
	// shortGrace is how long a goroutine must wait for a lock, a wait group or
	// a receiver at the same place when nothing else can run.
	shortGrace = 60 * time.Millisecond
	// longGrace is the same for one that receives or selects, which might wait
	// for a timer that the source does not show.
	longGrace = 400 * time.Millisecond
	// Goroutines that still run after a test are given runningGrace to end when
	// no other is blocked, and blockedGrace when one is.
	runningGrace = 100 * time.Millisecond
	blockedGrace = time.Second
	// progressGrace is for two cases: goroutines that wait for a lock get it, one
	// after the other, or the leak profile says that the blocked ones are
	// reachable. If they still get it then, nothing is reported: they and who waits
	// for them may be many, and slow.
	progressGrace = 5 * time.Second

	maxReported   = 32       // goroutines in a report
	maxReportText = 48 << 10 // bytes
)

// stderr is where reports go, whatever the program does to os.Stderr.
var stderr = os.Stderr

// watched has the tests that are running. It is locked only at the beginning and the
// end of tests, which package testing orders anyway. Between these, parallel tests
// stay unordered.
var watched struct {
	sync.Mutex
	running  int
	first    string          // name of the test that began the group
	before   map[string]bool // goroutines that were there when the group began
	watchdog bool            // it runs
}

// Watch makes a test fail that leaves goroutines blocked for ever. It is the first
// statement of the test, so that its check is the last cleanup. Of tests that run
// in parallel, the last one checks for all. The test defers what Watch returns.
func Watch(t T) func() {
	function := caller()
	watched.Lock()
	if watched.running == 0 {
		beginFailing()
		beginPast()
		all, _ := goroutines()
		watched.first, watched.before = t.Name(), make(map[string]bool)
		for _, g := range all {
			watched.before[g.id] = true
		}
	}
	watched.running++
	if guarded && !watched.watchdog {
		watched.watchdog = true
		go new(watchdog).run()
	}
	watched.Unlock()

	t.Cleanup(func() {
		watched.Lock()
		watched.running--
		last, before := watched.running == 0, watched.before
		watched.Unlock()
		if t.Failed() || panicked() {
			failed(t.Name(), function, before, last)
			return
		}
		if !last {
			return
		}
		if left := leftBehind(before); len(left) > 0 {
			report("mendel: goroutines blocked for ever in ", t.Name(), left)
			t.Fail()
		}
	})
	return ended
}

// caller is the function that called the caller of this one, as stacks show it.
func caller() string {
	pc, _, _, _ := runtime.Caller(2)
	if f := runtime.FuncForPC(pc); f != nil {
		return f.Name()
	}
	return ""
}

// leftBehind waits until goroutines that were not there before have ended or
// are certain to be blocked, and returns the latter.
func leftBehind(before map[string]bool) []goroutine {
	var w watchdog
	began := time.Now()
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		all, _ := goroutines()
		var suspects, others []goroutine
		moving, freeable := false, false
		for _, g := range all {
			switch {
			case before[g.id]:
			case g.hold == active:
				moving = true
			case g.own && (g.hold == stuck || g.hold == awaits):
				suspects = append(suspects, g)
			case g.own && g.hold == external:
				freeable = true // this one may go on, and free others
				others = append(others, g)
			}
		}
		w.see(suspects)
		spent := time.Since(began)
		leaked, profiled := leaked(slices.Concat(suspects, others))
		if len(leaked) > 0 {
			return leaked
		}
		if profiled {
			suspects = only(suspects, stuck) // the others are reachable
		}
		switch {
		case len(suspects) == 0 && (!moving || spent > runningGrace):
			return nil
		case len(suspects) > 0 && !moving && !freeable && !callbacks:
			if w.stable(suspects) {
				return suspects
			}
		case spent > progressGrace, spent > blockedGrace && !profiled && time.Since(w.freed) > longGrace:
			return w.givenUp(only(suspects, stuck))
		}
		time.Sleep(pause)
	}
}

func only(gs []goroutine, h hold) []goroutine {
	var kept []goroutine
	for _, g := range gs {
		if g.hold == h {
			kept = append(kept, g)
		}
	}
	return kept
}

// leaked asks the runtime's leak profile, if that is wanted and the toolchain has one,
// which of the goroutines nothing can reach. It misses some, such as those at a
// package-level lock.
func leaked(suspects []goroutine) (found []goroutine, ok bool) {
	profile := pprof.Lookup("goroutineleak")
	if profile == nil || !leakProfile || len(suspects) == 0 {
		return nil, profile != nil && leakProfile
	}
	var b bytes.Buffer
	if profile.WriteTo(&b, 2) != nil {
		return nil, false
	}
	suspect := make(map[string]bool)
	for _, g := range suspects {
		suspect[g.id] = true
	}
	for _, g := range parse(b.String()) {
		if suspect[g.id] && strings.HasSuffix(g.state, " (leaked)") {
			found = append(found, g)
		}
	}
	return found, true
}

// report prints goroutines in the form that mendel/analysis/evidence reads,
// in one write so that other output does not break it up.
func report(title, test string, gs []goroutine) {
	var b strings.Builder
	b.WriteString("\n" + title + test + "\n")
	for i, g := range gs {
		if i == maxReported || b.Len()+len(g.text) > maxReportText && i > 0 {
			break
		}
		b.WriteString(g.text[:min(len(g.text), maxReportText)] + "\n\n")
	}
	b.WriteString("mendel: end of report\n")
	stderr.WriteString(b.String())
}

package hook

import (
	"runtime"
	"strings"
)

// failing is what is known of the tests that run at the same time. Goroutines of
// one test that fail at once may both look; one report more does no harm.
var failing struct {
	looks   int  // for goroutines that were blocked when a test failed
	found   bool // and reported
	givenUp bool // a test ended by FailNow or by a panic
	panic   bool // by a panic: package testing does not call it failed yet
}

// maxLooks is how many of the statements by which the tests fail are looked at.
// Guessed.
const maxLooks = 8

// F is the point before a statement by which a test fails.
//
//go:norace
func F() { fails(false) }

// V is F where the test has waited in vain: in a case of a select that a timer ends.
//
//go:norace
func V() { fails(true) }

//go:norace
func fails(inVain bool) {
	if past.on {
		lookBack(inVain)
		return
	}
	if !failing.found && failing.looks < maxLooks && (inVain || isLimited(stack())) {
		failing.looks++
		failing.found = reportStuck(false)
		if inVain && !failing.found {
			reportWaiting()
		}
	}
}

// beginFailing forgets the tests before.
//
//go:norace
func beginFailing() {
	failing.looks, failing.found, failing.givenUp, failing.panic = 0, false, false, false
}

// panicked reports whether a test ended by a panic.
//
//go:norace
func panicked() bool { return failing.panic }

// ended notes how a test function ends; it is deferred by it.
//
//go:norace
func ended() {
	calls := stack()
	failing.panic = failing.panic || strings.Contains(calls, "\npanic(")
	failing.givenUp = failing.givenUp || failing.panic || strings.Contains(calls, "\nruntime.Goexit(")
}

// reportStuck reports the goroutines that wait for a lock, a wait group, a
// condition or a receiver and stay at it: when a test that gives something a time
// limit fails, or one that counts goroutines, they are why. It returns false if
// there are none; at the end of a test it gives them a moment to get there.
func reportStuck(atEnd bool) bool {
	watched.Lock()
	test, before := watched.first, watched.before
	watched.Unlock()
	var w watchdog
	const looks = 8
	for n := 0; ; n++ {
		all, _ := goroutines()
		var suspects []goroutine
		for _, g := range all {
			if g.hold == stuck && g.own && !before[g.id] {
				suspects = append(suspects, g)
			}
		}
		w.see(suspects)
		if len(suspects) == 0 && !atEnd || n == looks {
			return false
		}
		if len(suspects) > 0 && w.stable(suspects) {
			report("mendel: goroutines blocked at the failure of ", test, suspects)
			return true
		}
		rest(2 * shortGrace / looks)
	}
}

// reportWaiting reports the goroutines that receive or select. They may wait for
// what the test has waited for, or only be idle: they show where to look.
func reportWaiting() {
	watched.Lock()
	test, before := watched.first, watched.before
	watched.Unlock()
	all, _ := goroutines()
	var waiting []goroutine
	for _, g := range all {
		if g.own && !before[g.id] && (g.state == "chan receive" || g.state == "select") {
			waiting = append(waiting, g)
		}
	}
	if len(waiting) > 0 {
		report("mendel: goroutines waiting at the failure of ", test, waiting)
	}
}

// failed looks at a test that has failed, when it ends, and reports goroutines
// that are why. A test that was given up leaves goroutines blocked that it would
// have freed: they are not the cause. function is the test as stacks show it; last
// is set when no other test runs any more.
//
//go:norace
func failed(test, function string, before map[string]bool, last bool) {
	switch {
	case past.on:
		reportPast(test)
	case failing.found || failing.panic:
	case named(limited, function) && reportStuck(true):
	case last && !failing.givenUp && !named(grouped, function):
		if left := leftBehind(before); len(left) > 0 {
			report("mendel: goroutines blocked for ever in ", test, left)
		}
	}
}

// stack is that of the calling goroutine.
func stack() string {
	buf := make([]byte, 64<<10)
	return string(buf[:runtime.Stack(buf, false)])
}

// isLimited reports whether one of the calls of a stack is of a function that
// fails a test because of time or of the goroutines it counts.
func isLimited(stack string) bool {
	for line := range strings.SplitSeq(stack, "\n") {
		if named(limited, line) {
			return true
		}
	}
	return false
}

// named reports whether a function, or the one it is written in, is in a table.
// Its arguments may follow.
func named(table []string, fn string) bool {
	for _, name := range table {
		if rest, ok := strings.CutPrefix(fn, name); ok && (rest == "" || strings.ContainsRune(".[(", rune(rest[0]))) {
			return true
		}
	}
	return false
}

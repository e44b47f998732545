package hook

import (
	"runtime"
	"strconv"
	"strings"
)

// Past is the value of Env for a run without noise that finds the causal past of a
// failure: which goroutines did something that happens before the failing
// assertion. What happens before what is the race detector's knowledge, so nothing
// that synchronises has to be modelled. At its first hook in a test a goroutine
// writes to a word of its own. When the test fails, these words are read: a read
// that the detector does not report is ordered after the write, and whatever
// synchronised the two came after the goroutine's first hook. Without -race every
// goroutine that passed a hook counts.
const Past = "past"

// PastReport begins the line of a failed test: the number of goroutines, beside
// the test's own, in its causal past, and the name of the test follow.
const PastReport = "mendel: goroutines in the causal past: "

const (
	// witnesses is how many goroutines of a test are told apart. What further
	// ones do is not seen.
	witnesses = 1 << 10
	// probes is how many places are tried for a goroutine; guessed.
	probes = 16
	// suffices is how many goroutines in a past are enough to stop at: each of the
	// others may cost a report of the race detector.
	suffices = 2
)

// A witness is a goroutine that passed a hook.
type witness struct {
	id      uint64
	group   uint32 // of tests, in which it passed its first hook last
	harness bool   // it was started by package testing, or is the main goroutine
}

// past is used without synchronisation, which would order what it looks at. Each
// goroutine has a place of its own in seen and in words.
var past struct {
	on    bool
	group uint32 // of tests that run at the same time
	found int    // goroutines in the past of an assertion that failed
	asked bool   // found was determined
	seen  [witnesses]witness
	words [witnesses]uint64
}

// lookBack determines the past of a test at a statement by which it fails. If it
// has waited in vain, any goroutine that did something may be the one that did
// not do what was waited for.
//
//go:norace
func lookBack(inVain bool) {
	past.asked = true
	past.found = max(past.found, inPast(inVain))
}

// beginPast forgets what tests before did, when a new group begins.
//
//go:norace
func beginPast() {
	past.group++
	past.found, past.asked = 0, false
}

// reportPast tells the past of a test that failed. If no statement was seen by
// which it did, the past of its end is taken.
//
//go:norace
func reportPast(test string) {
	if !past.asked {
		lookBack(false)
	}
	stderr.WriteString("\n" + PastReport + strconv.Itoa(past.found) + " " + test + "\n")
}

// bearWitness notes that the calling goroutine passes a hook.
//
//go:norace
func bearWitness() {
	id := current()
	for n := range uint64(probes) {
		i := (id + n) % witnesses
		w := &past.seen[i]
		if w.id == 0 {
			w.id, w.harness = id, ofHarness()
		}
		if w.id != id {
			continue
		}
		if w.group != past.group && !w.harness {
			mark(int(i))
		}
		w.group = past.group
		return
	}
}

// inPast counts the goroutines of the program in the causal past of the caller, or
// all that did something, itself among them: one that package testing started does
// not count.
//
//go:norace
func inPast(all bool) int {
	id, n := current(), 0
	for i := range past.seen {
		w := &past.seen[i]
		if w.id != 0 && w.group == past.group && !w.harness && (all || w.id == id || ordered(i)) {
			if n++; n == suffices {
				break
			}
		}
	}
	return n
}

// mark is an access that the race detector sees.
//
//go:noinline
func mark(i int) { past.words[i]++ }

// ordered reports whether the mark happens before the call.
//
//go:noinline
func ordered(i int) bool {
	reported := raceErrors()
	look(i)
	return raceErrors() == reported
}

//go:noinline
func look(i int) uint64 { return past.words[i] }

// current is the number of the calling goroutine.
//
//go:norace
func current() (id uint64) {
	var buf [40]byte
	for _, c := range buf[len("goroutine "):runtime.Stack(buf[:], false)] {
		if c < '0' || c > '9' {
			break
		}
		id = 10*id + uint64(c-'0')
	}
	return id
}

// ofHarness reports whether the calling goroutine runs a test or is the main one.
func ofHarness() bool {
	_, creator, created := strings.Cut(stack(), "\ncreated by ")
	return !created || strings.HasPrefix(creator, "testing.")
}

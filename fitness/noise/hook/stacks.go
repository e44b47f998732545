package hook

import (
	"runtime"
	"strings"

	"mendel/analysis/evidence/symbol"
)

// maxDump is the largest dump taken, in bytes; goroutines beyond are not seen.
const maxDump = 4 << 20

// A goroutine is one entry of a dump.
type goroutine struct {
	id    string
	state string // without waiting time
	text  string // as dumped
	at    string // innermost call, with its position: to see whether it moves
	hold  hold
	own   bool // has calls in the program's packages
}

// hold is what a goroutine's state says about its future.
type hold int

const (
	system   hold = iota // of the runtime, of package testing, of this package
	active               // runs, can run or sleeps: may go on at any moment
	external             // waits for the network, the kernel, a timer, or in code that is not known
	awaits               // receives or selects in the program's code, not known to involve a timer; in a bubble durably blocked
	stuck                // only another goroutine can end it
)

// goroutines takes a dump of all goroutines. complete is false when it did not fit.
func goroutines() (all []goroutine, complete bool) {
	buf := make([]byte, 64<<10)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			return parse(string(buf[:n])), true
		}
		if len(buf) >= maxDump {
			return parse(string(buf)), false
		}
		buf = make([]byte, 4*len(buf))
	}
}

// parse splits a dump.
func parse(dump string) []goroutine {
	var all []goroutine
	for text := range strings.SplitSeq(dump, "\n\n") {
		text = strings.Trim(text, "\n")
		header, body, _ := strings.Cut(text, "\n")
		rest, ok := strings.CutPrefix(header, "goroutine ")
		if !ok {
			continue
		}
		id, state, ok := strings.Cut(symbol.Unlabelled(rest), " [")
		if !ok {
			continue
		}
		id, _, _ = strings.Cut(id, " ") // gp=... m=...
		state, _, _ = strings.Cut(strings.TrimSuffix(state, "]:"), ",")
		state = strings.TrimSuffix(state, " (scan)")
		g := goroutine{id: id, state: state, text: text}
		g.judge(body)
		all = append(all, g)
	}
	return all
}

// judge classifies a goroutine by its state and calls.
func (g *goroutine) judge(body string) {
	first := ""        // innermost function outside the runtime
	reflected := false // it waits in a call of package reflect
	calls, _, _ := strings.Cut(body, "created by ")
	lines := strings.Split(calls, "\n")
	for i, line := range lines {
		paren := strings.LastIndexByte(line, '(')
		if paren <= 0 || line[0] == '\t' {
			continue
		}
		fn := line[:paren]
		p := symbol.PackageOf(fn)
		g.own = g.own || known[p]
		if first == "" && symbol.IsRuntime(fn) {
			reflected = reflected || p == "reflect"
		} else if first == "" {
			first = fn
		}
		if g.at == "" && i+1 < len(lines) {
			g.at = fn + lines[i+1]
		}
	}
	g.hold = g.classify(first)
	if g.hold == awaits && reflected {
		g.hold = external // the channels are values: any may be a timer's
	}
}

func (g *goroutine) classify(first string) hold {
	p := symbol.PackageOf(first)
	if p == "testing" || p == "os/signal" || first == "" && !strings.Contains(g.text, "created by ") || strings.HasPrefix(g.id, "0") {
		return system
	}
	if strings.Contains(g.text, "\ncreated by "+symbol.Root) {
		return system
	}
	if strings.HasSuffix(g.state, durable) {
		if !g.own {
			return system // of package synctest
		}
		return awaits
	}
	switch strings.TrimSuffix(g.state, " (leaked)") {
	case "running", "runnable", "sleep", "preempted", "waiting", "copystack":
		return active
	case "semacquire":
		// Without a function of package sync it is the runtime that waits, for the
		// garbage collector as a rule.
		if !strings.Contains(g.at, "sync.") {
			return active
		}
		return stuck
	case "sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.Cond.Wait", "sync.WaitGroup.Wait",
		"chan send", "chan send (nil chan)", "chan receive (nil chan)", "select (no cases)":
		return stuck
	case "chan receive", "select":
		if known[p] && !named(timed, first) {
			return awaits
		}
	}
	return external
}

// durable ends the state of a goroutine in a bubble of synctest that only others of
// the bubble, or its time, can make go on. Where they stand still, a lock holds
// another goroutine of the bubble up: the bubble sees other deadlocks itself.
const durable = " (durable)"

// known has the program's own packages.
var known = func() map[string]bool {
	m := make(map[string]bool)
	for _, p := range packages {
		m[p] = true
	}
	return m
}()

package evidence

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"mendel/analysis/evidence/symbol"
)

// A Goroutine is one entry of a goroutine dump.
type Goroutine struct {
	ID        int64
	State     string        // "running", "sync.Mutex.Lock", "chan receive (nil chan)", "select", ...
	Wait      time.Duration // in this state; the runtime prints whole minutes, below one it is 0
	Locked    bool          // to its thread
	Leaked    bool          // found unreachable by the goroutine leak profile
	Frames    []Frame       // innermost first
	Created   []Frame       // where it was started; nil for the main goroutine
	CreatedBy int64         // goroutine that started it; 0: unknown
}

// ParseGoroutines reads all goroutines of a dump: of a crash, a SIGQUIT, of
// runtime.Stack, or of the goroutine and goroutineleak profiles (debug=2).
func ParseGoroutines(text []byte) []Goroutine {
	var all []Goroutine
	for s := newScanner(unpack(bound(text))); s.more(); {
		if g, ok := s.goroutine(); ok {
			all = append(all, g)
		} else {
			s.next()
		}
	}
	return all
}

// goroutine parses one goroutine, from its header to the blank line after it.
func (s *scanner) goroutine() (Goroutine, bool) {
	g, ok := goroutineHeader(s.line)
	if !ok {
		return g, false
	}
	r := stackReader{g: &g}
	for s.next(); s.more() && s.line != ""; s.next() {
		if _, ok := goroutineHeader(s.line); ok {
			break
		}
		r.take(s.line)
	}
	return g, true
}

// A stackReader reads the lines of one goroutine that follow its header.
type stackReader struct {
	g       *Goroutine
	fn      string // a call whose file line has not come yet
	created bool   // it is where the goroutine was started
}

func (r *stackReader) take(line string) {
	file, n, isFile := stackLine(line)
	switch {
	case isFile && r.fn != "":
		f := Frame{Func: r.fn, File: file, Line: n}
		if r.created {
			r.g.Created = append(r.g.Created, f)
		} else if len(r.g.Frames) < maxFrames {
			r.g.Frames = append(r.g.Frames, f)
		}
		r.fn, r.created = "", false
	case strings.HasPrefix(line, "created by "):
		r.fn, r.g.CreatedBy = creator(line)
		r.created = true
	default:
		if name, ok := callName(line); ok {
			r.fn, r.created = name, false
		}
	}
}

// goroutineHeader parses "goroutine 7 gp=0xc000 m=nil [chan receive (leaked), 2 minutes, locked to thread]:".
func goroutineHeader(line string) (Goroutine, bool) {
	rest, ok := strings.CutPrefix(line, "goroutine ")
	rest = symbol.Unlabelled(rest)
	if !ok || !strings.HasSuffix(rest, "]:") {
		return Goroutine{}, false
	}
	rest, inside, ok := strings.Cut(strings.TrimSuffix(rest, "]:"), " [")
	if !ok {
		return Goroutine{}, false
	}
	number, _, _ := strings.Cut(rest, " ")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil || id < 0 {
		return Goroutine{}, false
	}
	g := Goroutine{ID: id}
	fields := strings.Split(inside, ", ")
	g.State = fields[0]
	for {
		open := strings.LastIndex(g.State, " (")
		if open < 0 {
			break
		}
		mark := g.State[open:]
		if mark != " (leaked)" && mark != " (scan)" && mark != " (durable)" {
			break
		}
		g.Leaked = g.Leaked || mark == " (leaked)"
		g.State = g.State[:open]
	}
	for _, f := range fields[1:] {
		if n, ok := strings.CutSuffix(f, " minutes"); ok {
			if minutes, err := strconv.Atoi(n); err == nil && minutes >= 0 && minutes < 1<<30 {
				g.Wait = time.Duration(minutes) * time.Minute
			}
		}
		g.Locked = g.Locked || f == "locked to thread"
	}
	return g, true
}

// creator parses "created by main.main in goroutine 1".
func creator(line string) (fn string, by int64) {
	fn = strings.TrimPrefix(line, "created by ")
	if name, number, ok := strings.Cut(fn, " in goroutine "); ok {
		by, _ = strconv.ParseInt(number, 10, 64)
		return name, max(by, 0)
	}
	return fn, 0
}

// hold is what a goroutine's state says about its future.
type hold int

const (
	active hold = iota // runs, can run, sleeps, waits for the network or the kernel
	awaits             // receives or selects: another goroutine or a timer may end it
	stuck              // only another goroutine can end it
	dead               // nothing can
	system             // not a goroutine of the program
)

// hold classifies a goroutine of a dump.
func (g *Goroutine) hold() hold {
	if g.ID == 0 || g.isSystem() {
		return system
	}
	switch g.State {
	case "chan receive", "select", "synctest.Run", "synctest.Wait":
		return awaits
	case "sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.Cond.Wait", "sync.WaitGroup.Wait", "chan send":
		return stuck
	case "semacquire":
		// Without a function of package sync it is the runtime that waits, for the
		// garbage collector as a rule.
		if slices.ContainsFunc(g.Frames, func(f Frame) bool { return strings.HasPrefix(f.Func, "sync.") }) {
			return stuck
		}
	case "chan receive (nil chan)", "chan send (nil chan)", "select (no cases)":
		return dead
	}
	return active
}

// isSystem reports whether a goroutine belongs to the runtime, to package
// testing, to the noise runtime, or is the one that writes the dump.
func (g *Goroutine) isSystem() bool {
	all := true
	for _, f := range g.Frames {
		p := symbol.PackageOf(f.Func)
		if p == "runtime/pprof" && f.Func != "runtime/pprof.Do" || f.Func == "runtime/debug.Stack" {
			return true
		}
		all = all && (p == "runtime" || strings.HasPrefix(p, "runtime/") || strings.HasPrefix(p, symbol.Root) || p == "time")
	}
	if all {
		return len(g.Created) == 0 || symbol.IsRuntime(g.Created[0].Func) || symbol.PackageOf(g.Created[0].Func) == "os/signal"
	}
	bubble := false
	for _, f := range g.Frames {
		switch p := symbol.PackageOf(f.Func); {
		case p == "testing/synctest": // a test may have called it
			bubble = true
		case !symbol.IsRuntime(f.Func):
			return p == "testing" || p == "os/signal"
		}
	}
	return bubble
}

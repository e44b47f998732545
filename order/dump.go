package order

import (
	"bytes"
	"reflect"
	"runtime"
	"strings"
)

// Package runtime alone knows what goroutines do, and tells it in the text of a
// dump. The states are those of Go 1.25 to 1.27. One that is not known counts as going on, so
// that another text makes an impossible order slow, and nothing wrong.

// A view is what goroutines did at one moment, as a dump shows it.
type view struct {
	goroutines []goroutine
}

// A goroutine is one of a dump.
type goroutine struct {
	id      int64
	bubble  string // "" for none
	state   string // such as "chan receive"
	durable bool   // in a bubble: only its time, and other goroutines of it, can end that
	does    does
	frames  string // a function and its place, line by line
}

// does is what a goroutine does, as far as it matters to an order.
type does int

const (
	goesOn      does = iota
	asleep           // and goes on when time passes
	inChannel        // blocked, unless it is the channel of a timer
	inLock           // blocked
	inOrder          // in At, or it waits for the order itself
	idles            // a goroutine of package testing or the runtime, which waits for others
	waitsBubble      // in synctest.Wait: goes on when its bubble is idle
)

var states = []struct {
	state string
	does  does
}{
	{"chan receive", inChannel},
	{"select", inChannel},
	{"chan send", inLock},
	{"chan send (nil chan)", inLock},
	{"chan receive (nil chan)", inLock},
	{"select (no cases)", inLock},
	{"semacquire", inLock},
	{"sync.Mutex.Lock", inLock},
	{"sync.RWMutex.RLock", inLock},
	{"sync.RWMutex.Lock", inLock},
	{"sync.Cond.Wait", inLock},
	{"sync.WaitGroup.Wait", inLock},
	{"coroutine", inLock},
	{"sleep", asleep},
	{"synctest.Run", idles},
	{"synctest.Wait", waitsBubble},
}

// here is the path of this package, as functions have it.
var here = reflect.TypeOf(run{}).PkgPath()

// dump returns what all goroutines do. The one that calls it is the first.
func dump() *view {
	buf := make([]byte, 1<<16)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			return readDump(string(buf[:n]))
		}
		if len(buf) >= 1<<26 {
			return readDump(string(buf))
		}
		buf = make([]byte, 4*len(buf))
	}
}

// self returns the number and the bubble of the goroutine that calls it.
func self() (id int64, bubble string) {
	buf := make([]byte, 256)
	buf = buf[:runtime.Stack(buf, false)]
	if end := bytes.IndexByte(buf, '\n'); end >= 0 {
		buf = buf[:end]
	}
	g := readHeader(string(buf))
	return g.id, g.bubble
}

func readDump(text string) *view {
	v := new(view)
	for _, part := range strings.Split(text, "\n\n") {
		end := strings.IndexByte(part, '\n')
		if end < 0 {
			continue
		}
		g := readHeader(part[:end])
		if g.id == 0 {
			continue
		}
		g.frames = strings.TrimSuffix(part[end+1:], "\n")
		g.does = g.classify()
		v.goroutines = append(v.goroutines, g)
	}
	return v
}

// readHeader reads such as
//
//	goroutine 7 gp=0xc0 m=nil [chan receive (durable), 2 minutes, synctest bubble 3]:
func readHeader(line string) (g goroutine) {
	const prefix = "goroutine "
	if !strings.HasPrefix(line, prefix) {
		return goroutine{}
	}
	line = line[len(prefix):]
	i := 0
	for ; i < len(line) && '0' <= line[i] && line[i] <= '9'; i++ {
		g.id = 10*g.id + int64(line[i]-'0')
	}
	open := strings.IndexByte(line, '[')
	end := strings.LastIndexByte(line, ']')
	if open < 0 || end < open {
		return goroutine{}
	}
	for i, word := range strings.Split(line[open+1:end], ", ") {
		if i == 0 {
			g.durable = strings.Contains(word, "(durable)")
			for _, mark := range []string{" (durable)", " (scan)", " (leaked)"} {
				word = strings.Replace(word, mark, "", 1)
			}
			g.state = word
		} else if bubble := strings.TrimPrefix(word, "synctest bubble "); bubble != word {
			if end := strings.IndexByte(bubble, ' '); end >= 0 {
				bubble = bubble[:end] // labels follow
			}
			g.bubble = bubble
		}
	}
	return g
}

// classify says what a goroutine does that has a state and frames.
func (g *goroutine) classify() does {
	first := ""
	for _, f := range g.functions() {
		if !strings.HasPrefix(f, "runtime.") && !strings.HasPrefix(f, "sync.") && !strings.HasPrefix(f, "internal/") {
			first = f
			break
		}
	}
	d := goesOn
	for _, s := range states {
		if s.state == g.state {
			d = s.does
		}
	}
	switch {
	case first == "os/signal.signal_recv":
		return idles
	case d != inChannel && d != inLock:
		return d
	case strings.HasPrefix(first, here+".") && g.state == "sync.Mutex.Lock":
		return goesOn // the lock of a run is held for a moment
	case strings.HasPrefix(first, here+"."):
		return inOrder
	case first == "" || strings.HasPrefix(first, "testing."):
		return idles
	}
	return d
}

// functions are the functions on the stack, the innermost first.
func (g *goroutine) functions() []string {
	var functions []string
	for _, line := range strings.Split(g.frames, "\n") {
		if strings.HasPrefix(line, "created by ") {
			break
		}
		if strings.HasPrefix(line, "\t") || line == "" {
			continue
		}
		// The arguments are in the last parentheses: pkg.(*T).Method(0x1, {0x2, 0x3})
		if open := strings.LastIndexByte(line, '('); open > 0 {
			line = line[:open]
		}
		functions = append(functions, line)
	}
	return functions
}

// below reports whether a function is on the stack. Its name may leave out what
// stands before a dot: Get is every Get, Pool.Get those of all types Pool.
func (g *goroutine) below(function string) bool {
	for _, f := range g.functions() {
		f = normalFunction(f)
		if rest := strings.TrimSuffix(f, function); rest != f && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/")) {
			return true
		}
	}
	return false
}

// blocks reports whether the program blocks a goroutine.
func (g *goroutine) blocks() bool { return g.does == inChannel || g.does == inLock }

// find returns a goroutine by its number; nil if there is none.
func (v *view) find(id int64) *goroutine {
	for i := range v.goroutines {
		if v.goroutines[i].id == id {
			return &v.goroutines[i]
		}
	}
	return nil
}

// in is the part of a view that is in a bubble, or in none.
func (v *view) in(bubble string) *view {
	part := new(view)
	for _, g := range v.goroutines {
		if g.bubble == bubble {
			part.goroutines = append(part.goroutines, g)
		}
	}
	return part
}

// same reports whether a goroutine is where it was in another view.
func (g *goroutine) same(earlier *view) bool {
	was := earlier.find(g.id)
	return was != nil && was.state == g.state && was.frames == g.frames
}

// A rest is how much of a program waits.
type rest int

const (
	busy    rest = iota
	perhaps      // all wait, some where a timer may end that
	sure         // all wait
)

// rest says how much waits of what is in a view, but for the goroutine that made it.
func (v *view) rest() rest {
	r := sure
	for _, g := range v.goroutines[1:] {
		switch g.does {
		case goesOn, asleep, waitsBubble:
			return busy
		case inChannel:
			r = perhaps
		}
	}
	return r
}

// equal reports whether all goroutines but the first are where they were.
func (v *view) equal(earlier *view) bool {
	if earlier == nil || len(v.goroutines) != len(earlier.goroutines) {
		return false
	}
	for i := range v.goroutines[1:] {
		if !v.goroutines[i+1].same(earlier) {
			return false
		}
	}
	return true
}

// active reports whether a goroutine of a bubble goes on, but for the first, without
// waiting for its time, or for all to be blocked.
func (v *view) active() bool {
	for _, g := range v.goroutines[1:] {
		if g.does == goesOn {
			return true
		}
	}
	return false
}

// durable reports whether all goroutines of a bubble but the first are durably
// blocked, so that its time passes when the first is, too.
func (v *view) durable() bool {
	for _, g := range v.goroutines[1:] {
		if !g.durable {
			return false
		}
	}
	return true
}

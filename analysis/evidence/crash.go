package evidence

import (
	"fmt"
	"slices"
	"strings"
)

const (
	panicStart = "panic: "
	fatalStart = "fatal error: "
	quitStart  = "SIGQUIT: "
	asleep     = "all goroutines are asleep - deadlock!"
	// inBubble begins the panic of a bubble of synctest whose goroutines are blocked
	// for ever. The one that raised it, which called synctest.Test, comes first.
	inBubble = panicStart + "deadlock: "
	// headerLines is how many lines may lie between the first line of a crash
	// and its first goroutine: the rest of the message, the signal, the stack of the runtime.
	headerLines = 200
)

// A crash is a panic, a fatal error or a bare dump: its message, and the goroutines
// after it.
type crash struct {
	first      string   // "panic: boom"; "" for a bare dump
	running    []string // tests that a test time-out lists as running
	goroutines []Goroutine
	closed     bool // the text ended, or the exit status followed, before any goroutine
}

// crash parses a panic, a fatal error, a SIGQUIT dump or a bare goroutine dump.
func (p *parser) crash() bool {
	line := p.line
	_, bare := goroutineHeader(line)
	if !bare && !strings.HasPrefix(line, panicStart) && !strings.HasPrefix(line, fatalStart) && !strings.HasPrefix(line, quitStart) {
		return false
	}
	c := crash{}
	if !bare {
		c.first = line
		p.next()
		p.crashHeader(&c)
	}
	for p.more() {
		if g, ok := p.goroutine(); ok {
			c.goroutines = append(c.goroutines, g)
		} else if p.line == "" || strings.HasPrefix(p.line, "[signal ") {
			p.next()
		} else {
			break
		}
	}
	if f, ok := c.failure(); ok {
		if c.first != "" {
			p.tests.crashed()
		}
		p.add(f)
	}
	return true
}

// crashHeader skips to the first goroutine of a crash. It stops early at a
// line that begins something else.
func (p *parser) crashHeader(c *crash) {
	for range headerLines {
		if !p.more() {
			c.closed = true
			return
		}
		line := p.line
		if _, ok := goroutineHeader(line); ok {
			return
		}
		if strings.HasPrefix(line, "exit status ") || strings.HasPrefix(line, "FAIL\t") {
			c.closed = true
			return
		}
		if strings.HasSuffix(line, raceStart) || isTestLine(line) || strings.HasPrefix(line, blockedStart) ||
			strings.HasPrefix(line, panicStart) || strings.HasPrefix(line, fatalStart) {
			return
		}
		if name, ok := strings.CutPrefix(line, "\t\tTest"); ok {
			name, _, _ = strings.Cut(name, " ")
			c.running = append(c.running, "Test"+name)
		}
		p.next()
	}
}

// failure classifies a crash. A line that only looks like a panic, with neither
// goroutines nor the end of the program after it, is no crash.
func (c *crash) failure() (Failure, bool) {
	switch {
	case len(c.goroutines) == 0 && !c.closed:
		return Failure{}, false
	case c.first == "":
		f, ok := dump(c.goroutines)
		return f, ok
	case strings.HasPrefix(c.first, panicStart+"test timed out after"):
		return c.timeout(strings.TrimPrefix(c.first, panicStart)), true
	case strings.HasPrefix(c.first, quitStart):
		return c.timeout("stopped by SIGQUIT"), true
	case strings.HasPrefix(c.first, fatalStart) && strings.HasSuffix(c.first, asleep):
		return blockedFailure(Deadlock, c.goroutines, func(h hold) bool { return h != system }), true
	case strings.HasPrefix(c.first, inBubble) && len(c.goroutines) > 1:
		return c.bubble(), true
	default:
		return c.panicked(), true
	}
}

// bubble describes the goroutines of a bubble that are blocked for ever.
func (c *crash) bubble() Failure {
	f := blockedFailure(Deadlock, c.goroutines[1:], func(h hold) bool { return h != system })
	message, _, _ := strings.Cut(strings.TrimPrefix(c.first, panicStart), " [recovered")
	f.Message = message + strings.TrimPrefix(f.Message, "deadlock")
	return f
}

// timeout distinguishes a run that hung because its goroutines are blocked from one
// that was only slow.
func (c *crash) timeout(message string) Failure {
	f, blocked := dump(c.goroutines)
	if !blocked {
		f = Failure{Kind: Timeout, Message: message}
		f.Stacks = stacksOf(c.goroutines, func(h hold) bool { return h != system })
		tests := c.running
		if name := testOf(f.Stacks); name != "" && len(tests) == 0 {
			tests = []string{name}
		}
		slices.Sort(tests)
		f.Signature = string(Timeout) + ": " + strings.Join(tests, ", ")
	}
	if len(c.running) == 1 {
		f.Test = c.running[0]
	}
	return f
}

// panicked describes a panic or fatal error by the goroutine printed first,
// which is the one that raised it.
func (c *crash) panicked() Failure {
	message := strings.TrimPrefix(c.first, panicStart)
	message, _, _ = strings.Cut(message, " [recovered")
	f := Failure{Kind: Panic, Message: "panic: " + message}
	if strings.HasPrefix(c.first, fatalStart) {
		f.Message = message
	}
	if len(c.goroutines) == 0 {
		f.Signature = string(Panic) + ": " + strings.Map(dropDigits, message)
		return f
	}
	g := c.goroutines[0]
	f.Stacks = []Stack{{Role: "panic", Frames: g.Frames, Created: g.Created}}
	f.Signature = sign(Panic, f.Stacks, false)
	if at, ok := innermost(g.Frames); ok {
		f.Message += " in " + Describe(at)
	}
	return f
}

func dropDigits(r rune) rune {
	if r >= '0' && r <= '9' {
		return -1
	}
	return r
}

// dump classifies the goroutines of a dump by their states; false if none of them is
// blocked.
func dump(goroutines []Goroutine) (Failure, bool) {
	var count [system + 1]int
	leaked := 0
	for i := range goroutines {
		count[goroutines[i].hold()]++
		if goroutines[i].Leaked {
			leaked++
		}
	}
	switch {
	case leaked > 0:
		var only []Goroutine
		for _, g := range goroutines {
			if g.Leaked {
				only = append(only, g)
			}
		}
		return blockedFailure(Blocked, only, func(hold) bool { return true }), true
	case count[awaits]+count[stuck]+count[dead] == 0:
		return Failure{}, false
	case count[active] == 0:
		return blockedFailure(Deadlock, goroutines, func(h hold) bool { return h != system }), true
	case count[stuck]+count[dead] > 0:
		for _, g := range goroutines {
			if h := g.hold(); (h == stuck || h == dead) && !waitsForActive(g, goroutines) {
				return blockedFailure(Blocked, goroutines, func(h hold) bool { return h == stuck || h == dead }), true
			}
		}
	}
	return Failure{}, false
}

// waitsForActive reports whether a goroutine waits for a wait group while one that it has
// started goes on: that may well be the one it waits for.
func waitsForActive(g Goroutine, all []Goroutine) bool {
	waits := slices.ContainsFunc(g.Frames, func(f Frame) bool { return f.Func == "sync.(*WaitGroup).Wait" })
	return waits && slices.ContainsFunc(all, func(o Goroutine) bool { return o.CreatedBy == g.ID && o.hold() == active })
}

// blockedFailure describes the goroutines of a dump that keep chooses.
func blockedFailure(kind Kind, goroutines []Goroutine, keep func(hold) bool) Failure {
	stacks := stacksOf(goroutines, keep)
	what := "goroutine blocked for ever"
	if kind == Deadlock {
		what = "deadlock"
	}
	var at []string
	seen := make(map[string]bool)
	for _, s := range stacks {
		f, ok := innermost(s.Frames)
		text := strings.TrimPrefix(s.Role, "blocked: ") + " in " + Describe(f)
		if !ok || seen[text] {
			continue
		}
		seen[text] = true
		if len(seen) > 4 {
			at = append(at, "...")
			break
		}
		at = append(at, text)
	}
	return Failure{
		Kind:      kind,
		Signature: sign(kind, stacks, false),
		Message:   fmt.Sprintf("%s: %s", what, strings.Join(at, ", ")),
		Stacks:    stacks,
	}
}

// stacksOf makes stacks of the chosen goroutines, at most maxStacks and
// first one of each different place.
func stacksOf(goroutines []Goroutine, keep func(hold) bool) []Stack {
	var first, repeated []Stack
	seen := make(map[Frame]bool)
	for i := range goroutines {
		g := &goroutines[i]
		h := g.hold()
		if !keep(h) {
			continue
		}
		role := g.State
		if h != active && h != system || g.Leaked {
			role = "blocked: " + g.State
		}
		s := Stack{Role: role, Frames: g.Frames, Created: g.Created}
		if at, _ := innermost(g.Frames); !seen[at] {
			seen[at] = true
			first = append(first, s)
		} else if len(repeated) < maxStacks {
			repeated = append(repeated, s)
		}
	}
	return append(first, repeated...)[:min(len(first)+len(repeated), maxStacks)]
}

package checker

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mendel/analysis/evidence"
	"mendel/analysis/evidence/symbol"
	"mendel/analysis/patience"
	"mendel/checker/sched"
	"mendel/checker/wire"
)

// A Failure was found by a search, and replayed before it is reported. A failure
// of a noised run at the same places has the same signature.
type Failure struct {
	evidence.Failure          // positions in the source as it was given to Build
	Schedule         Schedule `json:"schedule"`
	Preemptions      int      `json:"preemptions"`
	// TimeOuts are those that must expire although goroutines could go on: whoever
	// believes that they are long enough expects the failure by design.
	TimeOuts []TimeOut `json:"timeOuts,omitempty"`
	// Flaky is, with Search.Flaky, a failure that the test reports itself, and that comes
	// only on a busy machine: all of TimeOuts are set by test files, or last as long as the
	// test wants; or the last is such a one, and it needs all of them; or the test fails so
	// if it merely pauses between two statements; or not if its own time-outs are believed.
	Flaky bool `json:"flaky,omitempty"`
	// Left is, with Search.Left, the calls that the test leaves out by which all blocked
	// goroutines would end: "(*Ticker).Stop".
	Left       string        `json:"left,omitempty"`
	Needed     bool          `json:"-"`                // it needs each of TimeOuts
	Paced      bool          `json:"-"`                // the test fails so if it merely pauses, or not if its own time-outs are believed
	Proven     bool          `json:"fewest,omitempty"` // no schedule with fewer preemptions fails so
	Strategy   string        `json:"strategy"`
	Seed       uint64        `json:"seed"` // of the strategy
	Nth        int           `json:"nth"`  // schedule of the test, from 1
	Goroutines []string      `json:"goroutines,omitempty"`
	Places     []sched.Place `json:"places,omitempty"`
	Waiting    []sched.Place `json:"waiting,omitempty"` // see sched.Failure
	Trace      []sched.Event `json:"trace,omitempty"`   // with Search.Explain or Replay
	Log        string        `json:"log,omitempty"`     // of the test, shortened
}

// add adds a failure to those of a test; false: it is no failure, or is known. The
// caller holds k.mu.
func (k *check) add(t *tested, w wire.Failure, seed uint64) bool {
	if !evidence.Kind(w.Failure.Kind).Known() { // sched.Uncontrolled
		return false
	}
	f := k.b.failure(t.name, w)
	f.Seed, f.Flaky = seed, k.s.Flaky && k.b.checker.busy(&f)
	if k.s.Left {
		f.Left = k.b.checker.Missing(&f)
	}
	if !k.s.Explain {
		f.Trace = nil
	}
	if slices.ContainsFunc(t.failures, func(g Failure) bool { return g.Signature == f.Signature }) {
		return false
	}
	if f.Left != "" && slices.ContainsFunc(t.failures, func(g Failure) bool { return g.Left == f.Left }) {
		return false // told once
	}
	if k.s.Most > 0 && len(t.failures) >= k.s.Most {
		return false
	}
	t.failures = append(t.failures, f)
	return true
}

// busy reports whether the test itself reports a failure, or panics, that needs time-outs of
// tests to expire early, or of durations that the test has handed to the product. If others
// expire early, too, it is known to need all of them, and the last is the test's: those before
// may be there only because a clock does not pass over them. It is busy also if the test
// fails so by its own pace (Failure.Paced).
func (c *Checker) busy(f *Failure) bool {
	own := f.Kind == evidence.TestFailure || f.Kind == evidence.Panic && len(f.Places) > 0 && ofTests(f.Places[0])
	if !own || len(f.TimeOuts) == 0 {
		return false
	}
	if f.Paced {
		return true
	}
	var handed []time.Duration
	last, others := false, false // whether the last one is the test's; whether one is not
	for _, t := range f.TimeOuts {
		last = ofTests(t.Place)
		if last {
			continue
		}
		if handed == nil {
			handed = patience.Handed(c.c.Program.Packages, f.Test)
		}
		last = slices.ContainsFunc(handed, func(d time.Duration) bool { return t.as(d) })
		others = others || !last
	}
	return last && (!others || f.Needed)
}

func ofTests(p sched.Place) bool { return strings.HasSuffix(p.File, "_test.go") }

// failure converts what a process reported.
func (b *Binary) failure(test string, w wire.Failure) Failure {
	c := b.checker
	f := Failure{
		Failure:     evidence.Failure{Kind: evidence.Kind(w.Failure.Kind), Test: test},
		Schedule:    Schedule{Test: test, Choices: w.Choices, Start: w.Start, After: w.After, Races: w.Races},
		Preemptions: w.Preemptions,
		TimeOuts:    c.timeOuts(w.TimeOuts),
		Needed:      w.Needed,
		Paced:       w.Paced,
		Proven:      w.Proven,
		Strategy:    w.Strategy,
		Nth:         w.Nth,
		Goroutines:  w.Goroutines,
		Trace:       w.Trace,
		Log:         w.Log,
	}
	for i := range f.Trace {
		c.locate(&f.Trace[i].Place)
	}
	for _, p := range w.Failure.Places {
		p.Stack, p.Created = slices.Clone(p.Stack), slices.Clone(p.Created)
		c.locate(&p)
		f.Places = append(f.Places, p)
		if s := c.stack(f.Kind, p); len(s.Frames) > 0 {
			f.Stacks = append(f.Stacks, s)
		}
	}
	for _, p := range w.Failure.Waiting {
		p.Stack, p.Created = slices.Clone(p.Stack), slices.Clone(p.Created)
		c.locate(&p)
		f.Waiting = append(f.Waiting, p)
	}
	if f.Kind == evidence.Race && len(f.Stacks) == 2 {
		// The later access comes first in a race report.
		f.Stacks[0].Role = "previous " + f.Stacks[0].Role
		slices.Reverse(f.Stacks)
	}
	f.Message, f.Signature = c.describe(&f, w.Failure.Message)
	return f
}

// locate makes the file names of a place absolute.
func (c *Checker) locate(p *sched.Place) {
	p.File, p.Function = c.absolute(p.File), declared(p.Function)
	for _, frames := range [][]sched.Frame{p.Stack, p.Created} {
		for i := range frames {
			frames[i].File, frames[i].Function = c.absolute(frames[i].File), declared(frames[i].Function)
		}
	}
}

// renamed is the name of a function that the instrumentation made of an init
// function, where it was inlined too.
var renamed = regexp.MustCompile(`(\.init\.[0-9]+(\.func[0-9]+)?)?\.zzinit([0-9]+_)?([0-9]+)`)

// declared is the name of a function as the program declares it.
func declared(function string) string {
	m := renamed.FindStringSubmatchIndex(function)
	if m == nil {
		return function
	}
	n, err := strconv.Atoi(function[m[8]:m[9]])
	if err != nil || n == 0 {
		return function
	}
	return function[:m[0]] + ".init." + strconv.Itoa(n-1) + function[m[1]:]
}

// absolute is the name on disk of a file as a program built with -trimpath
// prints it; other names stay as they are.
func (c *Checker) absolute(file string) string {
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	for _, pkg := range c.c.Program.Packages {
		path := strings.TrimSuffix(pkg.Path, "_test")
		if name, ok := strings.CutPrefix(file, path+"/"); ok && !strings.Contains(name, "/") {
			return filepath.Join(pkg.Dir, name)
		}
	}
	return file
}

// printed is the name by which a program built with -trimpath prints a file of
// the module; other names stay as they are.
func (c *Checker) printed(file string) string {
	for _, pkg := range c.c.Program.Packages {
		if filepath.Dir(file) == pkg.Dir {
			return strings.TrimSuffix(pkg.Path, "_test") + "/" + filepath.Base(file)
		}
	}
	return file
}

// stack is a place with its part in a failure.
func (c *Checker) stack(kind evidence.Kind, p sched.Place) evidence.Stack {
	s := evidence.Stack{Role: role(kind, p.What), Frames: frames(p.Stack), Created: frames(p.Created)}
	if len(s.Frames) == 0 && p.File != "" {
		s.Frames = []evidence.Frame{{Func: p.Function, File: p.File, Line: p.Line}}
	}
	if len(s.Created) == 0 {
		s.Created = c.spawnSite(p.Goroutine)
	}
	return s
}

func frames(of []sched.Frame) []evidence.Frame {
	var all []evidence.Frame
	for _, f := range of {
		all = append(all, evidence.Frame{Func: f.Function, File: f.File, Line: f.Line})
	}
	return all
}

// role names a goroutine's part as package evidence does, whose words for the
// states of goroutines are those of the Go runtime.
func role(kind evidence.Kind, what string) string {
	switch kind {
	case evidence.Race:
		return what
	case evidence.Deadlock, evidence.Blocked:
		return "blocked: " + state(what)
	case evidence.Panic:
		return "panic"
	case evidence.TestFailure:
		return "test failure"
	}
	return "running"
}

// state is the runtime's name for the wait for an operation.
func state(what string) string {
	switch what {
	case "channel send":
		return "chan send"
	case "channel receive":
		return "chan receive"
	case "time.Sleep":
		return "sleep"
	case "synctest.Test":
		return "synctest.Run"
	}
	switch typ, _, _ := strings.Cut(what, "."); typ {
	case "Mutex", "RWMutex", "Cond", "WaitGroup", "Once", "Map", "Pool":
		return "sync." + what
	}
	return what
}

// maxPlaces is how many blocked goroutines a message names.
const maxPlaces = 4

// describe returns a failure's message, one line for people, and its
// signature; both as package evidence makes them of the output of a real run.
func (c *Checker) describe(f *Failure, said string) (message, signature string) {
	said = headline(strings.TrimSpace(said))
	var at []string
	for _, s := range f.Stacks {
		if frame, ok := c.innermost(s.Frames); ok {
			text := strings.TrimPrefix(strings.TrimPrefix(s.Role, "blocked: "), "previous ") + " in " + evidence.Describe(frame)
			if !slices.Contains(at, text) {
				at = append(at, text)
			}
		}
	}
	if len(at) > maxPlaces {
		at = append(at[:maxPlaces], "...")
	}
	places := strings.Join(at, ", ")
	signature = c.sign(f.Kind, f.Stacks)
	switch f.Kind {
	case evidence.Race:
		return "data race: " + places, signature
	case evidence.Deadlock:
		what := "deadlock"
		if rest, ok := strings.CutPrefix(said, "panic: "); ok {
			what = rest // of a bubble of synctest
		}
		return what + ": " + places, signature
	case evidence.Blocked:
		return "goroutine blocked for ever: " + places, signature
	case evidence.Panic:
		if strings.HasPrefix(said, "fatal error: ") {
			return said + strings.TrimPrefix(places, "panic"), signature
		}
		message, _ := strings.CutPrefix(said, "panic: ")
		if !strings.HasPrefix(message, "fatal error: ") {
			message = "panic: " + message
		}
		return strings.TrimSuffix(message+strings.TrimPrefix(places, "panic"), " "), signature
	case evidence.TestFailure:
		message, signature = f.Test+": ", string(f.Kind)+": "+f.Test
		if len(f.Stacks) > 0 {
			if frame, ok := c.innermost(f.Stacks[0].Frames); ok {
				where := fmt.Sprintf("%s:%d", base(frame.File), frame.Line)
				at := placed.FindStringSubmatch(said)
				switch inTest := strings.HasSuffix(frame.File, "_test.go"); {
				case at != nil && !inTest:
					signature += " " + at[1]
				case strings.HasPrefix(said, where):
					signature += " " + where
				default:
					signature += " " + where
					message += where + ": "
				}
			}
		}
		return message + said, signature
	}
	return said, string(f.Kind) + ": " + f.Test
}

// placed matches a message that names its place in a test: that of the assertion, where the
// frame is one of an assertion library.
var placed = regexp.MustCompile(`^(?:\S+: )?(\S+_test\.go:\d+): ?`)

// bare matches the first line of a message that has nothing but its place: assertion
// libraries begin a table below it.
var bare = regexp.MustCompile(`^\S+\.go:\d+:\s*$`)

// headline is the line of a message that says what is wrong: the first, or what such a
// table has as its error.
//
//	a_test.go:7:
//		Error Trace:	/src/a_test.go:7
//		Error:      	Not equal:
//		            	expected: 1
//		            	actual  : 2
func headline(said string) string {
	first, rest, _ := strings.Cut(said, "\n")
	if !bare.MatchString(first) {
		return first
	}
	var told []string
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		what, begins := strings.CutPrefix(line, "Error:")
		switch {
		case begins:
			told = []string{strings.TrimSpace(what)}
		case line == "", strings.HasPrefix(line, "Error Trace:"), len(told) > 2:
		case len(told) == 0 || strings.HasSuffix(told[0], ":"):
			told = append(told, line)
		}
	}
	for i, line := range told {
		if runes := []rune(line); len(runes) > maxToldLine {
			told[i] = string(runes[:maxToldLine]) + "..."
		}
	}
	return strings.TrimSpace(strings.TrimSpace(first) + " " + strings.Join(told, " "))
}

// maxToldLine bounds a line of such a table in a headline. Guessed.
const maxToldLine = 100

// sign makes a signature of a kind and the places of its stacks. They are sorted,
// because the schedule decides which goroutine comes first.
func (c *Checker) sign(kind evidence.Kind, stacks []evidence.Stack) string {
	var places []string
	for _, s := range stacks {
		f, ok := c.innermost(s.Frames)
		if !ok {
			continue
		}
		at := f.Func + " " + base(f.File)
		if kind == evidence.Race {
			at += fmt.Sprintf(":%d", f.Line)
		}
		places = append(places, at)
	}
	slices.Sort(places)
	return string(kind) + ": " + strings.Join(slices.Compact(places), ", ")
}

// innermost is the frame at which a goroutine stands: the first outside the
// standard library, else the first.
func (c *Checker) innermost(frames []evidence.Frame) (evidence.Frame, bool) {
	for _, f := range frames {
		if !c.library(f) {
			return f, true
		}
	}
	if len(frames) == 0 {
		return evidence.Frame{}, false
	}
	return frames[0], true
}

// library reports whether a frame is of the standard library, or of what is
// compiled into the program.
func (c *Checker) library(f evidence.Frame) bool {
	src := filepath.Join(c.c.Tool.GOROOT, "src") + string(filepath.Separator)
	return strings.HasPrefix(f.File, src) || strings.HasPrefix(f.Func, symbol.Root) || strings.HasPrefix(f.Func, "runtime.")
}

// base is the last element of a file name.
func base(file string) string { return filepath.Base(filepath.FromSlash(file)) }

// isHung reports whether a reason for no verdict is that something took too long.
func isHung(reason string) bool {
	return strings.HasPrefix(reason, "a step took longer than") || strings.HasPrefix(reason, "a goroutine did not end")
}

package stress

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
)

// A Line of a log is an event of a run. A run begins with [Begin] and ends with [End]; in
// between, where it was under control, are its steps: "go", "acquire", "release",
// "send", "read", "write" and so on, with [Switch] where another goroutine goes on, and
// [RaceEvent] for each race.
type Line struct {
	Run       int           `json:"run"` // from 1
	Event     string        `json:"event"`
	Mode      string        `json:"mode,omitempty"` // with Begin
	Test      string        `json:"test,omitempty"` // with Begin, under control
	Seed      uint64        `json:"seed,omitempty"` // with Begin and noise
	Step      int           `json:"step,omitempty"` // within the run, from 1
	Goroutine string        `json:"goroutine,omitempty"`
	Operation string        `json:"operation,omitempty"` // "Mutex.Lock", "channel send"
	Object    string        `json:"object,omitempty"`
	With      string        `json:"with,omitempty"` // the goroutine that is started, met at a channel, or ran before
	Place     string        `json:"place,omitempty"`
	Result    string        `json:"result,omitempty"`    // with End: passed or failed
	Failure   evidence.Kind `json:"failure,omitempty"`   // with End
	Signature string        `json:"signature,omitempty"` // with End, and a race
	Message   string        `json:"message,omitempty"`
	Cut       bool          `json:"cut,omitempty"` // with End: the run had more steps
}

// Events that are not the names of steps.
const (
	Begin     = "begin"
	End       = "end"
	Switch    = "switch"
	RaceEvent = "race"
)

const (
	// loggedRuns of each test that pass are told in full, and as many that fail in each way.
	loggedRuns = 10
	// loggedSteps of a run are told.
	loggedSteps = 10_000
)

// A logger writes the log of runs. A nil one writes nothing.
type logger struct {
	file   *os.File
	w      *bufio.Writer
	module string
	left   excluded
	runs   int
	told   map[string]int // by test and result
}

// newLogger makes the file of a log.
func newLogger(name, module string, left excluded) (*logger, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("make the log: %w; name another file with --log", err)
	}
	return &logger{file: f, w: bufio.NewWriter(f), module: module, left: left, told: map[string]int{}}, nil
}

func (l *logger) close() error {
	if l == nil {
		return nil
	}
	if err := errors.Join(l.w.Flush(), l.file.Close()); err != nil {
		return fmt.Errorf("write the log: %w", err)
	}
	return nil
}

// write writes a line. What cannot be written is told by close.
func (l *logger) write(line Line) {
	line.Run = l.runs
	if data, err := json.Marshal(line); err == nil {
		l.w.Write(append(data, '\n'))
	}
}

// native tells of a run with the real scheduler: how it ended.
func (l *logger) native(mode string, seed uint64, failures []evidence.Failure) {
	if l == nil {
		return
	}
	l.runs++
	l.write(Line{Event: Begin, Mode: mode, Seed: seed})
	l.end(failures, false)
}

// controlled tells of a run under control in full, unless many such ones were told.
func (l *logger) controlled(test string, w checker.Witness, failures []evidence.Failure) {
	if l == nil {
		return
	}
	key := test
	for _, f := range failures {
		key += "\x00" + f.Signature
	}
	if l.told[key]++; l.told[key] > loggedRuns {
		return
	}
	l.runs++
	l.write(Line{Event: Begin, Mode: Controlled, Test: test})
	names := namesOf(w)
	before := ""
	n, cut := 0, false
	for i, e := range w.Events {
		if l.left.has(e.Frame.File, e.Frame.Line) {
			continue
		}
		if cut = n == loggedSteps; cut {
			break
		}
		name := names.goroutine(e.G)
		if before != "" && before != name {
			l.write(Line{Event: Switch, Goroutine: name, With: before})
		}
		n, before = n+1, name
		line := Line{Event: eventOf(e), Step: n, Goroutine: name, Operation: e.Operation, Object: names.objects[i], Place: l.place(e.Frame)}
		if e.With >= 0 {
			line.With = names.goroutine(e.With)
		}
		l.write(line)
	}
	l.end(failures, cut)
}

// end tells how a run ended.
func (l *logger) end(failures []evidence.Failure, cut bool) {
	line := Line{Event: End, Result: "passed", Cut: cut}
	for _, f := range failures {
		if f.Kind == evidence.Race {
			l.write(Line{Event: RaceEvent, Signature: f.Signature, Message: f.Message})
		}
		if line.Failure == "" {
			line.Result, line.Failure, line.Signature, line.Message = "failed", f.Kind, f.Signature, f.Message
		}
	}
	l.write(line)
}

// eventOf names a step.
func eventOf(e checker.WitnessEvent) string {
	if e.Memory {
		return e.Operation
	}
	return e.Kind.String()
}

// place is a position relative to the module, if it is in it.
func (l *logger) place(f sched.Frame) string {
	if f.File == "" {
		return ""
	}
	name := f.File
	if rel, err := filepath.Rel(l.module, name); err == nil && filepath.IsLocal(rel) {
		name = filepath.ToSlash(rel)
	}
	return fmt.Sprintf("%s:%d", name, f.Line)
}

// names are those of a run's goroutines and objects, which stay the same from run to run
// as long as each goroutine does the same by itself: numbers depend on who comes first.
type names struct {
	goroutines []string
	objects    []string // by event
}

func (n names) goroutine(g int) string {
	if g < 0 || g >= len(n.goroutines) {
		return ""
	}
	return n.goroutines[g]
}

// namesOf names goroutines by how they came into being: the name of who has started it,
// the place of the go statement, and how many of there it has started before. An object is
// named by its type and where the first goroutine, by name, that uses it does so first.
func namesOf(w checker.Witness) names {
	n := names{goroutines: slices.Clone(w.Goroutines), objects: make([]string, len(w.Events))}
	started := map[string]int{}
	for _, e := range w.Events {
		if e.Kind != sched.KindGo || e.With < 0 || e.With >= len(n.goroutines) || e.Memory {
			continue
		}
		site, _, ok := strings.Cut(w.Goroutines[e.With], "#")
		if !ok {
			continue
		}
		path := n.goroutine(e.G) + "/" + site
		started[path]++
		n.goroutines[e.With] = fmt.Sprintf("%s#%d", path, started[path])
	}
	n.nameObjects(w.Events)
	return n
}

// An object of a run. The engine numbers memory and other objects apart.
type object struct {
	memory bool
	number int32
}

func (n names) nameObjects(events []checker.WitnessEvent) {
	type use struct{ goroutine, name string }
	first := map[object]use{}
	seen := map[use]int{} // objects that a goroutine used first at a place
	began := map[object]map[int]bool{}
	for _, e := range events {
		o := object{e.Memory, e.Object}
		if e.Object == 0 || began[o][e.G] {
			continue
		}
		if began[o] == nil {
			began[o] = map[int]bool{}
		}
		began[o][e.G] = true
		u := use{n.goroutine(e.G), fmt.Sprintf("%s@%s:%d", typeOf(e), filepath.Base(e.Frame.File), e.Frame.Line)}
		if seen[u]++; seen[u] > 1 {
			u.name = fmt.Sprintf("%s#%d", u.name, seen[u])
		}
		if old, ok := first[o]; !ok || earlier(u.goroutine, old.goroutine) {
			first[o] = u
		}
	}
	for i, e := range events {
		if u, ok := first[object{e.Memory, e.Object}]; ok {
			n.objects[i] = u.name + " of " + u.goroutine
		}
	}
}

// earlier orders goroutines: those with fewer ancestors come first.
func earlier(a, b string) bool {
	return cmp.Or(strings.Count(a, "/")-strings.Count(b, "/"), strings.Compare(a, b)) < 0
}

// typeOf is the type of what a step is done on: "Mutex" of "Mutex.Lock".
func typeOf(e checker.WitnessEvent) string {
	if e.Memory {
		return "variable"
	}
	typ, _, _ := strings.Cut(e.Operation, ".")
	typ, _, _ = strings.Cut(typ, " ")
	return typ
}

package driver

import (
	"fmt"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// maxWitnessed bounds the events that are told of a test: the answers are read into
// memory. Guessed: some 20 megabytes.
const maxWitnessed = 1_000_000

// witness tells of executions of the tests in full.
func (d *session) witness() {
	for i, name := range d.request.Tests {
		t, ok := d.test(name)
		if !ok {
			continue
		}
		end := d.end
		if !end.IsZero() {
			now := time.Now()
			end = now.Add(d.end.Sub(now) / time.Duration(len(d.request.Tests)-i))
		}
		d.say(wire.Answer{Test: d.witnessed(t, end)})
	}
}

// witnessed makes executions of one test: the given schedules, and then others by
// the random strategies in turn, behind the races of the given ones.
func (d *session) witnessed(t Test, end time.Time) *wire.Test {
	w := &witness{frames: map[sched.Frame]int{}, stacks: map[string]int{}, operations: map[string]int{}, told: &wire.Witnessed{}}
	e := &exploration{
		session: d, search: d.request.Search, options: d.options(),
		runner: &runner{test: t, main: d.main(), reset: true},
		start:  time.Now(), end: end, seen: map[string]bool{},
		result: wire.Test{Name: t.Name},
	}
	if e.options.Start.IsZero() {
		e.options.Start = e.start
	}
	defer e.runner.dismiss()
	e.search.Orders, e.search.Minimise = 0, 0
	began := e.begin()
	if began || e.late() && !e.result.Stale && !e.result.Skipped {
		e.witnessGiven(w)
	}
	if began {
		e.witnessOthers(w)
	}
	e.conclude()
	e.result.Witnessed = w.told
	return &e.result
}

// witnessing are options of an execution that is told in full.
func (e *exploration) witnessing() sched.Options {
	o := e.options
	o.Trace, o.Record = true, true
	return o
}

// witnessGiven follows the given schedules, the first of them however little time there
// is: without any there is nothing to say of the failures.
func (e *exploration) witnessGiven(w *witness) {
	for _, s := range e.request.First {
		choices, err := sched.ParseChoices(s.Choices)
		races, wrong := sched.ParseRaces(s.Races)
		if s.Test != e.result.Name || err != nil || wrong != nil || e.undone() || e.late() && len(w.told.Executions) > 0 {
			continue
		}
		o := e.witnessing()
		o.Races = races
		if s.Start != 0 {
			o.Start = s.Start.Time()
		}
		x := e.one(explore.NewGuided(choices), o)
		w.take(x, true)
		for _, r := range races {
			e.expect(r)
		}
		if x.Failure != nil {
			if r, ok := x.Failure.KnownRace(); ok {
				e.expect(r)
			}
		}
	}
}

// expect has the other executions go on behind a race.
func (e *exploration) expect(r sched.KnownRace) {
	for _, known := range e.options.Races {
		if known == r {
			return
		}
	}
	e.options.Races = append(e.options.Races, r)
}

func (e *exploration) witnessOthers(w *witness) {
	strategies := []string{"random", "pct", "pos"}
	for i, strategy := range strategies {
		if e.over() || w.full() {
			return
		}
		s := e.searchFor(strategy)
		s.Executions, s.Run, s.All = (e.search.Executions+len(strategies)-1)/len(strategies), e.witnessing(), true
		if s.Time > 0 {
			s.Time /= time.Duration(len(strategies) - i)
		}
		s.Found = nil
		s.Execute = func(t sched.Strategy, o sched.Options) *sched.Execution {
			x := e.make(t, o)
			if _, again := t.(*explore.Replay); !again {
				w.take(x, false)
			}
			return x
		}
		stop := func() bool { return e.over() || w.full() }
		if _, err := explore.Explore(stop, s, nil); err != nil {
			e.broken = fmt.Sprintf("make executions: %v", err)
		}
	}
}

// A witness notes executions.
type witness struct {
	told       *wire.Witnessed
	frames     map[sched.Frame]int
	stacks     map[string]int // by the numbers of the frames
	operations map[string]int
	events     int
}

func (w *witness) full() bool { return w.events >= maxWitnessed }

// take notes one execution, if its result means something.
func (w *witness) take(x *sched.Execution, given bool) {
	kind := kindOf(x)
	if x.Abandoned || x.Cut || kind == sched.Uncontrolled || kind == sched.Timeout || kind == sched.Unordered || w.full() {
		return
	}
	told := wire.WitnessedExecution{Failure: x.Failure, Goroutines: x.Goroutines, Given: given}
	note := func(g int, kind sched.Kind, obj int32, what string, at []sched.Frame, with, flags int) {
		told.Events = append(told.Events, g, int(kind), int(obj), w.operation(what), w.stack(at), with, flags)
		w.events++
	}
	touches := x.Touches
	for i := 0; i <= len(x.Trace); i++ {
		for len(touches) > 0 && touches[0].After <= i {
			t, what, flags := touches[0], "read", wire.Memory
			if t.Write {
				what, flags = "write", wire.Memory|wire.Write
			}
			note(t.G, sched.KindAccess, t.Word, what, t.Stack, -1, flags)
			touches = touches[1:]
		}
		if i == len(x.Trace) {
			break
		}
		v, flags := &x.Trace[i], 0
		if v.Took {
			flags = wire.Took
		}
		note(v.G, v.Kind, v.Obj, v.What, []sched.Frame{{Function: v.Place.Function, File: v.Place.File, Line: v.Place.Line}}, v.With, flags)
	}
	w.told.Executions = append(w.told.Executions, told)
}

// maxStack is how many frames of a stack are told. Guessed.
const maxStack = 6

func (w *witness) stack(at []sched.Frame) int {
	var numbers []int
	for _, f := range at[:min(maxStack, len(at))] {
		numbers = append(numbers, w.frame(f))
	}
	key := fmt.Sprint(numbers)
	n, ok := w.stacks[key]
	if !ok {
		n = len(w.told.Stacks)
		w.stacks[key] = n
		w.told.Stacks = append(w.told.Stacks, numbers)
	}
	return n
}

func (w *witness) frame(f sched.Frame) int {
	n, ok := w.frames[f]
	if !ok {
		n = len(w.told.Frames)
		w.frames[f] = n
		w.told.Frames = append(w.told.Frames, f)
	}
	return n
}

func (w *witness) operation(what string) int {
	n, ok := w.operations[what]
	if !ok {
		n = len(w.told.Operations)
		w.operations[what] = n
		w.told.Operations = append(w.told.Operations, what)
	}
	return n
}

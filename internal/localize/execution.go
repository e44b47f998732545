package localize

import (
	"maps"
	"slices"

	"mendel/checker"
	"mendel/checker/sched"
)

// An access is one to memory, or an atomic one.
type access struct {
	at     site
	g      int
	write  bool
	atomic bool
	stack  []sched.Frame
	held   map[int32]site // locks by number, with the place of acquisition
}

// A deed is an operation on anything that synchronises but a lock's release.
type deed struct {
	index int // event
	at    site
	g     int
	kind  sched.Kind
	what  string
}

// An execution is one with what was done to each object, in order.
type execution struct {
	checker.Witness
	words map[int32][]access // plain memory
	deeds map[int32][]deed
	ends  []map[int32]site       // by goroutine: locks held at the end
	holds map[hold][]sched.Frame // where these were acquired, in order: several times for reading
	last  []int                  // by goroutine: its last event, -1: none
}

// examine follows the events of an execution.
func examine(w checker.Witness) *execution {
	x := &execution{Witness: w, words: map[int32][]access{}, deeds: map[int32][]deed{}, holds: map[hold][]sched.Frame{}}
	for i, e := range w.Events {
		for e.G >= len(x.ends) && e.G >= 0 {
			x.ends, x.last = append(x.ends, map[int32]site{}), append(x.last, -1)
		}
		if e.G < 0 {
			continue
		}
		held := x.ends[e.G]
		at := siteOf(e.Frame)
		if e.Memory {
			x.words[e.Object] = append(x.words[e.Object], access{at: at, g: e.G, write: e.Write, stack: e.Stack, held: held})
			continue
		}
		x.last[e.G] = i
		switch e.Kind {
		case sched.KindAcquire, sched.KindRAcquire:
			if e.Took {
				x.ends[e.G] = with(held, e.Object, at)
				x.holds[hold{e.G, e.Object}] = append(x.holds[hold{e.G, e.Object}], e.Frame)
			}
		case sched.KindRelease, sched.KindRRelease:
			rest := released(x.holds[hold{e.G, e.Object}], e.Frame)
			x.holds[hold{e.G, e.Object}] = rest
			held = maps.Clone(held)
			delete(held, e.Object)
			if len(rest) > 0 {
				held[e.Object] = siteOf(rest[len(rest)-1])
			}
			x.ends[e.G] = held
			continue
		}
		if e.Object != 0 && e.Kind != sched.KindAccess {
			x.deeds[e.Object] = append(x.deeds[e.Object], deed{i, at, e.G, e.Kind, e.Operation})
		}
	}
	return x
}

// A hold is a lock that a goroutine has.
type hold struct {
	g    int
	lock int32
}

// released are the acquisitions of a lock, in order, without the one that a release ends.
// A goroutine may have a lock several times for reading: then it is the one in the same
// function, or else the last.
func released(acquired []sched.Frame, release sched.Frame) []sched.Frame {
	if len(acquired) == 0 {
		return nil // another goroutine acquired it
	}
	k := len(acquired) - 1
	for i, f := range acquired {
		if f.Function == release.Function {
			k = i
		}
	}
	return slices.Delete(slices.Clone(acquired), k, k+1)
}

// with is a copy: accesses keep the old one.
func with(held map[int32]site, lock int32, at site) map[int32]site {
	held = maps.Clone(held)
	held[lock] = at
	return held
}

// fails reports whether an execution failed as f says.
func (x *execution) fails(f *checker.Failure) bool {
	return x.Failure != nil && x.Failure.Signature == f.Signature
}

// goroutines that took part, or were started.
func (x *execution) goroutines() int {
	n := len(x.ends)
	for _, e := range x.Events {
		if e.Kind == sched.KindGo && !e.Memory {
			n = max(n, e.With+1)
		}
	}
	return n
}

// objects are the keys of a map in order.
func objects[V any](m map[int32]V) []int32 { return slices.Sorted(maps.Keys(m)) }

// fromTrace is the execution of a failure as the checker has told it, without
// accesses to memory.
func fromTrace(f *checker.Failure) *execution {
	w := checker.Witness{Failure: f, Given: true, Goroutines: f.Goroutines}
	for _, e := range f.Trace {
		w.Events = append(w.Events, checker.WitnessEvent{
			G: e.G, Kind: e.Kind, Object: e.Obj, Operation: e.What, With: e.With, Took: e.Took,
			Frame: sched.Frame{Function: e.Place.Function, File: e.Place.File, Line: e.Place.Line},
		})
	}
	return examine(w)
}

package report

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker/sched"
)

// A timeline is an execution with what is known about it: who started whom,
// which locks were held, and which goroutines and objects the failure is about.
type timeline struct {
	kind   evidence.Kind
	names  []string
	trace  []sched.Event
	files  map[string]string     // name for people by file: the base name, with a directory where two share it
	parent []int                 // creator by goroutine, -1 unknown
	child  map[int]int           // goroutine started, by index of the event
	marks  map[int][]sched.Place // places of the failure, by index of the event that they follow
	seen   map[int][]sched.Place // accesses that are shown though nothing is wrong with them, likewise
	stuck  []sched.Place         // places of goroutines that are blocked for ever
	locks  []holding             // in the order of acquisition
	held   []acquired            // locks held at the end
	key    map[int]bool          // steps that explain the failure, by index of the event
	shown  []int                 // goroutines with a column, ascending
	// Of a panic because a channel is closed: the step that closed it, and that which
	// panics; -1 each: it is another failure.
	cause, effect int
}

// An acquired lock that has not been released.
type acquired struct {
	g, at int // goroutine, and index of the event
	obj   int32
}

func newTimeline(o InterleavingOptions) *timeline {
	t := &timeline{
		kind: o.Kind, names: slices.Clone(o.Goroutines), trace: o.Trace,
		cause: -1, effect: -1,
		child: map[int]int{}, marks: map[int][]sched.Place{}, key: map[int]bool{},
	}
	for _, e := range t.trace { // a trace that was cut short or edited may lack names
		for len(t.names) <= e.G {
			t.names = append(t.names, fmt.Sprintf("go#%d", len(t.names)))
		}
	}
	t.nameFiles(o.Places)
	t.creators()
	t.sortPlaces(o.Places)
	t.locks = t.holdings()
	t.held = t.locksAfter(len(t.trace) - 1)
	t.keepExplaining()
	return t
}

// nameFiles finds how files are called.
func (t *timeline) nameFiles(places []sched.Place) {
	t.files = map[string]string{}
	by := map[string][]string{}
	add := func(file string) {
		if _, known := t.files[file]; !known && file != "" {
			base := path.Base(file)
			t.files[file] = base
			by[base] = append(by[base], file)
		}
	}
	for _, e := range t.trace {
		add(e.Place.File)
	}
	for _, p := range places {
		add(p.File)
	}
	for base, files := range by {
		if len(files) < 2 {
			continue
		}
		for _, file := range files {
			t.files[file] = path.Join(path.Base(path.Dir(file)), base)
		}
	}
}

// where is the position of a place as the table has it, "" if it is unknown.
func (t *timeline) where(p sched.Place) string {
	if p.File == "" {
		return ""
	}
	return oneLine(t.files[p.File]) + ":" + strconv.Itoa(p.Line)
}

// creators finds which step started which goroutine, and who did.
func (t *timeline) creators() {
	t.parent = slices.Repeat([]int{-1}, len(t.names))
	for i, e := range t.trace {
		switch {
		case e.Kind == sched.KindGo && e.With > 0 && e.With < len(t.names):
			t.child[i], t.parent[e.With] = e.With, e.G
		case e.Kind == sched.KindStart && t.parent[e.G] < 0 && e.With < len(t.names):
			t.parent[e.G] = e.With // by a timer: -1
		}
	}
}

// sortPlaces sorts the places of the failure into the rows that they belong to.
func (t *timeline) sortPlaces(places []sched.Place) {
	for _, p := range places {
		if drawings[t.kind].stuck {
			t.stuck = append(t.stuck, p)
			continue
		}
		g, at := slices.Index(t.names, p.Goroutine), p.Step
		if at < 0 || at >= len(t.trace) || g >= 0 && t.trace[at].G != g {
			at = t.last(g)
		}
		if drawings[t.kind].unwinds {
			at = t.beforeUnwinding(at)
			t.explainClosed(at, p)
		}
		t.marks[at] = append(t.marks[at], p)
	}
}

// beforeUnwinding is the index of the last step of a goroutine that panics before
// its deferred functions ran, given that of its last one.
func (t *timeline) beforeUnwinding(at int) int {
	if at < 0 || !t.trace[at].Unwinds {
		return at
	}
	for i := at; i >= 0; i-- {
		if t.trace[i].G == t.trace[at].G && !t.trace[i].Unwinds {
			return i
		}
	}
	return at
}

// explainClosed keeps what has made an operation on a channel panic: that it was
// closed before.
func (t *timeline) explainClosed(at int, p sched.Place) {
	if at < 0 || !isChannel(t.trace[at].Kind) || t.trace[at].Obj == 0 || t.trace[at].Place.File != p.File || t.trace[at].Place.Line != p.Line {
		return
	}
	for i := at - 1; i >= 0; i-- {
		if e := t.trace[i]; e.Kind == sched.KindClose && e.Obj == t.trace[at].Obj {
			t.key[i], t.key[at] = true, true
			t.cause, t.effect = i, at
			return
		}
	}
}

func isChannel(k sched.Kind) bool {
	return k == sched.KindSend || k == sched.KindSelect || k == sched.KindClose
}

// last is the index of a goroutine's last step that is not its end, or of the
// last of all.
func (t *timeline) last(g int) int {
	for i := len(t.trace) - 1; i >= 0; i-- {
		if t.trace[i].G == g && t.trace[i].Kind != sched.KindExit {
			return i
		}
	}
	return len(t.trace) - 1
}

// A holding is the time for which a goroutine has a lock.
type holding struct {
	acquired
	read bool
	to   int // index of the event that releases it; -1: none does
}

// holdings are all of them, in the order of acquisition.
func (t *timeline) holdings() []holding {
	var all []holding
	for i, e := range t.trace {
		switch e.Kind {
		case sched.KindAcquire, sched.KindRAcquire:
			if e.Took && strings.HasSuffix(e.What, "Lock") { // and no Once, no Cond
				all = append(all, holding{acquired{e.G, i, e.Obj}, e.Kind == sched.KindRAcquire, -1})
			}
		case sched.KindRelease, sched.KindRRelease:
			k := t.released(all, e)
			if k >= 0 {
				all[k].to = i
			}
		}
	}
	return all
}

// released is the holding that a step ends, -1 if none is. Of several that one goroutine
// has of a lock for reading it is the one that began in the same function, or else the
// last: what was locked first and never released remains.
func (t *timeline) released(all []holding, e sched.Event) int {
	same, last, other := -1, -1, -1
	for i, h := range all {
		switch {
		case h.to >= 0 || h.obj != e.Obj:
		case h.g != e.G: // Go lets any goroutine release a lock
			other = i
		case t.trace[h.at].Place.Function == e.Place.Function:
			same = i
		default:
			last = i
		}
	}
	return cmp.Or(1+same, 1+last, 1+other) - 1
}

// locksAfter are the locks that are held after an event, in the order of
// acquisition.
func (t *timeline) locksAfter(end int) []acquired {
	var held []acquired
	for _, h := range t.locks {
		if h.at <= end && (h.to < 0 || h.to > end) {
			held = append(held, h.acquired)
		}
	}
	return held
}

// keptSteps is how many of the last steps on an object are kept: guessed.
const keptSteps = 6

// keepExplaining finds the steps that explain the failure and must not be folded:
// those that took the locks that its goroutines hold, and the last ones on
// what goroutines are blocked at.
func (t *timeline) keepExplaining() {
	if drawings[t.kind].conflict {
		for at := range t.marks {
			for _, a := range t.locksAfter(at) {
				if a.g == t.trace[at].G {
					t.key[a.at] = true
				}
			}
		}
	}
	if len(t.stuck) == 0 {
		return
	}
	for _, a := range t.held {
		t.key[a.at] = true
	}
	// The object that a blocked goroutine waits for is not part of its place,
	// but was mostly used there before, by it or by others.
	objects := map[int32]int{}
	for _, e := range t.trace {
		for _, p := range t.stuck {
			if e.Obj != 0 && p.File != "" && e.Place.File == p.File && e.Place.Line == p.Line && e.What == p.What {
				objects[e.Obj] = keptSteps
			}
		}
	}
	for i := len(t.trace) - 1; i >= 0; i-- {
		if obj := t.trace[i].Obj; objects[obj] > 0 {
			objects[obj]--
			t.key[i] = true
		}
	}
}

// show decides which goroutines get a column: all if that leaves room to read.
// Else it is those that the failure cannot be understood without, closely
// packed if need be, and as many of the others as fit well.
func (t *timeline) show(room int) {
	order, essential := t.byImportance()
	n := max(1, room/(easyCell+gap))
	if n < essential {
		n = max(1, min(essential, room/(minCell+gap)))
	}
	t.shown = slices.Sorted(slices.Values(order[:min(n, len(order))]))
}

// byImportance orders the goroutines: first those of the failure (of several
// that are blocked at one place, one), those that hold its locks, and their
// creators, which are the essential ones; then others that are blocked; then
// the busiest.
func (t *timeline) byImportance() (order []int, essential int) {
	add := func(g int) {
		if g >= 0 && !slices.Contains(order, g) {
			order = append(order, g)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(t.marks)) {
		for _, p := range t.marks[at] {
			add(slices.Index(t.names, p.Goroutine))
		}
	}
	if t.cause >= 0 {
		add(t.trace[t.cause].G)
	}
	seen := map[string]bool{}
	for _, p := range t.stuck {
		if key := t.where(p) + p.What; !seen[key] {
			seen[key] = true
			add(slices.Index(t.names, p.Goroutine))
		}
	}
	for _, a := range t.held {
		if len(t.stuck) > 0 {
			add(a.g)
		}
	}
	for i := 0; i < len(order); i++ {
		add(t.parent[order[i]])
	}
	essential = len(order)
	for _, p := range t.stuck {
		add(slices.Index(t.names, p.Goroutine))
	}
	steps := make([]int, len(t.names))
	busy := make([]int, len(t.names))
	for g := range busy {
		busy[g] = g
	}
	for _, e := range t.trace {
		steps[e.G]++
	}
	slices.SortStableFunc(busy, func(a, b int) int { return cmp.Compare(steps[b], steps[a]) })
	for _, g := range busy {
		add(g)
	}
	return order, essential
}

// gutter is the width of the column of positions.
func (t *timeline) gutter() int {
	n := 0
	for _, e := range t.trace {
		n = max(n, width(t.where(e.Place)))
	}
	for _, p := range t.stuck {
		n = max(n, width(t.where(p)))
	}
	return min(n, maxGutter) + 2
}

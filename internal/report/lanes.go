package report

import (
	"fmt"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker/sched"
	"mendel/internal/dossier"
)

// LanesOptions say which execution to prepare for drawing.
type LanesOptions struct {
	Test       string
	Kind       evidence.Kind // of the failure; "": the execution passed
	Message    string        // of the failure
	Goroutines []string      // names by ID, as package sched gives them
	Trace      []sched.Event // the steps in order
	Places     []sched.Place // of the failure
	Diverged   string        // how it differs from the schedule that it was to follow; "": it does not
	// Like are the IDs of goroutines that get a column if there is room: those of
	// the execution that this one is to be compared with.
	Like []int
	// Called are the uses of locks in that execution: a lock has its name there.
	Called []LockUse
	// Keep reports of a line whether the first and the last steps of each goroutine
	// there are not to be folded; nil: of none.
	Keep func(file string, line int) bool
	// Accesses are accesses to memory that are shown although nothing is wrong
	// with them; Step is that of the trace which they follow.
	Accesses []sched.Place
	// Source returns the text of a source file, nil if it cannot be had; a nil
	// function has none.
	Source func(file string) []byte
	// Name is how a source file is called in the result; nil: as in the trace.
	Name func(file string) string
}

const (
	easyLanes = 8  // columns that are read side by side with ease: guessed
	mostLanes = 14 // columns when the failure is about that many goroutines: guessed
)

// Lanes prepares an execution for drawing, as [Interleaving] does for a
// terminal: the same rows, folded by the same rules, and the locks as bars. It
// is nil without a trace.
func Lanes(o LanesOptions) *dossier.Trace {
	if len(o.Trace) == 0 {
		return nil
	}
	t := newTimeline(InterleavingOptions{Kind: o.Kind, Goroutines: o.Goroutines, Trace: o.Trace, Places: o.Places})
	t.shown = t.lanes(o.Like)
	t.keep(o.Keep)
	t.see(o.Accesses)
	s := &sources{read: o.Source}
	l := &lanes{o: o, t: t, names: newLockNames(t, o.Source), column: map[int]int{}}
	l.names.adopt(o.Called, o.Places)
	l.out = &dossier.Trace{
		Test: o.Test, Failed: o.Kind != "", Diverged: o.Diverged,
		IDs: t.shown, Hidden: len(t.names) - len(t.shown), Rows: []dossier.Row{}, Conflict: [2]int{-1, -1},
	}
	l.called = t.called()
	for i, g := range t.shown {
		l.column[g] = i
		l.out.Goroutines = append(l.out.Goroutines, oneLine(l.called[g]))
	}
	for _, r := range shorten(collapse(compose(t, s))) {
		l.row(&r)
	}
	l.bars()
	l.cause()
	l.out.Ending = l.ending()
	return l.out
}

// lanes are the goroutines with a column, ascending: the test's own, those of
// the failure, those of the execution to compare with, and the busiest others.
func (t *timeline) lanes(like []int) []int {
	order, essential := t.byImportance()
	first := append([]int{0}, order[:essential]...)
	for _, g := range like {
		if g >= 0 && g < len(t.names) {
			first = append(first, g)
		}
	}
	var all []int
	for _, g := range append(first, order...) {
		if !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	n := max(easyLanes, min(essential+1, mostLanes))
	return slices.Sorted(slices.Values(all[:min(n, len(all))]))
}

// called are the names of goroutines for people, by ID: "Publish #1" by the first
// function with a name that makes a step in it, and its number among those. One of
// which no function is known is called as the checker does, by the place that starts
// it.
func (t *timeline) called() []string {
	names := slices.Clone(t.names)
	first := make([]string, len(names))
	for _, e := range t.trace {
		if f := t.runs(e); e.G > 0 && first[e.G] == "" && f != "" {
			first[e.G] = f
		}
	}
	numbers := map[string]int{}
	for g, f := range first {
		if f != "" {
			numbers[f]++
			names[g] = fmt.Sprintf("%s #%d", f, numbers[f])
		}
	}
	return names
}

// runs is the short name of the function that makes a step; "" for a function
// without a name and for steps outside the program.
func (t *timeline) runs(e sched.Event) string {
	name := evidence.ShortFunc(e.Place.Function)
	if e.Place.File == "" || name == "" {
		return ""
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	if rest, ok := strings.CutPrefix(name, "func"); ok && strings.Trim(rest, "0123456789") == "" || strings.Trim(name, "0123456789") == "" {
		return ""
	}
	return name
}

// keptOfLines is how many steps of a goroutine are kept at the beginning, and
// how many at the end, of those on certain lines: guessed.
const keptOfLines = 2

// keep keeps the first and the last steps of each goroutine on certain lines.
func (t *timeline) keep(wanted func(file string, line int) bool) {
	if wanted == nil {
		return
	}
	at := map[int][]int{}
	for i, e := range t.trace {
		if e.Place.File != "" && wanted(e.Place.File, e.Place.Line) {
			at[e.G] = append(at[e.G], i)
		}
	}
	for _, steps := range at {
		for i, step := range steps {
			if i < keptOfLines || i >= len(steps)-keptOfLines {
				t.key[step] = true
			}
		}
	}
}

// see sorts accesses to the steps that they follow.
func (t *timeline) see(accesses []sched.Place) {
	t.seen = map[int][]sched.Place{}
	for _, p := range accesses {
		at := p.Step
		if at >= 0 && at < len(t.trace) && t.names[t.trace[at].G] == p.Goroutine {
			t.seen[at] = append(t.seen[at], p)
		}
	}
}

// lanes is a drawing under way.
type lanes struct {
	o      LanesOptions
	t      *timeline
	names  *lockNames
	called []string    // names of goroutines for people
	column map[int]int // by goroutine
	out    *dossier.Trace
	at     []int // index of the event that a row of out is, or follows
	fold   []int // index of the first event that is folded after a row; -1: none
}

// row adds a row, or to the last one what is folded after it.
func (l *lanes) row(r *row) {
	last := len(l.out.Rows) - 1
	switch {
	case r.lead == "holds": // the bars tell
		return
	case r.steps > 0 && last >= 0:
		l.out.Rows[last].Folded += r.steps
		if l.fold[last] < 0 {
			l.fold[last] = r.at
		}
		return
	case r.steps > 0: // nothing to attach it to
		return
	}
	out := dossier.Row{G: l.column[r.g], File: l.name(r.place.File), Line: r.place.Line, Text: r.line, Op: l.op(r)}
	if r.end {
		out.Text = ""
	}
	if r.lead == "" {
		out.Starts = l.column[l.t.child[r.event]]
	}
	switch {
	case r.mark == markFailure:
		out.Mark = dossier.Conflict
		l.conflict(len(l.out.Rows))
	case r.mark == markBlocked:
		out.Mark = dossier.Stuck
	case last >= 0 && l.out.Rows[last].G != out.G:
		out.Mark = dossier.Switched
	}
	l.out.Rows = append(l.out.Rows, out)
	l.at, l.fold = append(l.at, r.at), append(l.fold, -1)
}

// conflict takes down a row as one of the accesses of a race.
func (l *lanes) conflict(row int) {
	if !drawings[l.t.kind].conflict {
		return
	}
	for i := range l.out.Conflict {
		if l.out.Conflict[i] < 0 {
			l.out.Conflict[i] = row
			return
		}
	}
}

// cause takes down which row has closed the channel that another one's panic is about.
func (l *lanes) cause() {
	if l.t.cause < 0 {
		return
	}
	from := slices.Index(l.at, l.t.cause)
	to := slices.IndexFunc(l.out.Rows, func(r dossier.Row) bool { return r.Mark == dossier.Conflict })
	if from >= 0 && to > from {
		l.out.Cause = [2]int{from, to}
	}
}

func (l *lanes) name(file string) string {
	if file == "" || l.o.Name == nil {
		return file
	}
	return l.o.Name(file)
}

// bars adds the times for which the goroutines that are shown held locks.
func (l *lanes) bars() {
	for _, h := range l.t.locks {
		g, shown := l.column[h.g]
		if !shown {
			continue
		}
		from, hidden := l.rowOf(h.at)
		to := -1
		if h.to >= 0 {
			var folded bool
			to, folded = l.rowOf(h.to)
			if from == to && hidden && folded {
				continue // the whole section is folded
			}
		}
		if from >= 0 {
			l.out.Bars = append(l.out.Bars, dossier.Bar{G: g, Lock: l.names.of(h.obj), Read: h.read, From: from, To: to})
		}
	}
}

// rowOf is the row of an event, or the last one before it; folded tells that it
// is among the steps that are folded there.
func (l *lanes) rowOf(event int) (row int, folded bool) {
	row = -1
	for i, at := range l.at {
		if at > event || at == event && row >= 0 && l.at[row] == event {
			break
		}
		row = i
	}
	return row, row >= 0 && l.fold[row] >= 0 && event >= l.fold[row]
}

// op words the operation of a row.
func (l *lanes) op(r *row) string {
	switch {
	case r.end:
		return "ends"
	case r.lead == "waits":
		return "waits: " + l.waits(r)
	case r.mark == markFailure && drawings[l.t.kind].conflict:
		return strings.TrimSpace(r.lead + " " + l.names.variable(l.o.Places, r.place))
	case r.mark != markFailure && r.lead != "":
		return strings.TrimSpace(r.lead + " " + l.names.variable(l.o.Accesses, r.place))
	case r.mark == markFailure:
		return r.lead
	}
	var words []string
	for i := r.event; i < len(l.t.trace) && len(words) < max(r.times, 1); i++ {
		if e := l.t.trace[i]; e.G == r.g && e.Kind != sched.KindStart {
			words = append(words, l.step(e))
		}
	}
	op := list(words)
	if n := len(slices.Compact(words)); n == 1 && r.times > 1 {
		op += fmt.Sprintf(" ×%d", r.times)
	}
	return oneLine(op)
}

// waits words what a goroutine is blocked in.
func (l *lanes) waits(r *row) string {
	method := methodOf(r.what)
	if strings.HasSuffix(method, "Lock") && r.place.Obj != 0 && l.names.known(r.place.Obj) {
		return method + " " + l.names.of(r.place.Obj)
	}
	return strings.Replace(r.what, "channel ", "chan ", 1)
}

// step words a step; where source names the object, by that name.
func (l *lanes) step(e sched.Event) string {
	method := methodOf(e.What)
	isLock := strings.HasSuffix(method, "Lock") || strings.HasSuffix(method, "Unlock") || strings.HasSuffix(method, "RUnlock")
	switch e.Kind {
	case sched.KindAcquire, sched.KindRAcquire:
		if isLock && !e.Took && strings.HasPrefix(method, "Try") {
			return method + " " + l.names.of(e.Obj) + ", fails"
		}
		if isLock {
			return method + " " + l.names.of(e.Obj)
		}
	case sched.KindRelease, sched.KindRRelease:
		if isLock {
			return method + " " + l.names.of(e.Obj)
		}
	case sched.KindArrive:
		return "asks: " + method + " " + l.names.of(e.Obj)
	case sched.KindSend, sched.KindRecv:
		return l.passed(e)
	case sched.KindClose:
		return "close"
	case sched.KindYield:
		return "yields"
	}
	return e.What
}

// passed words a send or receive, with its partner where it met one.
func (l *lanes) passed(e sched.Event) string {
	word, with := "chan send", " to "
	if e.Kind == sched.KindRecv {
		word, with = "chan receive", " from "
	}
	if e.With < 0 || e.With >= len(l.t.names) {
		return word
	}
	return word + with + l.called[e.With]
}

// methodOf is the method of an operation: "Lock" of "Mutex.Lock".
func methodOf(what string) string { return what[strings.LastIndexByte(what, '.')+1:] }

// ending words how the execution ended.
func (l *lanes) ending() string {
	message, _, _ := strings.Cut(strings.TrimSpace(l.o.Message), "\n")
	message = oneLine(message)
	if l.o.Kind == "" {
		return "every goroutine is done"
	}
	if ending := drawings[l.o.Kind].ending; ending != nil {
		return ending(l)
	}
	return strings.TrimSuffix(l.o.Kind.Words()+": "+strings.TrimPrefix(message, "panic: "), ": ")
}

// unfinished counts the goroutines that did not end.
func (l *lanes) unfinished() int {
	n := len(l.t.names)
	for _, e := range l.t.trace {
		if e.Kind == sched.KindExit {
			n--
		}
	}
	return n
}

func areGoroutines(n int) string {
	if n == 1 {
		return "1 goroutine is"
	}
	return count(n, "goroutine") + " are"
}

package htmlreport

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mendel/internal/dossier"
)

// Lanes are an execution laid out as a grid. Rows and columns are those of the
// grid, from 1: the first row has the names of the goroutines, the first column
// the positions.
type lanes struct {
	Title    string
	Failed   bool
	Ending   string
	Diverged string
	Lanes    []lane
	Steps    []step
	Bars     []bar
	Locks    []*lock // in the legend, by their letters
	Join     *join   // nil: no two accesses conflict
	Columns  int     // lanes
	Hidden   int     // goroutines that have none
	Last     int     // row
}

// A lane is a goroutine.
type lane struct {
	Name   string
	Column int
	Depth  int // bars that stand side by side in it, at most maxDepth
	From   int // row at which the goroutine begins to exist
	To     int // row behind its end; behind all if it has none
	Stuck  int // row at which it is blocked for ever; 0: it is not
}

// A step is a cell of a lane.
type step struct {
	Row, Column int
	Depth       int // of its lane
	Goroutine   string
	Where       string // position, "" if it is that of the row above
	At          string // position with the whole path, "" if unknown
	Mark        dossier.Mark
	Op          string // "" where the text shows it
	Lock        *lock  // that the operation is about; nil: none that is known
	Text        []span
	Starts      string // goroutine started
	Folded      int    // steps left out; such a step has nothing else
}

// A bar is a lock held in a lane.
type bar struct {
	Column   int
	Slot     int // place beside other bars
	From, To int // row, and the one after the last
	Lock     *lock
	Read     bool
	Open     bool // it is held to the end
}

// A lock has a letter and a colour, which are the same in all executions that
// are shown together.
type lock struct {
	Name   string
	Letter string
	Hue    int
	Read   bool // some bar of it is for reading
}

// A join is the line between two accesses that conflict.
type join struct {
	Left, Right           int // columns
	From, To              int // rows of the two accesses
	LeftDepth, RightDepth int
	Falling               bool // the earlier access is the left one
	Same                  bool // both are in one lane: there is nothing to draw
	Cause                 bool // the earlier one makes the later one fail: an arrow
	Words                 string
}

const (
	maxDepth = 4 // bars with a place of their own in a lane; others share the last
	hues     = 6 // of locks, in style.css
)

// A key gives locks their letters.
type key struct{ locks []*lock }

func (k *key) lock(name string) *lock {
	for _, l := range k.locks {
		if l.Name == name {
			return l
		}
	}
	n := len(k.locks)
	l := &lock{Name: name, Letter: letter(n), Hue: n % hues}
	k.locks = append(k.locks, l)
	return l
}

// about is the lock that an operation is about, by the name at its end; nil if
// it is about none that has a letter.
func (k *key) about(op string) *lock {
	for _, l := range k.locks {
		if strings.HasSuffix(op, " "+l.Name) {
			return l
		}
	}
	return nil
}

// letter counts A to Z, A1 to Z1 and so on.
func letter(n int) string {
	s := string(rune('A' + n%26))
	if n >= 26 {
		s += strconv.Itoa(n / 26)
	}
	return s
}

// layOut makes the grid of an execution.
func layOut(title string, t *dossier.Trace, k *key) *lanes {
	l := &lanes{Title: title, Failed: t.Failed, Ending: t.Ending, Diverged: t.Diverged, Columns: len(t.Goroutines), Hidden: t.Hidden}
	for g, name := range t.Goroutines {
		l.Lanes = append(l.Lanes, lane{Name: name, Column: g + 2, From: 2})
	}
	rows := l.rows(t)
	l.hold(t, rows, k)
	l.steps(t, rows, k)
	l.live(t, rows)
	l.connect(t, rows)
	return l
}

// rows finds the row of each step: one below the other, with a row more where
// steps are left out.
func (l *lanes) rows(t *dossier.Trace) []int {
	rows := make([]int, len(t.Rows))
	next := 2
	for i, r := range t.Rows {
		rows[i] = next
		next++
		if r.Folded > 0 {
			next++
		}
	}
	l.Last = next - 1
	return rows
}

// hold places the bars, each beside those of its lane that it overlaps.
func (l *lanes) hold(t *dossier.Trace, rows []int, k *key) {
	for _, b := range t.Bars {
		held := k.lock(b.Lock)
		held.Read = held.Read || b.Read
		if !slices.Contains(l.Locks, held) {
			l.Locks = append(l.Locks, held)
		}
		n := bar{Column: b.G + 2, From: rows[b.From], To: l.Last + 1, Lock: held, Read: b.Read, Open: b.To < 0}
		if b.To >= 0 {
			n.To = rows[b.To] + 1
		}
		again := slices.ContainsFunc(l.Bars, func(o bar) bool { return o.Column == n.Column && o.Lock == held && o.To == n.From+1 })
		if again && t.Rows[b.From].Folded > 0 && b.To != b.From {
			n.From++ // it was released and acquired among the steps folded here
		}
		for n.Slot < maxDepth-1 && l.taken(n) {
			n.Slot++
		}
		lane := &l.Lanes[b.G]
		lane.Depth = max(lane.Depth, n.Slot+1)
		l.Bars = append(l.Bars, n)
	}
}

// taken reports whether another bar has the place of one.
func (l *lanes) taken(n bar) bool {
	return slices.ContainsFunc(l.Bars, func(b bar) bool {
		return b.Column == n.Column && b.Slot == n.Slot && b.From < n.To && n.From < b.To
	})
}

func (l *lanes) steps(t *dossier.Trace, rows []int, k *key) {
	above := ""
	for i, r := range t.Rows {
		s := step{
			Row: rows[i], Column: r.G + 2, Depth: l.Lanes[r.G].Depth, Goroutine: t.Goroutines[r.G],
			Where: where(r.File, r.Line), At: position(r.File, r.Line), Mark: r.Mark,
		}
		if s.Where == above {
			s.Where = ""
		} else {
			above = s.Where
		}
		if r.Text != "" {
			s.Text = clipped(tokens(r.File, r.Text))
		}
		what := r.Op
		if s.Lock = k.about(what); s.Lock != nil && strings.Contains(r.Text, "."+strings.TrimSuffix(what, " "+s.Lock.Name)+"(") {
			what = "" // the text and the letter say it
		}
		if !shows(r.Text, what) {
			s.Op = what
		}
		if r.Starts > 0 {
			s.Starts = t.Goroutines[r.Starts]
		}
		l.Steps = append(l.Steps, s)
		if r.Folded > 0 {
			l.Steps = append(l.Steps, step{Row: s.Row + 1, Column: s.Column, Depth: s.Depth, Goroutine: s.Goroutine, Folded: r.Folded})
			above = ""
		}
	}
}

// live finds between which rows each goroutine exists: from the step that starts
// it to its end. Without an end it goes on, unless the execution passed: then it
// is among the steps left out behind its last one.
func (l *lanes) live(t *dossier.Trace, rows []int) {
	for g := range l.Lanes {
		n := &l.Lanes[g]
		n.To = l.Last + 1
		first := slices.IndexFunc(t.Rows, func(r dossier.Row) bool { return r.G == g || g > 0 && r.Starts == g })
		if g > 0 && first >= 0 {
			n.From = rows[first]
		}
		for i, r := range t.Rows {
			if r.G != g {
				continue
			}
			if r.Mark == dossier.Stuck {
				n.Stuck, n.To = rows[i], rows[i]+1
			} else if !t.Failed || r.Op == ends {
				n.To = rows[i] + 1
			}
		}
	}
}

// ends is the operation of a goroutine's last row.
const ends = "ends"

// connect draws the line between the accesses of a race.
func (l *lanes) connect(t *dossier.Trace, rows []int) {
	a, b := t.Conflict[0], t.Conflict[1]
	isCause := t.Cause != [2]int{}
	if isCause {
		a, b = t.Cause[0], t.Cause[1]
	}
	if a < 0 || b < 0 || a == b {
		return
	}
	if a > b {
		a, b = b, a
	}
	first, second := t.Rows[a], t.Rows[b]
	j := &join{
		Left: first.G, Right: second.G, From: rows[a], To: rows[b],
		Falling: first.G < second.G, Same: first.G == second.G,
		Words: fmt.Sprintf("In conflict: %s by %s and %s by %s", access(first), t.Goroutines[first.G], access(second), t.Goroutines[second.G]),
		Cause: isCause,
	}
	if isCause {
		j.Words = fmt.Sprintf("The %s by %s makes %s fail", access(first), t.Goroutines[first.G], t.Goroutines[second.G])
	}
	if !j.Falling {
		j.Left, j.Right = j.Right, j.Left
	}
	j.LeftDepth, j.RightDepth = l.Lanes[j.Left].Depth, l.Lanes[j.Right].Depth
	j.Left, j.Right = j.Left+2, j.Right+2
	l.Join = j
}

// access names a step in a sentence.
func access(r dossier.Row) string {
	what := r.Op
	if what == "" {
		what = r.Text
	}
	if at := where(r.File, r.Line); at != "" {
		what += " (" + at + ")"
	}
	return what
}

// where is a position as a lane has room for it: the base name and the line.
func where(file string, n int) string {
	return position(file[strings.LastIndexByte(file, '/')+1:], n)
}

func position(file string, n int) string {
	if file == "" || n <= 0 {
		return file
	}
	return file + ":" + strconv.Itoa(n)
}

// shows reports whether a line of source says what is done, so that saying it
// too would only take room. Deferred calls are made where the function
// returns, therefore a return shows none.
func shows(text, op string) bool {
	if strings.HasPrefix(text, "return") || strings.HasPrefix(text, "defer ") {
		return op == ""
	}
	verb, object, _ := strings.Cut(op, " ")
	switch {
	case op == "", op == "go":
		return true
	case op == "chan send", op == "chan receive":
		return strings.Contains(text, "<-")
	case object == "": // "select", "close", "WaitGroup.Wait"
		method := op[strings.LastIndexByte(op, '.')+1:]
		return strings.HasPrefix(text, op+" {") || strings.HasPrefix(text, op+"(") || strings.Contains(text, "."+method+"(")
	}
	return strings.Contains(text, object+"."+verb+"(")
}

package htmlreport

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/internal/dossier"
)

// raced is a race between the goroutines 2 and 1, the first of which started
// the other.
func raced() *dossier.Trace {
	return &dossier.Trace{
		Goroutines: []string{"main", "a.go:5#1", "a.go:7#1"},
		Rows: []dossier.Row{
			{G: 0, File: "d/a.go", Line: 5, Text: "go f()", Op: "go", Starts: 1, Folded: 3},
			{G: 0, File: "d/a.go", Line: 7, Text: "go g()", Op: "go", Starts: 2},
			{G: 2, File: "d/a.go", Line: 20, Text: "s.mu.Lock()", Op: "Lock s.mu", Mark: dossier.Switched},
			{G: 2, File: "d/a.go", Line: 21, Text: "s.r.RLock()", Op: "RLock s.r"},
			{G: 2, File: "d/a.go", Line: 22, Text: "s.n++", Op: "write s.n", Mark: dossier.Conflict},
			{G: 2, File: "d/a.go", Line: 23, Text: "return", Op: "Unlock s.mu"},
			{G: 2, Op: "ends"},
			{G: 1, File: "d/a.go", Line: 30, Text: "s.n++", Op: "read s.n", Mark: dossier.Conflict},
		},
		Bars:     []dossier.Bar{{G: 2, Lock: "s.mu", From: 2, To: 5}, {G: 2, Lock: "s.r", Read: true, From: 3, To: 4}, {G: 2, Lock: "s.mu", From: 6, To: 6}},
		Conflict: [2]int{4, 7}, Failed: true,
	}
}

func TestLayOut(t *testing.T) {
	l := layOut("Before", raced(), &key{})
	if l.Last != 10 { // names, eight rows, a fold
		t.Errorf("the last row is %d", l.Last)
	}
	var b strings.Builder
	for _, n := range l.Lanes {
		fmt.Fprintf(&b, "lane %s column %d rows %d-%d depth %d\n", n.Name, n.Column, n.From, n.To, n.Depth)
	}
	for _, n := range l.Bars {
		fmt.Fprintf(&b, "%s column %d slot %d rows %d-%d\n", n.Lock.Letter, n.Column, n.Slot, n.From, n.To)
	}
	for _, s := range l.Steps {
		fmt.Fprintf(&b, "%d,%d %s|%s|%s", s.Row, s.Column, s.Where, text(s.Text), s.Op)
		if s.Lock != nil {
			b.WriteString(" " + s.Lock.Letter)
		}
		if s.Starts != "" {
			b.WriteString(" starts " + s.Starts)
		}
		if s.Folded > 0 {
			fmt.Fprintf(&b, " folded %d", s.Folded)
		}
		b.WriteByte('\n')
	}
	want := `lane main column 2 rows 2-11 depth 0
lane a.go:5#1 column 3 rows 2-11 depth 0
lane a.go:7#1 column 4 rows 4-10 depth 2
A column 4 slot 0 rows 5-9
B column 4 slot 1 rows 6-8
A column 4 slot 0 rows 9-10
2,2 a.go:5|go f()| starts a.go:5#1
3,2 ||  folded 3
4,2 a.go:7|go g()| starts a.go:7#1
5,4 a.go:20|s.mu.Lock()| A
6,4 a.go:21|s.r.RLock()| B
7,4 a.go:22|s.n++|write s.n
8,4 a.go:23|return|Unlock s.mu A
9,4 ||ends
10,3 a.go:30|s.n++|read s.n
`
	want = strings.Replace(want, "3,2 ||  folded", "3,2 || folded", 1)
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	j := &join{Left: 3, Right: 4, From: 7, To: 10, RightDepth: 2, Words: "In conflict: write s.n (a.go:22) by a.go:7#1 and read s.n (a.go:30) by a.go:5#1"}
	if diff := cmp.Diff(j, l.Join); diff != "" {
		t.Error(diff)
	}
}

// TestStuck marks from where on a goroutine is blocked for ever.
func TestStuck(t *testing.T) {
	l := layOut("Before", load(t, "deadlock").Failures[0].Trace, &key{})
	for _, n := range l.Lanes {
		if n.Stuck == 0 || n.To != n.Stuck+1 {
			t.Errorf("%s lives to row %d and is stuck from %d on", n.Name, n.To, n.Stuck)
		}
	}
	for _, b := range l.Bars {
		if !b.Open || b.To != l.Last+1 {
			t.Errorf("the bar %+v does not go on to the end", b)
		}
	}
}

// TestHeldAgain draws no lock twice at a time that is released and acquired again
// among folded steps.
func TestHeldAgain(t *testing.T) {
	trace := &dossier.Trace{
		Goroutines: []string{"main"}, Conflict: [2]int{-1, -1},
		Rows: []dossier.Row{{Op: "Lock mu"}, {Op: "read n", Folded: 4}, {Op: "Unlock mu"}},
		Bars: []dossier.Bar{{Lock: "mu", From: 0, To: 1}, {Lock: "mu", From: 1, To: 2}},
	}
	l := layOut("", trace, &key{})
	if a, b := l.Bars[0], l.Bars[1]; a.Slot != 0 || b.Slot != 0 || a.To != b.From || b.To != b.From+2 {
		t.Errorf("bars %+v, %+v", a, b)
	}
}

// TestNoJoin draws no line where no two accesses are known.
func TestNoJoin(t *testing.T) {
	for _, c := range [][2]int{{-1, -1}, {4, -1}, {4, 4}} {
		trace := raced()
		trace.Conflict = c
		if l := layOut("", trace, &key{}); l.Join != nil {
			t.Errorf("%v: %+v", c, l.Join)
		}
	}
}

func TestShowsOperation(t *testing.T) {
	for _, c := range []struct {
		text, op string
		want     bool
	}{
		{"a.mu.Lock()", "Lock a.mu", true},
		{"to.mu.Lock()", "Lock a.mu", false}, // another name of it
		{"defer a.mu.Unlock()", "Unlock a.mu", false},
		{"return a.n", "Unlock a.mu", false},
		{"wg.Wait()", "WaitGroup.Wait", true},
		{"}()", "WaitGroup.Add", false},
		{"select {", "select", true},
		{"close(s.done)", "close", true},
		{"ch <- x", "chan send", true},
		{"for v := range ch {", "chan receive", false},
		{"ch <- x", "chan send to a.go:5#1", false},
		{"s.n++", "write s.n", false},
		{"go func() {", "go", true},
		{"", "ends", false},
	} {
		if got := shows(c.text, c.op); got != c.want {
			t.Errorf("%q shows %q: %t", c.text, c.op, got)
		}
	}
}

// TestKey gives a lock the letter that it has in the execution before.
func TestKey(t *testing.T) {
	k := &key{}
	layOut("Before", raced(), k)
	after := raced()
	after.Bars = []dossier.Bar{{G: 1, Lock: "s.r", From: 7, To: -1}, {G: 1, Lock: "new", From: 7, To: -1}}
	l := layOut("After", after, k)
	if a, b := l.Locks[0].Letter, l.Locks[1].Letter; a != "B" || b != "C" {
		t.Errorf("s.r is %s, new is %s", a, b)
	}
	if got := letter(27); got != "B1" {
		t.Errorf("the 28th lock is %s", got)
	}
}

// What makes a later step fail is joined to it by an arrow, from the cause.
func TestCause(t *testing.T) {
	d := raced()
	d.Conflict, d.Cause = [2]int{-1, -1}, [2]int{2, 7}
	l := layOut("Before", d, &key{})
	want := &join{
		Left: 3, Right: 4, From: 5, To: 10, RightDepth: 2, Cause: true,
		Words: "The Lock s.mu (a.go:20) by a.go:7#1 makes a.go:5#1 fail",
	}
	if diff := cmp.Diff(want, l.Join); diff != "" {
		t.Error(diff)
	}
	r := load(t, "account")
	r.Fixes, r.Failures[0].Trace = nil, d
	page := html(t, r)
	outline(t, page)
	for _, want := range []string{`<line x1="100%" y1="0" x2="0" y2="100%" marker-end="url(#arrow)"/>`, `<marker id="arrow"`, "makes a.go:5#1 fail."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

package report

import (
	"slices"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker/sched"
	"mendel/internal/dossier"
)

// publisher is what the executions of these tests run.
const publisher = `package p

func Publish(s *sub, m string) {
	defer done.Done()
	select {
	case s.ch <- m:
	case s.other <- m:
	case <-s.done:
	}
}

func Close(s *sub) {
	close(s.ch)
}

func TestPublish(t *testing.T) {
	go Publish(s, "a")
	go Close(s)
	done.Wait()
}
`

// panicked is an execution in which one goroutine sends on a channel that another
// one, of many, has closed. The sender's deferred call follows the send.
func panicked(busy int) InterleavingOptions {
	at := func(line int, function string) sched.Place {
		return sched.Place{File: "p.go", Line: line, Function: "example.com/p." + function}
	}
	o := InterleavingOptions{
		Kind: evidence.Panic, Goroutines: []string{"main", "p.go:18#1", "p.go:17#1"}, Width: 80,
		Source: func(string) []byte { return []byte(publisher) },
		Trace: []sched.Event{
			{G: 0, Kind: sched.KindStart, With: -1},
			{G: 0, Kind: sched.KindGo, What: "go", With: 2, Place: at(17, "TestPublish")},
			{G: 0, Kind: sched.KindGo, What: "go", With: 1, Place: at(18, "TestPublish")},
		},
	}
	for i := range busy { // others that do more than who has closed the channel
		g := 3 + i
		o.Goroutines = append(o.Goroutines, "p.go:17#"+string(rune('2'+i)))
		o.Trace = append(o.Trace, sched.Event{G: 0, Kind: sched.KindGo, What: "go", With: g, Place: at(17, "TestPublish")})
		for range 4 {
			o.Trace = append(o.Trace, sched.Event{G: g, Kind: sched.KindRecv, What: "channel receive", Obj: 9, With: -1, Place: at(8, "Publish")})
		}
	}
	o.Trace = append(o.Trace,
		sched.Event{G: 1, Kind: sched.KindClose, What: "close of a channel", Obj: 4, With: -1, Place: at(13, "Close")},
		sched.Event{G: 1, Kind: sched.KindExit, With: -1},
		sched.Event{G: 2, Kind: sched.KindSelect, What: "select", Obj: 4, With: -1, Place: at(5, "Publish")},
		sched.Event{G: 2, Kind: sched.KindAdd, What: "WaitGroup.Done", Obj: 5, With: -1, Unwinds: true, Place: at(5, "Publish")},
		sched.Event{G: 2, Kind: sched.KindExit, With: -1},
	)
	p := at(5, "Publish")
	p.Goroutine, p.What, p.Step = "p.go:17#1", "panic", len(o.Trace)-2
	o.Places = []sched.Place{p}
	return o
}

// The goroutine that has closed the channel has a column however many others there
// are, the case that sends is named, and what was deferred comes behind the panic.
func TestSendOnClosedChannel(t *testing.T) {
	for _, busy := range []int{0, 6} {
		var b strings.Builder
		if err := Interleaving(&b, panicked(busy)); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		closed, failed, deferred := strings.Index(text, "close(s.ch)"), strings.Index(text, "✗ panic: case s.ch"), strings.Index(text, "WaitGroup.Done: deferred")
		if closed < 0 || failed < closed || deferred < failed {
			t.Errorf("%d others: want close, panic with its case, deferred call, in\n%s", busy, text)
		}
	}
}

// The page has the two rows that its arrow joins, and lanes are named by what the
// goroutines run.
func TestCauseOfAPanic(t *testing.T) {
	o := panicked(6)
	trace := Lanes(LanesOptions{
		Test: "TestPublish", Kind: o.Kind, Message: "panic: send on closed channel", Goroutines: o.Goroutines,
		Trace: o.Trace, Places: o.Places, Source: o.Source,
	})
	from, to := trace.Rows[trace.Cause[0]], trace.Rows[trace.Cause[1]]
	if from.Op != "close" || to.Mark != dossier.Conflict || !strings.Contains(to.Text, "case s.ch <- m:") {
		t.Errorf("it joins %+v and %+v", from, to)
	}
	if got := []string{trace.Goroutines[from.G], trace.Goroutines[to.G]}; !slices.Equal(got, []string{"Close #1", "Publish #1"}) {
		t.Errorf("the goroutines are %q", got)
	}
	if trace.Goroutines[0] != "main" {
		t.Errorf("the test's own is %q", trace.Goroutines[0])
	}
}

// Which case it is, is said only where the source tells.
func TestSendingCase(t *testing.T) {
	for _, c := range []struct{ source, closing, want string }{
		{"select {\ncase c <- 1:\ncase <-d:\n}", "", "case c <- 1:"},
		{"select {\ncase a.c <- 1:\ncase b.d <- 2:\n}", "close(x.d)", "case b.d <- 2:"},
		{"select {\ncase a.c <- 1:\ncase b.c <- 2:\n}", "close(x.c)", ""},
		{"select {\ncase a.c <- 1:\ncase b.d <- 2:\n}", "stop()", ""},
		{"select {\ncase <-d:\n}", "close(d)", ""},
		{"select {", "", ""},
	} {
		s := &sources{read: func(string) []byte { return []byte("package p\nfunc f() {\n" + c.source + "\n}\n") }}
		if got := s.sendingCase("p.go", 3, c.closing); got != c.want {
			t.Errorf("%q is %q, want %q", c.source, got, c.want)
		}
	}
}

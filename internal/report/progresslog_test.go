package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"mendel/evolve"
	"mendel/mutate"
)

// A log has a line for each thing that happens, each with the time before it,
// and the date where the day is another than in the line before.
func TestProgressLog(t *testing.T) {
	var out bytes.Buffer
	clock := newClock()
	p := NewProgress(ProgressOptions{Out: &out, Now: clock.Now})
	m := &mutate.Mutant{Edits: []mutate.Edit{{Operator: "lockstatement", File: "a.go", Line: 3}}}
	p.Phase("reproducing %s", "the failure")
	clock.pass(time.Minute)
	p.Search(evolve.Event{Generation: 1, Evaluations: 1, Best: 466.7, Mutant: m})
	p.Search(evolve.Event{Generation: 1, Evaluations: 2, Best: 466.7, Mutant: m})
	p.Search(evolve.Event{Generation: 1, Evaluations: 3, Best: 866, Mutant: m})
	clock.pass(24 * time.Hour)
	p.Search(evolve.Event{Generation: 1, Evaluations: 3, Best: 866, Mean: 512.5, Edits: 88, Done: true})
	p.Printf("a note\nof two lines\n")
	p.Close()
	p.Close()
	p.Printf("too late")
	p.Phase("too late")
	want := `2026-01-02 03:04:05 reproducing the failure
03:05:05 new best 467: lockstatement at a.go:3
03:05:05 new best 866: lockstatement at a.go:3
2026-01-03 03:05:05 generation 1: best 866, mean 512, 3 scored, 88 edits so far
03:05:05 a note
03:05:05 of two lines
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}

// A mutant that is the best until now may be worse than the original, whose score
// is said beside it.
func TestProgressBesideTheOriginal(t *testing.T) {
	var out bytes.Buffer
	clock := newClock()
	p := NewProgress(ProgressOptions{Out: &out, Now: clock.Now})
	m := &mutate.Mutant{Edits: []mutate.Edit{{Operator: "lockstatement", File: "a.go", Line: 3}}}
	p.Phase("searching")
	p.Search(evolve.Event{Generation: 1, Evaluations: 1, Best: 767, Original: 900, Mutant: m})
	p.Search(evolve.Event{Generation: 1, Evaluations: 1, Best: 767, Original: 900, Mean: 700, Done: true})
	clock.pass(silence)
	p.signOfLife()
	p.Search(evolve.Event{Generation: 2, Evaluations: 2, Best: 933, Original: 900, Mutant: m})
	p.Search(evolve.Event{Generation: 2, Evaluations: 2, Best: 933, Original: 900, Mean: 800, Done: true})
	p.Close()
	want := `2026-01-02 03:04:05 searching
03:04:05 new best 767: lockstatement at a.go:3; the original scores 900
03:04:05 generation 1: best 767 (the original 900), mean 700, 1 scored
03:07:05 still searching, for 3:00 now; generation 1, best 767 (the original 900), 1 scored
03:07:05 new best 933: lockstatement at a.go:3; the original scores 900
03:07:05 generation 2: best 933, mean 800, 2 scored
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
	out.Reset()
	p = NewProgress(ProgressOptions{Out: &out, Now: clock.Now, Terminal: true})
	p.Search(evolve.Event{Generation: 1, Evaluations: 1, Best: 767, Original: 900})
	if want := "best 767 (the original 900) of 1000"; !strings.Contains(out.String(), want) {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// Of several searches each has its own best, and its name before its lines.
func TestProgressLogSeveral(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(ProgressOptions{Out: &out, Now: newClock().Now})
	m := &mutate.Mutant{Edits: []mutate.Edit{{Operator: "lockstatement", File: "a.go", Line: 3}}}
	p.Search(evolve.Event{Of: "bank", Generation: 1, Evaluations: 1, Best: 1000, Mutant: m})
	p.Search(evolve.Event{Of: "queue"}) // begins
	p.Search(evolve.Event{Of: "queue", Generation: 1, Evaluations: 1, Best: 400, Mutant: m})
	p.Search(evolve.Event{Of: "queue", Generation: 1, Evaluations: 1, Best: 400, Mean: 400, Done: true})
	p.Close()
	want := `2026-01-02 03:04:05 bank: new best 1000: lockstatement at a.go:3
03:04:05 queue: new best 400: lockstatement at a.go:3
03:04:05 queue: generation 1: best 400, mean 400, 1 scored
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}

// A log that has been silent for long says what goes on, how long already and
// how much time is left; one that has not stays as it is, however often it is
// looked at.
func TestProgressLogSignOfLife(t *testing.T) {
	var out bytes.Buffer
	clock := newClock()
	ticks := make(chan time.Time)
	p := NewProgress(ProgressOptions{Out: &out, Now: clock.Now, Ticks: ticks, Deadline: clock.Now().Add(8 * time.Hour)})
	look := func(after time.Duration) {
		clock.pass(after)
		// The second is taken when the first has been dealt with.
		ticks <- time.Time{}
		ticks <- time.Time{}
	}
	look(time.Hour) // nothing is being done yet
	p.Phase("validating lockstatement at a.go:3")
	look(silence - time.Second)
	look(time.Second)
	look(silence - time.Second)
	look(time.Second)
	p.Search(evolve.Event{Generation: 4, Evaluations: 57, Best: 900, Mean: 400, Done: true})
	look(silence)
	p.Close()
	want := `2026-01-02 04:04:05 validating lockstatement at a.go:3
04:07:05 still validating lockstatement at a.go:3, for 3:00 now; 6:57:00 left
04:10:05 still validating lockstatement at a.go:3, for 6:00 now; 6:54:00 left
04:10:05 generation 4: best 900, mean 400, 57 scored
04:13:05 still validating lockstatement at a.go:3, for 9:00 now; generation 4, best 900, 57 scored; 6:51:00 left
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}

// What programs print reaches the log only with a time before it, so that no
// line of theirs passes for one of the log.
func TestProgressLogEmptyLines(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(ProgressOptions{Out: &out, Now: newClock().Now})
	p.Printf("one\n\n03:00:00 ended: fixed\n")
	p.Close()
	for line := range strings.Lines(out.String()) {
		if line = strings.TrimPrefix(line, "2026-01-02 "); !strings.HasPrefix(line, "03:04:05") {
			t.Errorf("a line without the time: %q", line)
		}
	}
	if n := strings.Count(out.String(), "\n"); n != 3 {
		t.Errorf("%d lines, want 3", n)
	}
}

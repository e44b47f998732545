package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"mendel/evolve"
	"mendel/fitness"
	"mendel/internal/result"
	"mendel/internal/store"
	"mendel/mutate"
	"mendel/validate"
)

// A listener is an Observer that remembers lines.
type listener struct {
	result.Silent
	mu    sync.Mutex
	lines []string
}

func (l *listener) Printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// journalIn opens a journal for a test, with a run that has begun.
func journalIn(t *testing.T, out string) (*Journal, *listener) {
	t.Helper()
	l := &listener{}
	j, err := Open(result.Wanted{Out: out, Observer: l}, &Clock{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	if err := j.Begin(Entry{Package: "example.com/m"}); err != nil {
		t.Fatal(err)
	}
	return j, l
}

// What happens is entered as it happens, a repetition once.
func TestJournalLog(t *testing.T) {
	j, l := journalIn(t, t.TempDir())
	o := j.Recorder(l)
	o.Phase("searching among %d edits", 3)
	best := evolve.Event{Generation: 1, Evaluations: 1, Best: 500, Mutant: &mutate.Mutant{Edits: []mutate.Edit{{Operator: "lock"}}}}
	o.Search(best)
	o.Search(best)
	o.Search(evolve.Event{Generation: 1, Evaluations: 2, Best: 500, Mean: 250, Done: true})
	j.Replay(&Past{run: &store.Run{}})
	o.Printf("told before")
	j.GoLive()
	o.Printf("new")
	j.SaveTime()

	events, err := j.store.Events(j.id(), 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		got = append(got, e.Kind+" "+e.Text)
	}
	want := []string{
		"phase searching among 3 edits", "best new best 500: lock at :0",
		"generation generation 1: best 500, mean 250, 2 scored", "line new",
	}
	if !slices.Equal(got, want) {
		t.Errorf("entered %q", got)
	}
	if want := []string{"told before", "new"}; !slices.Equal(l.lines, want) {
		t.Errorf("told %q", l.lines)
	}
	run, err := j.store.Last()
	if err != nil || run.Phase != "searching among 3 edits" || run.Progress != (store.Progress{Generation: 1, Scored: 2, Best: 500}) {
		t.Errorf("%+v, %v", run, err)
	}
	if g, err := j.store.Generations(run.ID); err != nil || len(g) != 1 || g[0].Mean != 250 {
		t.Errorf("%+v, %v", g, err)
	}
}

// While nothing can be written the repair goes on, with one note; what was to
// be written is, as soon as that is possible.
func TestJournalInMemory(t *testing.T) {
	j, l := journalIn(t, t.TempDir())
	full := errors.New("database or disk is full")
	var entered []int
	enter := func(i int) {
		j.write(func(int64) error {
			if full != nil {
				return full
			}
			entered = append(entered, i)
			return nil
		})
	}
	for i := range 3 {
		enter(i)
	}
	if len(l.lines) != 1 || !strings.Contains(l.lines[0], "disk is full") || !strings.Contains(l.lines[0], "in memory") {
		t.Errorf("told %q", l.lines)
	}
	if !strings.Contains(j.Lost(), "disk is full") {
		t.Errorf("lost: %q", j.Lost())
	}
	full = nil
	enter(3)
	if want := []int{0, 1, 2, 3}; !slices.Equal(entered, want) || j.Lost() != "" {
		t.Errorf("entered %v; lost %q", entered, j.Lost())
	}
	full = errors.New("again")
	for i := range 2 * maxPending {
		enter(i)
	}
	if len(j.pending) > maxPending || len(l.lines) != 1 {
		t.Errorf("%d pending, %d lines", len(j.pending), len(l.lines))
	}
}

// Without an output directory there is no journal, and nobody has to ask.
func TestNoJournal(t *testing.T) {
	j, err := Open(result.Wanted{}, &Clock{})
	if j != nil || err != nil {
		t.Fatalf("%v, %v", j, err)
	}
	j.GoLive()
	j.write(nil)
	j.event(store.LineEvent, "x")
	j.SaveWork(result.Work{})
	j.End(context.Background(), &result.Result{}, nil)
	if j.Lost() != "" || j.Resumed() != nil {
		t.Error("it knows something")
	}
	l := &listener{}
	if j.Recorder(l) != result.Observer(l) {
		t.Error("it listens")
	}
	j.Close()
}

// Scores of other runs are used unless the run is fresh, or they came about by
// a lack of time or by a broken checker; validations of others are not.
func TestJournalRecalls(t *testing.T) {
	out := t.TempDir()
	good, late := &mutate.Mutant{Hash: "good"}, &mutate.Mutant{Hash: "late"}
	first, _ := journalIn(t, out)
	keep := func(j *Journal) {
		t.Helper()
		s := scores{j, "key"}
		err := errors.Join(
			s.Keep(good, fitness.Record{Result: fitness.Result{Score: 500}}),
			s.Keep(late, fitness.Record{Observations: fitness.Observations{TimedOut: true}}),
			verdicts{j}.Keep(good, validate.Record{Rejected: &validate.Rejected{Stage: validate.StageVet}}),
		)
		if err != nil {
			t.Fatal(err)
		}
	}
	known := func(j *Journal, judging string) (hashes []string) {
		for _, hash := range []string{"good", "late", "new"} {
			if r, ok := (scores{j, judging}).Recall(hash); ok {
				hashes = append(hashes, fmt.Sprintf("%s %.0f", hash, r.Result.Score))
			}
		}
		if _, ok := (verdicts{j}).Recall("good"); ok {
			hashes = append(hashes, "verdict")
		}
		return hashes
	}
	check := func(who string, j *Journal, judging string, want ...string) {
		t.Helper()
		if got := known(j, judging); !slices.Equal(got, want) {
			t.Errorf("%s knows %q, want %q", who, got, want)
		}
	}
	keep(first)
	check("the run itself", first, "key", "good 500", "late 0", "verdict")
	check("it, judging otherwise,", first, "other", "verdict")
	first.Close()

	second, _ := journalIn(t, out)
	check("another run", second, "key", "good 500")
	second.run.Fresh = true
	check("a fresh run", second, "key")
	keep(second)
	check("a fresh run that has evaluated", second, "key", "good 500", "late 0", "verdict")
}

// Scores in another format are told apart from those in this one.
func TestJournalOtherFormat(t *testing.T) {
	j, _ := journalIn(t, t.TempDir())
	for _, tt := range []struct {
		mendel string // that made the latest run
		scored bool
		want   bool
	}{{"format 99", false, false}, {"format 99", true, true}, {formatName(), true, false}} {
		run := &store.Run{Mendel: tt.mendel}
		if err := j.store.Begin(run); err != nil {
			t.Fatal(err)
		}
		if tt.scored {
			e := store.Evaluation{Run: run.ID, Mutant: store.Mutant{Hash: "m"}, Judging: tt.mendel}
			if err := j.store.KeepEvaluation(e); err != nil {
				t.Fatal(err)
			}
		}
		if got := j.OtherFormat(); got != tt.want {
			t.Errorf("%+v: %t", tt, got)
		}
	}
}

package mendel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mendel/evolve"
	"mendel/fitness"
	"mendel/internal/store"
	"mendel/mutate"
	"mendel/validate"
)

// A listener is an Observer that remembers lines.
type listener struct {
	silent
	mu    sync.Mutex
	lines []string
}

func (l *listener) Printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// journalIn opens a journal for a test, with a run that has begun.
func journalIn(t *testing.T, out string) (*journal, *listener) {
	t.Helper()
	l := &listener{}
	j, err := openJournal(Options{Out: out, Observer: l}, &clock{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.close)
	if err := j.begin(&store.Run{Package: "example.com/m"}); err != nil {
		t.Fatal(err)
	}
	return j, l
}

// What happens is entered as it happens, a repetition once.
func TestJournalLog(t *testing.T) {
	j, l := journalIn(t, t.TempDir())
	o := j.records(l)
	o.Phase("searching among %d edits", 3)
	best := evolve.Event{Generation: 1, Evaluations: 1, Best: 500, Mutant: &mutate.Mutant{Edits: []mutate.Edit{{Operator: "lock"}}}}
	o.Search(best)
	o.Search(best)
	o.Search(evolve.Event{Generation: 1, Evaluations: 2, Best: 500, Mean: 250, Done: true})
	j.resumes(&store.Run{})
	o.Printf("told before")
	j.news()
	o.Printf("new")
	j.enterTime()

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
	if !strings.Contains(j.lost(), "disk is full") {
		t.Errorf("lost: %q", j.lost())
	}
	full = nil
	enter(3)
	if want := []int{0, 1, 2, 3}; !slices.Equal(entered, want) || j.lost() != "" {
		t.Errorf("entered %v; lost %q", entered, j.lost())
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
	j, err := openJournal(Options{}, &clock{})
	if j != nil || err != nil {
		t.Fatalf("%v, %v", j, err)
	}
	j.news()
	j.write(nil)
	j.event(store.LineEvent, "x")
	j.counted(work{})
	j.end(context.Background(), &Result{}, nil)
	if j.lost() != "" || j.resumed() != nil {
		t.Error("it knows something")
	}
	l := &listener{}
	if j.records(l) != Observer(l) {
		t.Error("it listens")
	}
	j.close()
}

// Scores of other runs are used unless the run is fresh, or they came about by
// a lack of time or by a broken checker; validations of others are not.
func TestJournalRecalls(t *testing.T) {
	out := t.TempDir()
	good, late := &mutate.Mutant{Hash: "good"}, &mutate.Mutant{Hash: "late"}
	first, _ := journalIn(t, out)
	keep := func(j *journal) {
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
	known := func(j *journal, judging string) (hashes []string) {
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
	check := func(who string, j *journal, judging string, want ...string) {
		t.Helper()
		if got := known(j, judging); !slices.Equal(got, want) {
			t.Errorf("%s knows %q, want %q", who, got, want)
		}
	}
	keep(first)
	check("the run itself", first, "key", "good 500", "late 0", "verdict")
	check("it, judging otherwise,", first, "other", "verdict")
	first.close()

	second, _ := journalIn(t, out)
	check("another run", second, "key", "good 500")
	second.run.Fresh = true
	check("a fresh run", second, "key")
	keep(second)
	check("a fresh run that has evaluated", second, "key", "good 500", "late 0", "verdict")
}

// Scores of another Mendel are told apart from those of this one.
func TestJournalForeign(t *testing.T) {
	j, _ := journalIn(t, t.TempDir())
	for _, tt := range []struct {
		mendel string // that made the latest run
		scored bool
		want   bool
	}{{"other", false, false}, {"other", true, true}, {"this", true, false}} {
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
		if got := j.isForeign("this"); got != tt.want {
			t.Errorf("%+v: %t", tt, got)
		}
	}
}

// The work of a phase that is going on is known when the process is killed.
func TestLap(t *testing.T) {
	j, l := journalIn(t, t.TempDir())
	r := &repairer{
		o: Options{Observer: l}, journal: j, history: newHistory(time.Now(), 0),
		result: &Result{Phases: []Phase{{Name: "search", Seconds: 1}}}, phaseBegan: time.Now().Add(-time.Minute),
	}
	r.before.runs = 7
	h := &hunt{repairer: r}
	h.observe(evolve.Event{Generation: 1, Evaluations: 1})
	j.enterTime()
	run, err := j.store.Last()
	if err != nil {
		t.Fatal(err)
	}
	var w work
	if err := json.Unmarshal(run.Work, &w); err != nil || w.Search.Runs != 7 || len(w.Phases) != 1 || w.Phases[0].Seconds < 61 {
		t.Errorf("%s: %+v, %v", run.Work, w, err)
	}
}

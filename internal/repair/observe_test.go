package repair

import (
	"testing"
	"time"

	"mendel/evolve"
	"mendel/internal/journal"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
)

// The work of a phase that is going on is known when the process is killed.
func TestWorkIsSaved(t *testing.T) {
	dir := t.TempDir()
	j, err := journal.Open(result.Wanted{Out: dir, Observer: result.Silent{}}, &journal.Clock{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := j.Begin(journal.Entry{Package: "example.com/m"}); err != nil {
		t.Fatal(err)
	}
	p := setup.NewProgress(result.Silent{}, false, j)
	p.Phase("search", "searching")
	p.Resume(result.Work{Search: result.Search{Runs: 7}, Phases: []result.Phase{{Name: "search", Seconds: 60}}}, 0)
	env := &environment{Setup: setup.New(result.Wanted{}, j, p)}
	out := &outcome{}
	out.history = newHistory(time.Now(), 0)
	s := &searchRun{judges: &judges{environment: env}, out: out}
	s.observe(evolve.Event{Generation: 1, Evaluations: 1})
	j.SaveTime()
	past, err := j.Latest(dir)
	if err != nil {
		t.Fatal(err)
	}
	w, err := past.Work()
	if err != nil || w.Search.Runs != 7 || len(w.Phases) != 1 || w.Phases[0].Seconds <= 60 {
		t.Errorf("%+v, %v", w, err)
	}
}

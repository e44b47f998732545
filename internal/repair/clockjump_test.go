package repair

import (
	"database/sql"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"mendel/internal/journal"
	"mendel/internal/result"
	"mendel/internal/store"
)

// The machine's clock was set, by years, between a repair and its resumption:
// the time that it has spent and has left is what it was.
func TestClockJump(t *testing.T) {
	for name, jump := range map[string]time.Duration{"back": -87600 * time.Hour, "ahead": 87600 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			begunAt(t, out, time.Now().Add(-jump), 40, 100)
			state, err := journal.ReadState(out)
			if err != nil {
				t.Fatal(err)
			}
			if state.RunState != journal.Killed || state.Spent != 40 || state.Left != 60 {
				t.Errorf("status: %s, %v s spent, %v s left; want killed, 40, 60", state.RunState, state.Spent, state.Left)
			}
			s, ended, err := open(result.Wanted{Out: out, Resume: true}, known{})
			if ended != nil || err != nil {
				t.Fatalf("resume: %v, %v", ended, err)
			}
			defer s.journal.Close()
			ctx, cancel := s.clock.Within(t.Context(), s.wanted.Budget)
			defer cancel()
			s.clock.Start()
			end, ok := ctx.Deadline()
			if left := time.Until(end); !ok || ctx.Err() != nil || left > time.Minute || left < 0 {
				t.Errorf("%v left, %v; want a minute", left, ctx.Err())
			}
			if spent := s.clock.Spent(); spent < 40*time.Second || spent > 100*time.Second {
				t.Errorf("%v spent, want 40 s", spent)
			}
		})
	}
}

// begunAt makes the store of a repair that was killed after some of its budget,
// in seconds.
func begunAt(t *testing.T, out string, started time.Time, spent, budget float64) {
	t.Helper()
	s, _, err := store.Open(out, false)
	if err != nil {
		t.Fatal(err)
	}
	options, err := json.Marshal(journal.Options{Package: ".", Seed: 1, Budget: journal.Seconds(budget)})
	if err != nil {
		t.Fatal(err)
	}
	run := &store.Run{Budget: budget, Package: "example.com/p", Options: options, Source: []byte("{}"), Mendel: "format 2"}
	err = s.Begin(run)
	if err = errors.Join(err, s.Beat(run.ID, spent, store.Progress{}, []byte("{}")), s.Close()); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(out, store.Name))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("UPDATE runs SET started = ?", started.UTC().Format(time.RFC3339))
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

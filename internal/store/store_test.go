package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// opened opens the store of a directory for a test.
func opened(t *testing.T, dir string) *Store {
	t.Helper()
	s, _, err := Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// begun enters a run for a test.
func begun(t *testing.T, s *Store) *Run {
	t.Helper()
	r := &Run{
		PID: 7, Budget: 60, Module: "/m", Package: "example.com/m", Pattern: "TestX", Go: "go1.26", Mendel: "1",
		Options: []byte(`{"Seed":3}`), Source: []byte(`{"m.go":"x"}`),
	}
	must(t, s.Begin(r))
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The next process reads what was entered.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	if r, err := s.Last(); r != nil || err != nil {
		t.Fatalf("an empty store has run %+v, %v", r, err)
	}
	want := begun(t, s)
	must(t, s.KeepBaseline(want.ID, []byte(`{"checked":{"failures":[{"schedule":{"test":"TestX","choices":"0*2 1"}}]}}`), []FailureRow{{Kind: "race", Seen: 3, Runs: 10}}))
	must(t, s.KeepFindings(want.ID, []Finding{{Kind: "variable", Name: "T.n", Place: "m.go:3", Reasons: "static: x"}}))
	must(t, s.KeepEvent(want.ID, Event{Time: time.Now(), Kind: PhaseEvent, Text: "searching"}))
	must(t, s.Beat(want.ID, 12.5, Progress{Generation: 2, Scored: 40, Best: 900}, []byte(`{"w":1}`)))
	must(t, s.Close())

	s = opened(t, dir)
	got, err := s.Last()
	must(t, err)
	if got.Status != Running || got.Seconds != 12.5 || got.Phase != "searching" || got.Progress.Scored != 40 || got.PID != 7 ||
		string(got.Options) != `{"Seed":3}` || string(got.Work) != `{"w":1}` || len(got.Baseline) == 0 || !got.Ended.IsZero() ||
		got.Started.Sub(want.Started).Abs() > time.Second {
		t.Errorf("%+v", got)
	}
	must(t, s.Resume(got, 8, 120))
	must(t, s.End(got.ID, End{Status: Done, Outcome: "fixed", Result: []byte("{}"), Report: "text"}))
	got, err = s.Last()
	must(t, err)
	if got.Status != Done || got.Resumed != 1 || got.Budget != 120 || got.Outcome != "fixed" || got.Report != "text" || got.Ended.IsZero() {
		t.Errorf("%+v", got)
	}
	var test, choices string
	must(t, s.db.QueryRow("SELECT test, choices FROM schedules WHERE mutant = ''").Scan(&test, &choices))
	if test != "TestX" || choices != "0*2 1" {
		t.Errorf("the original fails %s under %q", test, choices)
	}
}

// A run that failed before the original was known hides no other.
func TestLast(t *testing.T) {
	s := opened(t, t.TempDir())
	first := begun(t, s)
	must(t, s.End(first.ID, End{Status: Interrupted}))
	mistyped := begun(t, s)
	must(t, s.End(mistyped.ID, End{Status: Failed}))
	if r, err := s.Last(); err != nil || r.ID != first.ID {
		t.Errorf("run %+v, %v, want %d", r, err, first.ID)
	}
	must(t, s.KeepBaseline(mistyped.ID, []byte(`{}`), nil))
	if r, err := s.Last(); err != nil || r.ID != mistyped.ID {
		t.Errorf("run %+v, %v, want %d: it can be tried again", r, err, mistyped.ID)
	}
}

// Scores hold for one way of judging; those of validations for one run.
func TestObservations(t *testing.T) {
	s := opened(t, t.TempDir())
	one, two := begun(t, s), begun(t, s)
	m := Mutant{Hash: "h", Words: "lock", Edits: []byte("[]")}
	must(t, s.KeepEvaluation(Evaluation{
		Mutant: m, Judging: "a", Run: one.ID, Score: 500,
		Record: []byte(`{"learnt":{"schedules":[{"test":"TestX","choices":"1"}]}}`),
	}))
	if record, run, ok, err := s.Evaluation("a", "h"); err != nil || !ok || run != one.ID || !strings.Contains(string(record), "TestX") {
		t.Errorf("%s of run %d, %t, %v", record, run, ok, err)
	}
	for _, c := range [][2]string{{"b", "h"}, {"a", "g"}} {
		if _, _, ok, err := s.Evaluation(c[0], c[1]); ok || err != nil {
			t.Errorf("%v is known: %t, %v", c, ok, err)
		}
	}
	must(t, s.KeepEvaluation(Evaluation{Mutant: m, Judging: "a", Run: two.ID, Record: []byte(`{}`)}))
	if _, run, _, _ := s.Evaluation("a", "h"); run != two.ID {
		t.Errorf("the score is of run %d, want the later %d", run, two.ID)
	}
	must(t, s.KeepValidation(Validation{Mutant: m, Run: one.ID, Stage: "vet", Reason: "copies a lock", Record: []byte(`{"x":1}`)}))
	if record, ok, err := s.Validation(one.ID, "h"); err != nil || !ok || string(record) != `{"x":1}` {
		t.Errorf("%s, %t, %v", record, ok, err)
	}
	if _, ok, err := s.Validation(two.ID, "h"); ok || err != nil {
		t.Errorf("another run knows the validation: %v", err)
	}
	for hash, record := range map[string]string{
		"whole": `{"fix":{"Race":true}}`, "whole too": `{"fix":{"Incomplete":[]}}`, "part": `{"fix":{"Incomplete":["go vet was not run"]}}`,
	} {
		must(t, s.KeepValidation(Validation{Mutant: Mutant{Hash: hash, Edits: []byte("[]")}, Run: one.ID, Record: []byte(record)}))
	}
	for run, want := range map[int64]Counts{one.ID: {Fixes: 2, Incomplete: 1, Rejected: 1}, two.ID: {Evaluations: 1}} {
		if got, err := s.Counts(run); err != nil || got != want {
			t.Errorf("run %d has made %+v, %v, want %+v", run, got, err, want)
		}
	}
}

func TestLog(t *testing.T) {
	s := opened(t, t.TempDir())
	r := begun(t, s)
	for i := range 5 {
		must(t, s.KeepEvent(r.ID, Event{Time: time.Now(), Seconds: float64(i), Kind: LineEvent, Text: fmt.Sprint(i)}))
	}
	events, err := s.Events(r.ID, 2)
	must(t, err)
	if len(events) != 2 || events[0].Text != "3" || events[1].Text != "4" || time.Since(events[1].Time).Abs() > time.Hour {
		t.Errorf("%+v", events)
	}
	want := []Generation{{1, 2.5, 700, 300, 30}, {2, 5, 900, 400, 60}}
	for _, g := range want {
		must(t, s.KeepGeneration(r.ID, g))
	}
	if got, err := s.Generations(r.ID); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

// A reader sees what a writer has committed, and cannot write.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	if _, err := Look(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no store: %v", err)
	}
	s := opened(t, dir)
	r := begun(t, s)
	look, err := Look(dir)
	must(t, err)
	defer look.Close()
	must(t, s.KeepEvent(r.ID, Event{Kind: LineEvent, Text: "since"}))
	if events, err := look.Events(r.ID, 1); err != nil || len(events) != 1 || events[0].Text != "since" {
		t.Errorf("%+v, %v", events, err)
	}
	if err := look.Begin(&Run{}); err == nil {
		t.Error("it was written to")
	}
}

// What cannot be used is refused in words with a way out; what is damaged is
// moved aside when asked.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, name string)
		want   []string
		aside  bool // it is moved aside on demand
	}{
		{"not a database", func(t *testing.T, name string) {
			must(t, os.WriteFile(name, []byte(strings.Repeat("no database ", 1000)), 0o666))
		}, []string{"damaged", "--fresh", "--out"}, true},
		{"torn", func(t *testing.T, name string) {
			data, err := os.ReadFile(name)
			must(t, err)
			copy(data[4096:], strings.Repeat("\xff", len(data)-4096))
			must(t, os.WriteFile(name, data, 0o666))
		}, []string{"damaged", "--fresh", "--out"}, true},
		{"another program's", func(t *testing.T, name string) { execute(t, name, "PRAGMA application_id = 1") },
			[]string{"another program", "--out"}, false},
		{"a later version", func(t *testing.T, name string) { execute(t, name, "PRAGMA user_version = 99") },
			[]string{"version 99", "the Mendel that wrote it", "--out"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s := opened(t, dir)
			begun(t, s)
			must(t, s.Close())
			c.change(t, filepath.Join(dir, Name))
			before, err := os.ReadFile(filepath.Join(dir, Name))
			must(t, err)
			_, _, err = Open(dir, false)
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error %v, want one with %q", err, want)
				}
			}
			s, moved, err := Open(dir, true)
			if (err == nil) != c.aside {
				t.Fatalf("aside: %v", err)
			}
			if !c.aside {
				return
			}
			defer s.Close()
			if after, err := os.ReadFile(moved); err != nil || string(after) != string(before) {
				t.Errorf("%s is not what it was: %v", moved, err)
			}
			if r, err := s.Last(); r != nil || err != nil {
				t.Errorf("the new one has run %+v, %v", r, err)
			}
		})
	}
}

// execute runs a statement on a database behind the store's back.
func execute(t *testing.T, name, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", name)
	must(t, err)
	_, err = db.Exec(statement)
	must(t, errors.Join(err, db.Close()))
}

// A name that has a meaning in a URI is a name all the same.
func TestOddName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a%20b ?mode=ro#c")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Skip(err) // not on every system
	}
	begun(t, opened(t, dir))
	if !Exists(dir) || Exists("") {
		t.Error("the file is elsewhere")
	}
}

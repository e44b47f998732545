package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/store"
)

// The state says what is going on, and what can be done.
func TestStateInWords(t *testing.T) {
	for _, c := range []struct {
		name   string
		status store.Status
		held   bool
		want   RunState
		words  []string
	}{
		{"running", store.Running, true, Running, []string{"running", "process 7", "searching"}},
		{"killed", store.Running, false, Killed, []string{"killed", "mendel repair --resume o"}},
		{"interrupted", store.Interrupted, false, Interrupted, []string{"mendel repair --resume o"}},
		{"out of budget", store.OutOfBudget, false, OutOfBudget, []string{"--budget", "no luck"}},
		{"broken", store.Failed, false, Errored, []string{"error", "try again"}},
		{"over, while another begins", store.Done, true, Ended, []string{"ended: not-fixed"}},
	} {
		run := &store.Run{
			Status: c.status, Outcome: "not-fixed", Reason: "no luck", Package: "example.com/m", Pattern: "TestX", Phase: "searching",
			Budget: 3600, Seconds: 600, Progress: store.Progress{Generation: 3, Scored: 90, Best: 966}, Resumed: 2, Options: []byte(`{"Seed": 11}`),
		}
		s := stateOf("o", run, c.held)
		s.PID, s.Evaluations, s.Fixes = 7, 95, 1
		if s.RunState != c.want {
			t.Errorf("%s: %s", c.name, s.RunState)
		}
		var text strings.Builder
		if err := s.Print(&text); err != nil {
			t.Fatal(err)
		}
		common := []string{"example.com/m, tests matching TestX, seed 11", "resumed 2 times", "generation 3, best score 966 of 1000, 95 mutants", "validated fixes: 1", "10m0s of 1h0m0s spent, 50m0s left"}
		for _, want := range append(common, c.words...) {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: want %q in\n%s", c.name, want, text.String())
			}
		}
	}
}

// Where nothing is, nothing is made up.
func TestNoState(t *testing.T) {
	out := t.TempDir()
	if _, err := ReadState(out); err == nil || !strings.Contains(err.Error(), "holds no repair") {
		t.Errorf("error %v", err)
	}
	below := filepath.Join(out, "1-bank")
	if err := os.Mkdir(below, 0o777); err != nil {
		t.Fatal(err)
	}
	other, _ := journalIn(t, below)
	other.Close()
	if _, err := ReadState(out); err == nil || !strings.Contains(err.Error(), "name one of "+below) {
		t.Errorf("error %v", err)
	}
	lock, err := store.Acquire(out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadState(out); err == nil || !strings.Contains(err.Error(), "only beginning") {
		t.Errorf("error %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	j, _ := journalIn(t, out)
	s, err := ReadState(out)
	if err != nil || s.RunState != Running || s.PID == 0 {
		t.Errorf("%+v, %v", s, err)
	}
	j.Close()
	if s, err := ReadState(out); err != nil || s.RunState != Killed || s.PID != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

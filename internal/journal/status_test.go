package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/result"
	"mendel/internal/store"
	"mendel/mutate"
	"mendel/validate"
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
			Work: []byte(`{"search": {"original": 980}}`),
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
		common := []string{"example.com/m, tests matching TestX, seed 11", "resumed 2 times", "generation 3, best score 966 of 1000 (the original: 980), 95 mutants", "validated fixes: 1", "10m0s of 1h0m0s spent, 50m0s left"}
		for _, want := range append(common, c.words...) {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: want %q in\n%s", c.name, want, text.String())
			}
		}
	}
}

// A fix counts as validated only if nothing is missing of its validation: while
// the repair runs as the store has it, and as its result has it when it has ended.
func TestStateCountsWhatIsValidated(t *testing.T) {
	out := t.TempDir()
	j, _ := journalIn(t, out)
	candidate := &mutate.Mutant{Hash: "h"}
	partly := validate.Record{Hash: "h", Fix: &validate.Fix{Incomplete: []string{"go vet was not run"}}}
	if err := j.Validations().Keep(candidate, partly); err != nil {
		t.Fatal(err)
	}
	shows := func(fixes, incomplete int, words string) {
		t.Helper()
		s, err := ReadState(out)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := s.Print(&text); err != nil {
			t.Fatal(err)
		}
		if s.Fixes != fixes || s.Incomplete != incomplete || !strings.Contains(text.String(), words) {
			t.Errorf("%d fixes, %d incomplete, want %d and %d; want %q in\n%s", s.Fixes, s.Incomplete, fixes, incomplete, words, text.String())
		}
	}
	shows(0, 1, "validated fixes: 0, fixes whose validation is incomplete: 1, rejected candidates: 0")
	// What was interrupted is kept nowhere but in the result.
	r := &result.Result{Status: result.Fixed, Fixes: []result.Fix{{}, {Incomplete: []string{"go vet was not run"}}, {Incomplete: []string{"no run"}}}}
	result.Attach(r, result.Live{})
	j.End(t.Context(), r, nil)
	shows(1, 2, "validated fixes: 1, fixes whose validation is incomplete: 2, rejected candidates: 0")
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

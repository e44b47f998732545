package repair

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/evolve"
	"mendel/internal/journal"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
	"mendel/internal/sample"
	"mendel/internal/store"
)

// Who can go on, with how much time, and who only has a result.
func TestTakeUp(t *testing.T) {
	for _, c := range []struct {
		name    string
		status  store.Status
		outcome result.Status
		seconds float64 // spent of 60
		budget  time.Duration
		over    bool
		whole   time.Duration
	}{
		{"killed", store.Running, "", 20, 0, false, time.Minute},
		{"interrupted, with more time", store.Interrupted, result.NotFixed, 20, time.Hour, false, time.Hour},
		{"fixed", store.Done, result.Fixed, 20, time.Hour, true, 0},
		{"out of budget", store.OutOfBudget, result.NotFixed, 60.2, 0, true, 0},
		{"out of budget, with no more time", store.OutOfBudget, result.NotFixed, 60.2, time.Minute, true, 0},
		{"out of budget, with more time", store.OutOfBudget, result.NotFixed, 60.2, 2 * time.Minute, false, 2 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := t.TempDir()
			s, _, err := store.Open(out, false)
			if err != nil {
				t.Fatal(err)
			}
			run := &store.Run{Budget: 60, Options: []byte(`{"Package": "./bank", "Seed": 5, "Budget": 60000000000}`), Source: []byte(`{}`), Mendel: "format 2"}
			err = errors.Join(s.Begin(run), s.Beat(run.ID, c.seconds, store.Progress{}, nil))
			if c.status != store.Running {
				err = errors.Join(err, s.End(run.ID, store.End{Status: c.status, Result: []byte(`{"status": "` + c.outcome + `"}`), Report: "as before\n"}))
			}
			if err := errors.Join(err, s.Close()); err != nil {
				t.Fatal(err)
			}
			resumed, ended, err := open(result.Wanted{Out: out, Resume: true, Budget: c.budget}, known{})
			if err != nil {
				t.Fatal(err)
			}
			if (ended != nil) != c.over {
				t.Fatalf("ended: %+v", ended)
			}
			if c.over {
				var text bytes.Buffer
				if err := ended.Print(&text, true); err != nil || text.String() != "as before\n" || ended.Status != c.outcome {
					t.Errorf("%s: %q, %v", ended.Status, text.String(), err)
				}
				if err := ended.Apply(result.Fix{Patch: "fix-1.patch"}); err == nil || !strings.Contains(err.Error(), filepath.Join(out, "fix-1.patch")) {
					t.Errorf("applied: %v", err)
				}
				return
			}
			defer resumed.journal.Close()
			if w := resumed.wanted; w.Package != "./bank" || w.Seed != 5 || w.Budget != c.whole || resumed.clock.Spent() != journal.Seconds(c.seconds) {
				t.Errorf("%+v, %v spent", w, resumed.clock.Spent())
			}
		})
	}
}

// There must be something to resume; looking for it leaves nothing behind.
func TestNothingToResume(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, out := range []string{"", missing} {
		if _, err := Run(context.Background(), result.Wanted{Resume: true, Out: out}); err == nil || !strings.Contains(err.Error(), "no repair to go on with") {
			t.Errorf("%q: %v", out, err)
		}
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("the directory was made")
	}
	empty := t.TempDir()
	s, _, err := store.Open(empty, false)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), result.Wanted{Resume: true, Out: empty}); err == nil || !strings.Contains(err.Error(), "no repair to go on with") {
		t.Errorf("an empty store: %v", err)
	}
}

// A stopper is an Observer that interrupts a repair when a mutant was scored.
type stopper struct {
	result.Silent
	stop context.CancelFunc
}

func (s stopper) Search(e evolve.Event) {
	if e.Mutant != nil {
		s.stop()
	}
}

// A repair that was interrupted goes on, unless the source has changed: what
// was scored is not scored again, and what was begun with holds. Its result
// can be had again. Another repair of the same source profits, too.
func TestResume(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir, out := t.TempDir(), t.TempDir()
	for name, text := range hidden {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	asked := result.Wanted{Dir: dir, Out: out, NoRace: true, Confirm: 5, Seed: 3, Budget: time.Hour, Timeout: runTimeout, Observer: stopper{stop: stop}}
	if _, err := Run(ctx, asked); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	before, err := journal.ReadState(out)
	if err != nil || before.RunState != journal.Interrupted || before.Evaluations == 0 || before.Seed != 3 {
		t.Fatalf("%+v, %v", before, err)
	}

	changed := filepath.Join(dir, "counter.go")
	if err := os.WriteFile(changed, []byte(hidden["counter.go"]+"\n// Changed.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	kept := readFile(t, filepath.Join(out, result.Name))
	if _, err := Run(t.Context(), result.Wanted{Resume: true, Out: out}); err == nil || !strings.Contains(err.Error(), "counter.go has changed") || !strings.Contains(err.Error(), "without --resume") {
		t.Fatalf("error %v", err)
	}
	if !bytes.Equal(readFile(t, filepath.Join(out, result.Name)), kept) {
		t.Error("the result of the repair was changed")
	}
	if err := os.WriteFile(changed, []byte(hidden["counter.go"]), 0o666); err != nil {
		t.Fatal(err)
	}

	l := &listener{}
	fixed, err := Run(t.Context(), result.Wanted{Resume: true, Out: out, Observer: l})
	if err != nil || fixed.Status != result.Fixed || fixed.Seed != 3 {
		t.Fatalf("%+v, %v", fixed, err)
	}
	if fixed.Search.Recalled == 0 || fixed.Search.Evaluations < before.Evaluations {
		t.Errorf("%+v after %d evaluations", fixed.Search, before.Evaluations)
	}
	if !slices.ContainsFunc(l.lines, func(line string) bool { return strings.HasPrefix(line, "going on after") }) {
		t.Errorf("told %q", l.lines)
	}
	after, err := journal.ReadState(out)
	if err != nil || after.RunState != journal.Ended || after.Status != result.Fixed || after.Fixes != 1 || after.Resumed != 1 || after.Spent <= before.Spent {
		t.Errorf("%+v, %v", after, err)
	}

	again, err := Run(t.Context(), result.Wanted{Resume: true, Out: out})
	if err != nil || again.Status != result.Fixed {
		t.Fatalf("%+v, %v", again, err)
	}
	if data, err := again.JSON(); err != nil || !bytes.Equal(data, readFile(t, filepath.Join(out, result.Name))) {
		t.Errorf("the result is another: %v\n%s", err, data)
	}
	applyAgain(t, again, dir)

	if !sample.All() {
		return
	}
	asked.Seed, asked.Observer, asked.UntilCandidate = 4, nil, true
	other, err := Run(t.Context(), asked)
	if err != nil || other.Search.Recalled == 0 || other.Search.Candidate == 0 {
		t.Errorf("another repair: %+v, %v", other.Search, err)
	}
}

// applyAgain applies the fix of a repair that has ended before to the source,
// if that is still the one: a second time changes nothing, and afterwards all
// is as it was.
func applyAgain(t *testing.T, ended *result.Result, dir string) {
	t.Helper()
	fix := ended.Fixes[0]
	fixed := filepath.Join(dir, "add.go")
	for _, name := range []string{"counter_test.go", "add.go", "go.mod"} {
		text := readFile(t, filepath.Join(dir, name))
		writeTree(t, dir, map[string]string{name: string(text) + "\n"})
		err := ended.Apply(fix)
		if err == nil || !strings.Contains(err.Error(), name+" has changed") || strings.Contains(string(readFile(t, fixed)), "Lock") {
			t.Errorf("%s changed: %v", name, err)
		}
		writeTree(t, dir, map[string]string{name: string(text)})
	}
	stale := fix
	stale.Diff = "--- a/other.go"
	if err := ended.Apply(stale); err == nil || !strings.Contains(err.Error(), "is of another repair") {
		t.Errorf("a fix that the dossier does not have: %v", err)
	}
	for range 2 {
		if err := ended.Apply(fix); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(readFile(t, fixed)), "Lock") {
			t.Fatal("nothing was applied")
		}
	}
	writeTree(t, dir, map[string]string{"add.go": hidden["add.go"]})
}

// A validator is an Observer that interrupts a repair when something is to be validated.
type validator struct {
	result.Silent
	stop context.CancelFunc
}

func (v validator) Phase(format string, args ...any) {
	if strings.HasPrefix(format, "validating") {
		v.stop()
	}
}

// What was being validated when a repair was stopped is validated first when it goes on.
func TestValidationIsTakenUp(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir, out := t.TempDir(), t.TempDir()
	for name, text := range hidden {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	asked := result.Wanted{Dir: dir, Out: out, NoRace: true, Confirm: 5, Seed: 3, Budget: time.Hour, Timeout: runTimeout, Observer: validator{stop: stop}}
	if r, err := Run(ctx, asked); !errors.Is(err, context.Canceled) || r.Status.Offers() && r.Status != result.Incomplete {
		t.Fatalf("%s, error %v", r.Status, err)
	}
	fixed, err := Run(t.Context(), result.Wanted{Resume: true, Out: out})
	if err != nil || fixed.Status != result.Fixed || fixed.Search.Ended != takenUp {
		t.Errorf("%s, %+v, %v", fixed.Status, fixed.Search, err)
	}
}

// A search ends at its own limit, and validation at that of all.
func TestSearchLimit(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	end, _ := ctx.Deadline()
	for search, want := range map[time.Duration]time.Duration{0: 0, 20 * time.Minute: 40 * time.Minute, 2 * time.Hour: 0} {
		j := &judges{environment: &environment{Setup: &setup.Setup{Settings: setup.Settings{Budget: time.Hour, SearchBudget: search}}}}
		until, stop := j.searchLimit(ctx)
		defer stop()
		if at, _ := until.Deadline(); end.Sub(at) != want {
			t.Errorf("a search of %v ends %v before the budget, want %v", search, end.Sub(at), want)
		}
	}
}

package repair

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"mendel/evolve"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/overrun"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
	"mendel/internal/sample"
	"mendel/mutate"
	"mendel/validate"
)

// Every option of the search reaches it.
func TestEvolving(t *testing.T) {
	renamed := map[string]string{"Uniform": "UniformOperators"}
	zero := reflect.ValueOf(evolving(setup.Resolve(result.Wanted{})))
	options := reflect.TypeFor[result.SearchOptions]()
	for i := range options.NumField() {
		var o result.Wanted
		field := reflect.ValueOf(&o.Search).Elem().Field(i)
		switch field.Kind() {
		case reflect.Bool:
			field.SetBool(true)
		case reflect.Int:
			field.SetInt(7)
		default:
			field.SetFloat(0.7)
		}
		name := options.Field(i).Name
		if name == "NoRanking" || name == "NoForcing" || name == "Scratch" || name == "ScoreOnly" { // see TestRanking; of the repair itself; of its checker; see TestScoreOnly
			continue
		}
		if other := renamed[name]; other != "" {
			name = other
		}
		got := reflect.ValueOf(evolving(setup.Resolve(o))).FieldByName(name)
		if !got.IsValid() || !got.Equal(field) || got.Equal(zero.FieldByName(name)) {
			t.Errorf("%s does not reach evolve.Options", options.Field(i).Name)
		}
	}
	o := evolving(setup.Resolve(result.Wanted{Population: 2, Generations: 3, Workers: 4, Seed: 5}))
	if want := (evolve.Options{Population: 2, Generations: 3, Opening: 2 * openings, Workers: 4, Seed: 5}); !reflect.DeepEqual(o, want) {
		t.Errorf("%+v", o)
	}
}

// After a flagged fix, unflagged edits near it or near the failure come first;
// before there is one, nothing is urgent.
func TestUrgent(t *testing.T) {
	h := &searchRun{out: &outcome{}}
	near := mutate.Edit{Vars: []string{"T.a", "T.n"}}
	if h.urgent(near) > 0 {
		t.Error("urgent without a fix")
	}
	flagged := mutate.Edit{Vars: []string{"T.n"}, Flags: []mutate.Flag{mutate.Serialises}}
	h.out.fixes = []validatedFix{{Fix: &validate.Fix{Mutant: &mutate.Mutant{Edits: []mutate.Edit{flagged}}}}}
	for _, c := range []struct {
		name string
		e    mutate.Edit
		want bool
	}{
		{"same variable", near, true},
		{"same variable, flagged", flagged, false},
		{"other variable", mutate.Edit{Vars: []string{"T.b"}}, false},
		{"where the failure is", mutate.Edit{Heat: 1}, true},
	} {
		if got := h.urgent(c.e) > 0; got != c.want {
			t.Errorf("%s: urgent %v", c.name, got)
		}
	}
}

// Before there is a fix, every candidate is validated at once; afterwards those
// with flags wait.
func TestPostpones(t *testing.T) {
	flagged := []mutate.Flag{mutate.Blocks}
	none, one := &outcome{}, &outcome{findings: findings{fixes: []validatedFix{{Fix: &validate.Fix{}}}}}
	for _, c := range []struct {
		name           string
		flags          []mutate.Flag
		out            *outcome
		untilCandidate bool
		want           bool
	}{
		{"flagged, no fix", flagged, none, false, false},
		{"flagged, a fix", flagged, one, false, true},
		{"flagged, nothing is validated", flagged, none, true, true},
		{"no fix", nil, none, false, false},
		{"a fix", nil, one, false, false},
		{"a section that is split, no fix", []mutate.Flag{mutate.SplitSection}, none, false, true},
		{"a use left open, no fix", []mutate.Flag{mutate.IncompleteGuard}, none, false, true},
	} {
		j := &judges{environment: &environment{Setup: &setup.Setup{Settings: setup.Settings{UntilCandidate: c.untilCandidate}}}}
		if got := (&searchRun{judges: j, out: c.out}).postpones(c.flags); got != c.want {
			t.Errorf("%s: postponed %v", c.name, got)
		}
	}
}

// Without noise the checker alone decides on mutants; where it takes no part,
// nothing can.
func TestNoNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir := t.TempDir()
	for name, text := range hidden {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	res, err := Run(context.Background(), result.Wanted{Dir: dir, NoNoise: true, NoRace: true})
	if err != nil {
		t.Fatal(err)
	}
	if res.Status != result.Fixed || res.Fixes[0].Evidence.RunsAfter != 0 || res.Fixes[0].Evidence.Check == nil {
		t.Fatalf("%s: %s; fixes %+v", res.Status, res.Reason, res.Fixes)
	}
	if !strings.Contains(strings.Join(res.Notes, "\n"), "the checker alone decides") {
		t.Errorf("notes %q do not say that noise took no part", res.Notes)
	}
	if s := res.Search; s.Executables == 0 || s.Executables > s.Builds || s.BuildSeconds <= 0 {
		t.Errorf("search %+v", s)
	}
}

// A repair that ends with its first candidate says how many mutants that took,
// and is none.
func TestUntilCandidate(t *testing.T) {
	sample.Whole(t, "TestPostpones and TestNoFix know what a candidate is")
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir := t.TempDir()
	for name, text := range hidden {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	res, err := Run(context.Background(), result.Wanted{Dir: dir, NoRace: true, UntilCandidate: true})
	if err != nil {
		t.Fatal(err)
	}
	s := res.Search
	if res.Status != result.NotFixed || len(res.Fixes) > 0 || s.Candidate < 1 || s.Candidate > s.Evaluations {
		t.Fatalf("%s: %s; %d fixes, search %+v", res.Status, res.Reason, len(res.Fixes), s)
	}
	if !strings.Contains(res.Reason, "first candidate") {
		t.Errorf("the reason is %q", res.Reason)
	}
}

// Mutants whose tests sleep for long are scored more at a time.
func TestScorersPerWorker(t *testing.T) {
	for _, c := range []struct {
		name         string
		elapsed, cpu time.Duration
		want         int
	}{
		{"sleeps", 2 * time.Second, 100 * time.Millisecond, 2},
		{"works", 2 * time.Second, 1900 * time.Millisecond, 1},
		{"is soon over", 100 * time.Millisecond, time.Millisecond, 1},
	} {
		if got := scorersPerWorker([]noise.Outcome{{Elapsed: c.elapsed, CPU: c.cpu}}); got != c.want {
			t.Errorf("a test that %s: %d, want %d", c.name, got, c.want)
		}
	}
}

// What a search has found is looked at for a moment although its time is over,
// and for as long as it may go on otherwise.
func TestAfterwards(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	if showing, done := afterwards(ctx); showing != ctx {
		t.Error("a search that may go on is given another limit")
	} else {
		done()
	}
	cancel()
	showing, done := afterwards(ctx)
	defer done()
	interrupted, limited := showing.Deadline()
	if !limited || showing.Err() != nil {
		t.Errorf("after the end: limited %v, %v", limited, showing.Err())
	}
	spent, cancelSpent := context.WithTimeout(context.Background(), 0)
	defer cancelSpent()
	showing, doneSpent := afterwards(spent)
	defer doneSpent()
	if end, _ := showing.Deadline(); !end.After(interrupted) {
		t.Error("an interrupted search ends no sooner than one whose budget is spent")
	}
	if graceTime >= overrun.Grace || interruptedTime >= graceTime {
		t.Error("no time is left to write what was found")
	}
}

// Why there is no fix is said once: that the time is over is for ranOut to say.
func TestNoFix(t *testing.T) {
	best := []evolve.Scored{{Mutant: &mutate.Mutant{}, Result: fitness.Result{Passes: 3, Runs: 15}}}
	for _, c := range []struct {
		found *evolve.Result
		want  string
	}{
		{nil, "the search could not begin"},
		{&evolve.Result{Ended: evolve.Stopped}, "no mutant was scored"},
		{&evolve.Result{Ended: evolve.Stopped, Evaluations: 1, Best: best}, "the only mutant passed 3 of 15 runs: the original"},
		{&evolve.Result{Ended: evolve.Stopped, Evaluations: 7, Best: best}, "the best of 7 mutants passed 3 of 15 runs: the original"},
		{&evolve.Result{Ended: evolve.Exhausted, Evaluations: 7, Best: best}, "the space is exhausted: every mutant that the edits can make was tried, 7 in all; the best of 7 mutants passed 3 of 15 runs: the original"},
	} {
		if got := new(judges).noFix(c.found); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Where only scores are measured, no candidate is validated, and none ends the search.
func TestScoreOnly(t *testing.T) {
	j := &judges{environment: &environment{Setup: &setup.Setup{Settings: setup.Resolve(result.Wanted{Search: result.SearchOptions{ScoreOnly: true}})}}}
	s := &searchRun{judges: j, out: &outcome{}} // without what validates
	if done, err := s.accept(t.Context(), &mutate.Mutant{Flags: []mutate.Flag{mutate.IncompleteGuard}}, fitness.Result{Score: fitness.FullScore}); done || err != nil || len(s.postponed) > 0 {
		t.Errorf("%t, %v; %d wait", done, err, len(s.postponed))
	}
}

package mendel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/evolve"
	"mendel/internal/store"
)

// All that a repair was asked for comes back from the store.
func TestOptionsJSON(t *testing.T) {
	var want Options
	fill(t, reflect.ValueOf(&want).Elem())
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Options
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\ngives %+v\nwant  %+v", data, got, want)
	}
}

// fill gives every exported field of options a value that is not zero.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	for i := range v.NumField() {
		f := v.Field(i)
		if !v.Type().Field(i).IsExported() {
			continue
		}
		switch f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int64:
			f.SetInt(7)
		case reflect.Uint64:
			f.SetUint(1<<64 - 1)
		case reflect.Float64:
			f.SetFloat(1.0 / 3)
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{"-tags=x"}))
		case reflect.Struct:
			fill(t, f)
		case reflect.Interface: // the Observer, which is nobody's but the caller's
		default:
			t.Fatalf("a field of kind %s", f.Kind())
		}
	}
}

func TestChanges(t *testing.T) {
	before := map[string]string{"a.go": "1", "b.go": "2", "c.go": "3"}
	after := map[string]string{"a.go": "1", "b.go": "4", "d.go": "5"}
	want := []string{"b.go has changed", "c.go is gone", "d.go is new"}
	if got := changes(before, after); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := changes(before, before); len(got) > 0 {
		t.Errorf("%q of what is the same", got)
	}
}

// Who can go on, with how much time, and who only has a result.
func TestTakeUp(t *testing.T) {
	for _, c := range []struct {
		name    string
		status  store.Status
		outcome Status
		seconds float64 // spent of 60
		budget  time.Duration
		over    bool
		whole   time.Duration
	}{
		{"killed", store.Running, "", 20, 0, false, time.Minute},
		{"interrupted, with more time", store.Interrupted, NotFixed, 20, time.Hour, false, time.Hour},
		{"fixed", store.Done, Fixed, 20, time.Hour, true, 0},
		{"out of budget", store.OutOfBudget, NotFixed, 60.2, 0, true, 0},
		{"out of budget, with no more time", store.OutOfBudget, NotFixed, 60.2, time.Minute, true, 0},
		{"out of budget, with more time", store.OutOfBudget, NotFixed, 60.2, 2 * time.Minute, false, 2 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := t.TempDir()
			j, _ := journalIn(t, out)
			j.close()
			s, _, err := store.Open(out, false)
			if err != nil {
				t.Fatal(err)
			}
			run := &store.Run{Budget: 60, Options: []byte(`{"Package": "./bank", "Seed": 5, "Budget": 60000000000}`), Source: []byte(`{}`)}
			err = errors.Join(s.Begin(run), s.Beat(run.ID, c.seconds, store.Progress{}, nil))
			if c.status != store.Running {
				err = errors.Join(err, s.End(run.ID, store.End{Status: c.status, Result: []byte(`{"status": "` + c.outcome + `"}`), Report: "as before\n"}))
			}
			if err := errors.Join(err, s.Close()); err != nil {
				t.Fatal(err)
			}
			o := Options{Out: out, Resume: true, Budget: c.budget}
			r := &repairer{o: o.withDefaults(), result: &Result{}}
			ended, err := r.open(c.budget)
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
				if err := ended.Apply(Fix{Patch: "fix-1.patch"}); err == nil || !strings.Contains(err.Error(), filepath.Join(out, "fix-1.patch")) {
					t.Errorf("applied: %v", err)
				}
				return
			}
			defer r.journal.close()
			if r.o.Package != "./bank" || r.o.Seed != 5 || r.o.Budget != c.whole || r.clock.spent() != seconds(c.seconds) {
				t.Errorf("%+v, %v spent", r.o, r.clock.spent())
			}
		})
	}
}

// There must be something to resume; looking for it leaves nothing behind.
func TestNothingToResume(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, out := range []string{"", missing} {
		if _, err := Repair(context.Background(), Options{Resume: true, Out: out}); err == nil || !strings.Contains(err.Error(), "no repair to go on with") {
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
	if _, err := Repair(context.Background(), Options{Resume: true, Out: empty}); err == nil || !strings.Contains(err.Error(), "no repair to go on with") {
		t.Errorf("an empty store: %v", err)
	}
}

// A stopper is an Observer that interrupts a repair when a mutant was scored.
type stopper struct {
	silent
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
	asked := Options{Dir: dir, Out: out, NoRace: true, Confirm: 20, Seed: 3, Budget: time.Hour, Observer: stopper{stop: stop}}
	if _, err := Repair(ctx, asked); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	before, err := ReadState(out)
	if err != nil || before.Condition != Interrupted || before.Evaluations == 0 || before.Seed != 3 {
		t.Fatalf("%+v, %v", before, err)
	}

	changed := filepath.Join(dir, "counter.go")
	if err := os.WriteFile(changed, []byte(hidden["counter.go"]+"\n// Changed.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	result := readFile(t, filepath.Join(out, resultName))
	if _, err := Repair(t.Context(), Options{Resume: true, Out: out}); err == nil || !strings.Contains(err.Error(), "counter.go has changed") || !strings.Contains(err.Error(), "without --resume") {
		t.Fatalf("error %v", err)
	}
	if !bytes.Equal(readFile(t, filepath.Join(out, resultName)), result) {
		t.Error("the result of the repair was changed")
	}
	if err := os.WriteFile(changed, []byte(hidden["counter.go"]), 0o666); err != nil {
		t.Fatal(err)
	}

	l := &listener{}
	fixed, err := Repair(t.Context(), Options{Resume: true, Out: out, Observer: l})
	if err != nil || fixed.Status != Fixed || fixed.Seed != 3 {
		t.Fatalf("%+v, %v", fixed, err)
	}
	if fixed.Search.Recalled == 0 || fixed.Search.Evaluations < before.Evaluations {
		t.Errorf("%+v after %d evaluations", fixed.Search, before.Evaluations)
	}
	if !slices.ContainsFunc(l.lines, func(line string) bool { return strings.HasPrefix(line, "going on after") }) {
		t.Errorf("told %q", l.lines)
	}
	after, err := ReadState(out)
	if err != nil || after.Condition != Over || after.Status != Fixed || after.Fixes != 1 || after.Resumed != 1 || after.Spent <= before.Spent {
		t.Errorf("%+v, %v", after, err)
	}

	again, err := Repair(t.Context(), Options{Resume: true, Out: out})
	if err != nil || again.Status != Fixed {
		t.Fatalf("%+v, %v", again, err)
	}
	if data, err := again.JSON(); err != nil || !bytes.Equal(data, readFile(t, filepath.Join(out, resultName))) {
		t.Errorf("the result is another: %v\n%s", err, data)
	}
	applyAgain(t, again, dir)

	asked.Seed, asked.Observer, asked.UntilCandidate = 4, nil, true
	other, err := Repair(t.Context(), asked)
	if err != nil || other.Search.Recalled == 0 || other.Search.Candidate == 0 {
		t.Errorf("another repair: %+v, %v", other.Search, err)
	}
}

// applyAgain applies the fix of a repair that has ended before to the source,
// if that is still the one: a second time changes nothing, and afterwards all
// is as it was.
func applyAgain(t *testing.T, ended *Result, dir string) {
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

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/analysis/evidence"
	"mendel/internal/dossier"
	"mendel/internal/repair"
	"mendel/internal/repair/original"
	"mendel/internal/result"
	"mendel/mutate"
)

// A seriesWorld is a module with some packages, in which looks and repairs are
// made up.
type seriesWorld struct {
	dir, out string
	looks    map[string]func() (original.Triage, []string, error) // by package name; nil: nothing is seen
	repairs  map[string]func(context.Context, result.Wanted) (*result.Result, error)
	repaired []string // names, in order
	budgets  []time.Duration
	options  []result.Wanted
	// transferred are the fixes that each repair was given.
	transferred [][]repair.Transferred
}

// A listener is an Observer that remembers lines.
type listener struct {
	result.Silent
	lines []string
}

func (l *listener) Printf(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// newSeriesWorld makes a module of packages; of those named "plain..." none has tests.
func newSeriesWorld(t *testing.T, packages ...string) *seriesWorld {
	t.Helper()
	w := &seriesWorld{dir: t.TempDir(), out: t.TempDir()}
	w.looks = map[string]func() (original.Triage, []string, error){}
	w.repairs = map[string]func(context.Context, result.Wanted) (*result.Result, error){}
	files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n"}
	for _, name := range packages {
		files[name+"/a.go"] = "package " + name + "\n"
		if !strings.HasPrefix(name, "plain") {
			files[name+"/a_test.go"] = "package " + name + "\n"
		}
	}
	for name, text := range files {
		name = filepath.Join(w.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// run repairs all packages.
func (w *seriesWorld) run(ctx context.Context, o result.Wanted) (*Series, error) {
	o.Dir, o.Out = w.dir, w.out
	r := &run{o: o.WithDefaults(), given: o.Budget, began: time.Now()}
	r.check = r.typeCheck
	r.look = func(_ context.Context, o result.Wanted) (original.Triage, []string, error) {
		if look := w.looks[path.Base(o.Package)]; look != nil {
			return look()
		}
		return original.Triage{Runs: 20}, nil, &original.NotReproduced{Reason: "no failure"}
	}
	r.repair = func(ctx context.Context, o result.Wanted, known ...repair.Transferred) (*result.Result, error) {
		name := path.Base(o.Package)
		w.repaired, w.budgets, w.options = append(w.repaired, name), append(w.budgets, cmp.Or(o.SearchBudget, o.Budget)), append(w.options, o)
		w.transferred = append(w.transferred, known)
		r, err := &result.Result{Status: result.NotReproduced, Reason: "no failure"}, error(nil)
		if made := w.repairs[name]; made != nil {
			r, err = made(ctx, o)
		}
		if merr := os.MkdirAll(o.Out, 0o777); merr != nil {
			return r, merr
		}
		return r, errors.Join(err, r.Save(o.Out, nil))
	}
	return r.all(ctx, []string{"./..."})
}

// sees is a look that sees a failure.
func sees(g original.Triage, message string) func() (original.Triage, []string, error) {
	return func() (original.Triage, []string, error) { return g, []string{message}, nil }
}

// fixes is a repair that does.
func fixes(context.Context, result.Wanted) (*result.Result, error) {
	return &result.Result{
		Status: result.Fixed, Seconds: 2, Fixes: []result.Fix{{Patch: "fix-1.patch", Edits: []mutate.Edit{{Operator: "lockmethod"}}}},
		Failures: []result.Failure{{Failure: evidence.Failure{Message: "data race"}}},
	}, nil
}

func (s *Series) named(t *testing.T, name string) Package {
	t.Helper()
	for _, m := range s.Packages {
		if path.Base(m.Path) == name {
			return m
		}
	}
	t.Fatalf("no package %s in %+v", name, s.Packages)
	return Package{}
}

func TestSeriesEasiestFirst(t *testing.T) {
	w := newSeriesWorld(t, "slow", "rare", "sound", "many", "few", "broken", "plain", "always")
	w.looks["slow"] = sees(original.Triage{Failed: 20, Runs: 20, Edits: 3, TestSeconds: 2}, "a")
	w.looks["few"] = sees(original.Triage{Failed: 20, Runs: 20, Edits: 3, TestSeconds: 1}, "b")
	w.looks["many"] = sees(original.Triage{Checked: true, Runs: 20, Edits: 50}, "c")
	w.looks["rare"] = sees(original.Triage{Failed: 1, Runs: 20, Edits: 1}, "d")
	w.looks["broken"] = func() (original.Triage, []string, error) {
		return original.Triage{}, nil, errors.New("a.go:3: undefined: x")
	}
	w.looks["always"] = func() (original.Triage, []string, error) {
		return original.Triage{Failed: 20, Runs: 20}, []string{"wrong"}, &original.NotReproduced{Reason: "it fails without concurrency"}
	}
	for _, name := range []string{"slow", "few", "many", "rare"} {
		w.repairs[name] = fixes
	}
	log := &listener{}
	s, err := w.run(context.Background(), result.Wanted{Budget: 50 * time.Minute, Observer: log})
	if err != nil {
		t.Fatal(err)
	}
	if got := log.lines[len(log.lines)-1]; !strings.HasPrefix(got, "ended: fixed after ") || !strings.HasSuffix(got, "; 4 of 7 packages fixed") {
		t.Errorf("the log ends with %q", got)
	}
	if !slices.Contains(log.lines, "broken: error: a.go:3: undefined: x") {
		t.Errorf("the log does not tell of what does not build: %q", log.lines)
	}
	if want := []string{"few", "slow", "many", "rare", "sound"}; !slices.Equal(w.repaired, want) {
		t.Errorf("repaired %v, want %v", w.repaired, want)
	}
	if k := w.transferred[1]; len(k) != 1 || k[0].Name != "few" || len(k[0].Edits) != 1 {
		t.Errorf("the second is to try %+v, want the fix of the first", k)
	}
	for i, b := range w.budgets {
		// Nothing needs its share, so the rest has all of it. What a longer look may
		// show has a tenth, and what the others leave.
		share := 45 * time.Minute / time.Duration(max(1, len(w.budgets)-1-i))
		if w.repaired[i] == "sound" {
			share = 50 * time.Minute
		}
		if b > share || b < share-time.Minute {
			t.Errorf("%s has %v, want about %v", w.repaired[i], b, share)
		}
	}
	if s.Status != result.Fixed {
		t.Errorf("status %s, want fixed", s.Status)
	}
	if m := s.named(t, "broken"); m.Status != result.Failed || !strings.Contains(m.Reason, "a.go:3") {
		t.Errorf("broken: %+v", m)
	}
	if m := s.named(t, "always"); m.Status != result.NotReproduced || m.Reason != "it fails without concurrency" {
		t.Errorf("always: %+v", m)
	}
	if m := s.named(t, "few"); m.Patch != m.Out+"/fix-1.patch" || m.Seconds != 2 {
		t.Errorf("few: %+v", m)
	}
	if len(s.Untested) != 1 || path.Base(s.Untested[0]) != "plain" {
		t.Errorf("untested %v", s.Untested)
	}
	kept, err := Read(w.out)
	if err != nil {
		t.Fatal(err)
	}
	if kept.Status != result.Fixed || len(kept.Packages) != 7 {
		t.Errorf("kept %+v", kept)
	}
}

// What ran out of its share has what the others did not need.
func TestSeriesGivesTheRest(t *testing.T) {
	w := newSeriesWorld(t, "hard", "easy")
	w.looks["hard"] = sees(original.Triage{Failed: 20, Runs: 20, Edits: 1}, "a")
	w.looks["easy"] = sees(original.Triage{Failed: 20, Runs: 20, Edits: 2}, "b")
	w.repairs["easy"] = fixes
	w.repairs["hard"] = func(ctx context.Context, o result.Wanted) (*result.Result, error) {
		if len(w.repaired) == 1 {
			r := &result.Result{Status: result.NotFixed, Reason: "the budget is spent"}
			result.Attach(r, result.Live{Spent: true})
			return r, nil
		}
		return fixes(ctx, o)
	}
	s, err := w.run(context.Background(), result.Wanted{Budget: 20 * time.Minute})
	if err != nil || s.Status != result.Fixed {
		t.Fatalf("%+v, %v", s, err)
	}
	if want := []string{"hard", "easy", "hard"}; !slices.Equal(w.repaired, want) {
		t.Errorf("repaired %v, want %v", w.repaired, want)
	}
}

// What does not fail costs what fails nothing: not even where that needs all of the
// budget, and not if several are so.
func TestSeriesQuietComesLast(t *testing.T) {
	w := newSeriesWorld(t, "calm", "hard", "still", "easy")
	whole := original.Triage{Runs: 300}
	for _, name := range []string{"calm", "still"} {
		w.looks[name] = func() (original.Triage, []string, error) {
			return whole, nil, &original.NotReproduced{Reason: "no failure"}
		}
	}
	w.looks["easy"] = sees(original.Triage{Failed: 20, Runs: 20, Edits: 1}, "a")
	w.looks["hard"] = sees(original.Triage{Failed: 1, Runs: 20, Edits: 2}, "b")
	w.repairs["easy"] = fixes
	w.repairs["hard"] = func(ctx context.Context, o result.Wanted) (*result.Result, error) {
		if len(w.repaired) > 3 {
			return fixes(ctx, o)
		}
		r := &result.Result{Status: result.NotFixed, Reason: "the budget is spent"}
		result.Attach(r, result.Live{Spent: true})
		return r, nil
	}
	s, err := w.run(context.Background(), result.Wanted{Budget: 20 * time.Minute})
	if err != nil || s.Status != result.Fixed {
		t.Fatalf("%+v, %v", s, err)
	}
	if want := []string{"easy", "hard", "hard", "hard", "calm", "still"}; !slices.Equal(w.repaired, want) {
		t.Errorf("repaired %v, want %v", w.repaired, want)
	}
	if b := w.budgets[0]; b < 9*time.Minute {
		t.Errorf("the first of two that fail has %v of 20 minutes", b)
	}
}

// A package of which the look has shown nothing, and its repair does, goes on before others of which nobody has
// seen anything.
func TestSeriesShownLate(t *testing.T) {
	w := newSeriesWorld(t, "calm", "rare", "still")
	for i, name := range []string{"calm", "rare", "still"} {
		w.looks[name] = func() (original.Triage, []string, error) {
			return original.Triage{Runs: 3, Edits: i}, nil, &original.NotReproduced{Reason: "no failure"}
		}
	}
	w.repairs["rare"] = func(ctx context.Context, o result.Wanted) (*result.Result, error) {
		if len(w.repaired) > 2 {
			return fixes(ctx, o)
		}
		r := &result.Result{
			Status: result.NotFixed, Reason: "the budget is spent",
			Failures: []result.Failure{{Failure: evidence.Failure{Message: "data race"}}},
		}
		result.Attach(r, result.Live{Spent: true})
		return r, nil
	}
	s, err := w.run(context.Background(), result.Wanted{Budget: 20 * time.Minute})
	if err != nil || s.Status != result.Fixed {
		t.Fatalf("%+v, %v", s, err)
	}
	if want := []string{"calm", "rare", "rare", "still"}; !slices.Equal(w.repaired, want) {
		t.Errorf("repaired %v, want %v", w.repaired, want)
	}
}

// What the others leave is not spent on a look that is no longer than the first.
func TestSeriesLooksOnce(t *testing.T) {
	w := newSeriesWorld(t, "calm", "easy")
	w.looks["easy"] = sees(original.Triage{Failed: 20, Runs: 20}, "a")
	w.repairs["easy"] = fixes
	s, err := w.run(context.Background(), result.Wanted{Budget: longerLook - time.Second})
	if err != nil || s.Status != result.Fixed {
		t.Fatalf("%+v, %v", s, err)
	}
	if want := []string{"easy"}; !slices.Equal(w.repaired, want) {
		t.Errorf("repaired %v, want %v", w.repaired, want)
	}
	if m := s.named(t, "calm"); m.Status != result.NotReproduced || m.Reason != "no failure" {
		t.Errorf("calm: %+v", m)
	}
	if b := w.budgets[0]; b < longerLook-3*time.Second {
		t.Errorf("what fails has %v of %v", b, longerLook)
	}
}

// Of two fixes one of which is part of the other, only that one is applied;
// that two change the same file is said.
// One package alone is repaired at once: nobody looks at it first.
func TestSeriesOfOne(t *testing.T) {
	w := newSeriesWorld(t, "only")
	looked := false
	w.looks["only"] = func() (original.Triage, []string, error) {
		looked = true
		return original.Triage{Runs: 10, Failed: 10}, []string{"race"}, nil
	}
	w.repairs["only"] = fixes
	s, err := w.run(t.Context(), result.Wanted{Budget: time.Minute})
	if err != nil || looked || s.Status != result.Fixed {
		t.Errorf("looked at: %v; %s, %v", looked, s.Status, err)
	}
}

func TestSeriesRelates(t *testing.T) {
	w := newSeriesWorld(t, "store", "server", "client", "other")
	add := mutate.Edit{Operator: "lockmethod", File: "store/store.go", Line: 3, Node: 3}
	count := mutate.Edit{Operator: "lockmethod", File: "store/store.go", Line: 9, Node: 9}
	hotter := add // as another package's failures enumerate it
	hotter.Heat, hotter.Vars = 1, []string{"Store.n"}
	for name, edits := range map[string][]mutate.Edit{
		"store": {add}, "server": {hotter, count}, "client": {{Operator: "once", File: "store/store.go"}}, "other": {{Operator: "once", File: "other.go"}},
	} {
		w.looks[name] = sees(original.Triage{Failed: 20, Runs: 20}, "race")
		w.repairs[name] = func(context.Context, result.Wanted) (*result.Result, error) {
			return &result.Result{Status: result.Fixed, Fixes: []result.Fix{{Patch: "fix-1.patch", Edits: edits}}}, nil
		}
	}
	s, err := w.run(context.Background(), result.Wanted{})
	if err != nil || s.Status != result.Fixed {
		t.Fatalf("%+v, %v", s, err)
	}
	for name, want := range map[string]string{"store": "server", "server": "", "client": "", "other": ""} {
		if m := s.named(t, name); m.Within != want {
			t.Errorf("the fix of %s is within that of %q, want %q", name, m.Within, want)
		}
	}
	notes := strings.Join(s.Notes, "\n")
	for _, want := range []string{"the fix of store is part of that of server", "client and server both change store/store.go", "client and store both change"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in the notes:\n%s", want, notes)
		}
	}
	if len(s.Notes) != 3 || strings.Contains(notes, "other.go") {
		t.Errorf("notes:\n%s", notes)
	}
}

// A failure that only the quick look has seen is not mended.
func TestSeriesSeenOnce(t *testing.T) {
	w := newSeriesWorld(t, "rare", "sound")
	w.looks["rare"] = sees(original.Triage{Failed: 1, Runs: 20}, "data race")
	s, err := w.run(context.Background(), result.Wanted{})
	if err != nil || s.Status != result.NotFixed {
		t.Fatalf("%+v, %v", s, err)
	}
	if m := s.named(t, "rare"); m.Status != result.NotFixed || !slices.Equal(m.Failures, []string{"data race"}) || !strings.Contains(m.Reason, "quick look") {
		t.Errorf("rare: %+v", m)
	}
	if m := s.named(t, "sound"); m.Status != result.NotReproduced {
		t.Errorf("sound: %+v", m)
	}
}

func TestSeriesStatus(t *testing.T) {
	for _, tt := range []struct {
		packages []result.Status
		want     result.Status
	}{
		{[]result.Status{result.Fixed, result.NotReproduced, result.Failed}, result.Fixed},
		{[]result.Status{result.Fixed, result.NotFixed}, result.NotFixed},
		{[]result.Status{result.Fixed, result.Incomplete}, result.Incomplete},
		{[]result.Status{result.Incomplete, result.NotFixed}, result.NotFixed},
		{[]result.Status{result.NotReproduced, result.Failed}, result.Failed},
		{[]result.Status{result.NotReproduced, result.NotReproduced}, result.NotReproduced},
	} {
		var packages []Package
		for _, s := range tt.packages {
			packages = append(packages, Package{Status: s})
		}
		if got := statusOf(packages); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.packages, got, tt.want)
		}
	}
	seldom := []Package{{Status: result.NotFixed, Seldom: true}}
	if got := statusOf(seldom); got != result.NotFixed {
		t.Errorf("what fails seldom alone: %s", got)
	}
	if got := statusOf(append(seldom, Package{Status: result.Fixed})); got != result.Fixed {
		t.Errorf("what fails seldom beside a fix: %s", got)
	}
}

// An interrupted series keeps what is done and goes on with the rest.
func TestSeriesGoesOn(t *testing.T) {
	w := newSeriesWorld(t, "one", "two", "three")
	for i, name := range []string{"one", "two", "three"} {
		w.looks[name] = sees(original.Triage{Failed: 20, Runs: 20, Edits: i}, "race in "+name)
		w.repairs[name] = fixes
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.repairs["two"] = func(ctx context.Context, _ result.Wanted) (*result.Result, error) {
		cancel()
		return &result.Result{Status: result.NotFixed, Reason: "interrupted"}, ctx.Err()
	}
	s, err := w.run(ctx, result.Wanted{Budget: time.Hour, Seed: 7, Count: 3})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want context.Canceled", err)
	}
	if s.Status != result.NotFixed || s.named(t, "one").Status != result.Fixed {
		t.Errorf("interrupted: %+v", s)
	}
	if m := s.named(t, "three"); m.Status != result.NotFixed || !strings.Contains(m.Reason, "before its turn") {
		t.Errorf("three: %+v", m)
	}

	w.repaired, w.options, w.transferred = nil, nil, nil
	w.repairs["two"] = fixes
	s, err = w.run(context.Background(), result.Wanted{Resume: true})
	if err != nil || s.Status != result.Fixed {
		t.Fatalf("%+v, %v", s, err)
	}
	if want := []string{"two", "three"}; !slices.Equal(w.repaired, want) {
		t.Errorf("repaired %v, want %v", w.repaired, want)
	}
	if k := w.transferred[0]; len(k) != 1 || k[0].Name != "one" || len(k[0].Edits) != 1 {
		t.Errorf("what goes on is to try %+v, want the fix found before", k)
	}
	for _, o := range w.options {
		if o.Seed != 7 || o.Count != 3 {
			t.Errorf("goes on with seed %d and count %d", o.Seed, o.Count)
		}
	}
	if s.Budget != time.Hour.Seconds() {
		t.Errorf("budget %v, want that of the beginning", s.Budget)
	}

	// A repair that goes on by itself has them too.
	if k := TransferredTo(filepath.Join(w.out, s.named(t, "two").Out)); len(k) != 2 || k[0].Name != "one" || k[1].Name != "three" {
		t.Errorf("by itself it is to try %+v", k)
	}
	if k := TransferredTo(w.out); k != nil {
		t.Errorf("what belongs to no series is to try %+v", k)
	}

	w.repaired = nil
	if s, err = w.run(context.Background(), result.Wanted{Resume: true, Budget: 2 * time.Hour}); err != nil || len(w.repaired) > 0 || s.Budget != 7200 {
		t.Errorf("nothing was to be done: %v repaired, budget %v, %v", w.repaired, s.Budget, err)
	}
}

func TestSeriesToGoOnIsNotThere(t *testing.T) {
	w := newSeriesWorld(t, "one")
	if _, err := w.run(context.Background(), result.Wanted{Resume: true}); err == nil || !strings.Contains(err.Error(), Name) {
		t.Errorf("error %v", err)
	}
}

// Patches of packages that are no longer there do not stay.
func TestSeriesForgets(t *testing.T) {
	w := newSeriesWorld(t, "gone")
	if _, err := w.run(context.Background(), result.Wanted{}); err != nil {
		t.Fatal(err)
	}
	stale := filepath.Join(w.out, "1-gone", "fix-1.patch")
	if err := os.MkdirAll(filepath.Dir(stale), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(stale, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	w.dir = newSeriesWorld(t, "other").dir
	if _, err := w.run(context.Background(), result.Wanted{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); err == nil {
		t.Errorf("%s is still there", stale)
	}
}

func TestSeriesApply(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	source := filepath.Join(dir, "a.go")
	s := &Series{out: out, Packages: []Package{{Out: "none", Status: result.Fixed, Within: "a"}, {Out: "open", Status: result.NotFixed}}}
	for i, after := range []string{"package a // first\n", "package a // first\n", "package a // second\n"} {
		m := Package{Out: fmt.Sprintf("%d-a", i+1), Status: result.Fixed, Patch: fmt.Sprintf("%d-a/fix-1.patch", i+1)}
		s.Packages = append(s.Packages, m)
		d := &dossier.Dossier{Dir: dir, Fixes: []dossier.Fix{{Files: []dossier.File{{Path: "a.go", Before: "package a // original\n", After: after}}}}}
		if err := os.MkdirAll(filepath.Join(out, m.Out), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := dossier.Write(filepath.Join(out, m.Out), d); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(source, []byte("package a // original\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	applied, err := s.Apply(false)
	if want := []string{"1-a/fix-1.patch", "2-a/fix-1.patch"}; !slices.Equal(applied, want) {
		t.Errorf("applied %v, want %v", applied, want)
	}
	if err == nil || !strings.Contains(err.Error(), "changes the same lines of a.go") || !strings.Contains(err.Error(), "3-a") {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(source); err != nil || string(text) != "package a // first\n" {
		t.Errorf("the source is %q, %v", text, err)
	}
	if err := os.WriteFile(source, []byte("otherwise\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if applied, err := s.Apply(false); len(applied) > 0 || err == nil || strings.Count(err.Error(), "a.go has changed") != 2 {
		t.Errorf("applied %v to another source: %v", applied, err)
	}
}

// With little time, what is seen to fail at once is repaired before others are looked at, and packages whose tests
// start goroutines come first.
func TestSeriesAtOnce(t *testing.T) {
	w := newSeriesWorld(t, "calm", "still", "busy")
	test := "package busy\n\nfunc start() {\n\tgo println()\n}\n"
	if err := os.WriteFile(filepath.Join(w.dir, "busy", "a_test.go"), []byte(test), 0o666); err != nil {
		t.Fatal(err)
	}
	var looked []string
	for _, name := range []string{"calm", "still", "busy"} {
		w.looks[name] = func() (original.Triage, []string, error) {
			looked = append(looked, fmt.Sprint(name, " after ", len(w.repaired)))
			if name == "busy" {
				return original.Triage{Failed: 5, Runs: 5, Edits: 1}, []string{"a"}, nil
			}
			return original.Triage{Runs: 20}, nil, &original.NotReproduced{Reason: "no failure"}
		}
	}
	w.repairs["busy"] = fixes
	s, err := w.run(context.Background(), result.Wanted{Budget: 90 * time.Second})
	if err != nil || s.Status != result.Fixed {
		t.Fatalf("%+v, %v", s, err)
	}
	if want := []string{"busy after 0", "calm after 1", "still after 1"}; !slices.Equal(looked, want) {
		t.Errorf("looked at %v, want %v", looked, want)
	}
	if b := w.budgets[0]; b < 60*time.Second || b > 75*time.Second {
		t.Errorf("what fails has %v of 90 s, want all but the looks", b)
	}
}

// What fails goes on before others are repaired of which nothing is known, and what its search has found may be
// validated in all of the budget.
func TestSeriesGoesOnWithWhatFails(t *testing.T) {
	w := newSeriesWorld(t, "calm", "busy")
	test := "package busy\n\nfunc start() {\n\tgo println()\n}\n"
	if err := os.WriteFile(filepath.Join(w.dir, "busy", "a_test.go"), []byte(test), 0o666); err != nil {
		t.Fatal(err)
	}
	w.looks["busy"] = sees(original.Triage{Failed: 5, Runs: 5, Edits: 1}, "a")
	w.looks["calm"] = func() (original.Triage, []string, error) {
		return original.Triage{}, nil, nil // no time
	}
	w.repairs["busy"] = func(ctx context.Context, o result.Wanted) (*result.Result, error) {
		if len(w.repaired) > 2 {
			return fixes(ctx, o)
		}
		r := &result.Result{Status: result.NotFixed, Failures: []result.Failure{{Failure: evidence.Failure{Message: "data race"}}}}
		result.Attach(r, result.Live{Out: o.Out, Spent: true})
		return r, nil
	}
	s, err := w.run(context.Background(), result.Wanted{Budget: 90 * time.Second})
	if err != nil || s.Status != result.Fixed {
		t.Fatalf("%+v, %v", s, err)
	}
	if want := []string{"busy", "busy", "busy", "calm"}; !slices.Equal(w.repaired, want) {
		t.Errorf("repaired %v, want %v", w.repaired, want)
	}
	if o := w.options[0]; o.Budget < 85*time.Second || o.SearchBudget == 0 || o.SearchBudget >= o.Budget {
		t.Errorf("what fails searches for %v of %v", o.SearchBudget, o.Budget)
	}
	if o := w.options[3]; o.SearchBudget != 0 {
		t.Errorf("what has not failed searches for %v of %v", o.SearchBudget, o.Budget)
	}
}

// Where a look is too short to make a run, looks at others are, too: the likeliest package is repaired at once.
func TestSeriesWithLooksThatAreTooShort(t *testing.T) {
	w := newSeriesWorld(t, "calm", "busy")
	test := "package busy\n\nfunc start() {\n\tgo println()\n}\n"
	if err := os.WriteFile(filepath.Join(w.dir, "busy", "a_test.go"), []byte(test), 0o666); err != nil {
		t.Fatal(err)
	}
	var looked []string
	for _, name := range []string{"calm", "busy"} {
		w.looks[name] = func() (original.Triage, []string, error) {
			looked = append(looked, fmt.Sprint(name, " after ", len(w.repaired)))
			return original.Triage{}, nil, nil
		}
	}
	w.repairs["busy"] = fixes
	s, err := w.run(context.Background(), result.Wanted{Budget: 90 * time.Second})
	if err != nil || s.Status != result.Fixed {
		t.Fatalf("%+v, %v", s, err)
	}
	if want := []string{"busy after 0", "calm after 1"}; !slices.Equal(looked, want) {
		t.Errorf("looked at %v, want %v", looked, want)
	}
}

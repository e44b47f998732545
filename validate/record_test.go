package validate

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/mutate"
)

// A notebook is a Memory that keeps records as JSON, as a store does.
type notebook struct {
	pages map[string][]byte // by hash of the candidate
	err   error             // of Keep
}

func (n *notebook) Recall(hash string) (r Record, ok bool) {
	page, ok := n.pages[hash]
	if ok && json.Unmarshal(page, &r) != nil {
		panic("a page cannot be read")
	}
	return r, ok
}

func (n *notebook) Keep(candidate *mutate.Mutant, r Record) error {
	page, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if n.pages == nil {
		n.pages = map[string][]byte{}
	}
	n.pages[candidate.Hash] = page
	return n.err
}

// A fix that is recalled is the one that was found, to the last figure, though
// nobody builds, runs or checks anything.
func TestRecalledFix(t *testing.T) {
	w := loadBank(t)
	deposit := w.edit(t, "guard", "(*Account).Deposit", "amount", 1)
	candidate := w.mutant(t, deposit, w.edit(t, "guard", "(*Account).Twice", "twice", 1))
	book := &notebook{}
	remembering := func(o *Options) { o.Memory, o.AtOnce = book, true }
	first, err := w.checkedValidator(t, &fakeRunner{fail: unlockedDeposit}, &fakeChecker{}, remembering).Validate(t.Context(), candidate, byChecker)
	if err != nil {
		t.Fatal(err)
	}
	runner, checks := &fakeRunner{fail: unlockedDeposit}, &fakeChecker{}
	v := w.checkedValidator(t, runner, checks, remembering)
	second, err := v.Validate(t.Context(), candidate, byChecker)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(second, first) {
		t.Errorf("%+v\nwas %+v", second, first)
	}
	if len(runner.series)+len(runner.limits)+len(checks.searches) != 0 {
		t.Errorf("%d noised and %d plain series, %d searches", len(runner.series), len(runner.limits), len(checks.searches))
	}
	// The fix itself as a candidate: what is known of it suffices for a proof.
	third, err := v.Validate(t.Context(), w.mutant(t, deposit), byChecker)
	if err != nil || !reflect.DeepEqual(third.Confirmed, first.Confirmed) || len(runner.series) != 0 {
		t.Errorf("%+v, %v, %d series", third, err, len(runner.series))
	}
}

// After recalled validations others go on as they would have after real ones:
// what was refuted is refuted again, and seeds are not used twice.
func TestRecalledLessons(t *testing.T) {
	w := loadBank(t)
	deposit := w.edit(t, "guard", "(*Account).Deposit", "amount", 1)
	twice := w.edit(t, "guard", "(*Account).Twice", "twice", 1)
	rejectedCandidate, next := w.mutant(t, deposit), w.mutant(t, deposit, twice)
	broken := func(src string, run int) bool {
		return run == 40 && !(strings.Contains(body(src, "Deposit"), "Lock") && strings.Contains(body(src, "Twice"), "Lock"))
	}
	after := func(book *notebook) (*fakeRunner, *Rejected, *Fix) {
		runner := &fakeRunner{fail: broken}
		v := w.validator(t, runner, func(o *Options) {
			if book != nil {
				o.Memory = book
			}
		})
		r := rejection(t, v, rejectedCandidate)
		before := len(runner.series)
		fix, err := v.Validate(t.Context(), next, fitness.Result{Score: 1000})
		if err != nil {
			t.Fatal(err)
		}
		runner.series = runner.series[before:]
		return runner, r, fix
	}
	real, why, fix := after(nil)
	book := &notebook{}
	after(book)
	delete(book.pages, next.Hash)
	recalled, again, same := after(book)
	if !reflect.DeepEqual(again, why) {
		t.Errorf("%+v\nwas %+v", again, why)
	}
	if !reflect.DeepEqual(recalled.series, real.series) || !reflect.DeepEqual(same, fix) {
		t.Errorf("series %v, fix %+v\nwant %v, %+v", recalled.series, same, real.series, fix)
	}
}

// Of a validation that was stopped only what it has found out is kept, and it goes on with the
// rest; what is kept of a mutant that can no longer be made is of no use.
func TestKeptValidations(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	book := &notebook{}
	runner := &fakeRunner{fail: unlockedDeposit}
	v := w.validator(t, runner, func(o *Options) { o.Memory = book })
	ctx, cancel := context.WithCancel(t.Context())
	runner.observe = func(noise.Mode, string) { cancel() } // the candidate is confirmed
	_, err := v.Validate(ctx, m, fitness.Result{})
	r, known := book.Recall(m.Hash)
	if err == nil || !known || !r.Stopped() || len(r.Observations) != 1 || r.Observations[0].Confirmed == nil {
		t.Fatalf("of a validation that was stopped is kept %+v, error %v", r, err)
	}
	confirmed := *r.Observations[0].Confirmed
	runner.observe = nil
	fix := validate(t, w.validator(t, runner, func(o *Options) { o.Memory = book }), m)
	if !reflect.DeepEqual(fix.Confirmed, confirmed) {
		t.Errorf("confirmed %+v, and before it was stopped %+v", fix.Confirmed, confirmed)
	}

	r, _ = book.Recall(m.Hash)
	for name, spoil := range map[string]func(r *Record){
		"an edit that is gone": func(r *Record) { r.Edits[0].Operator = "gone" },
		"another source":       func(r *Record) { r.Hash = "else" },
		"nothing":              func(r *Record) { r.Fix = nil },
	} {
		spoiled := r
		spoiled.Edits = append([]mutate.Edit(nil), r.Edits...)
		spoil(&spoiled)
		if err := book.Keep(m, spoiled); err != nil {
			t.Fatal(err)
		}
		runner := &fakeRunner{fail: unlockedDeposit}
		if validate(t, w.validator(t, runner, func(o *Options) { o.Memory = book }), m); len(runner.series) == 0 {
			t.Errorf("%s: it was taken for known", name)
		}
	}

	book.pages, book.err = nil, errors.New("no room")
	if _, err := w.validator(t, &fakeRunner{fail: unlockedDeposit}, func(o *Options) { o.Memory = book }).Validate(t.Context(), m, fitness.Result{}); !errors.Is(err, book.err) {
		t.Errorf("error %v", err)
	}
}

// The package's tests that have passed before a validation was stopped are not run again.
func TestKeptTests(t *testing.T) {
	s := &suite{}
	tester, remove := newSuite(t, s, nil)
	defer remove()
	trials, err := tester.beginBoth(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, tr := range trials {
		if _, ok := tester.finished(trials, nil); ok {
			t.Errorf("%d of 2 have run, and nothing is missing", i)
		}
		if err := tester.early(t.Context(), tr); err != nil {
			t.Fatal(err)
		}
	}
	got, ok := tester.finished(trials, nil)
	if want, err := tester.finish(t.Context(), trials, nil); err != nil || !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %t; want %+v, error %v", got, ok, want, err)
	}
	if _, ok := tester.finished(trials, []string{"TestOther"}); ok {
		t.Error("a test that is to be run by itself counts as passed")
	}

	before := tester.knows()
	tester.tested["x"] = got
	seen := tester.since(before)
	again := New(Options{})
	again.learn(seen)
	if len(seen) != 1 || !reflect.DeepEqual(again.tested["x"], got) {
		t.Errorf("kept %+v, learnt %+v", seen, again.tested)
	}
}

package fitness

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness/noise"
	"mendel/mutate"
)

// A notebook is a Memory that keeps records as JSON, as a store does.
type notebook struct {
	mu    sync.Mutex
	pages map[string][]byte // by hash
	order []string          // hashes, as they were kept
	err   error             // of Keep
}

func (n *notebook) Recall(hash string) (r Record, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	page, ok := n.pages[hash]
	if ok && json.Unmarshal(page, &r) != nil {
		panic("a page cannot be read")
	}
	return r, ok
}

func (n *notebook) Keep(m *mutate.Mutant, r Record) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	page, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if n.pages == nil {
		n.pages = map[string][]byte{}
	}
	n.pages[m.Hash] = page
	n.order = append(n.order, m.Hash)
	return n.err
}

// A record comes back from JSON as it was.
func TestRecordJSON(t *testing.T) {
	want := Record{
		Result{
			Score: 1000.0 / 3, Runs: 15, Passes: 5, Timeouts: 1, Failures: map[evidence.Kind]int{evidence.Race: 10},
			Samples: []evidence.Failure{{Kind: evidence.Race, Signature: "s", Stacks: []evidence.Stack{{Role: "read", Frames: []evidence.Frame{{Func: "f", File: "a.go", Line: 3}}}}}},
			Refused: "no", Elapsed: time.Millisecond / 3, Switches: 2.0 / 3, Verdict: explore.Failed, Schedules: 7, Bound: -1,
		},
		Observations{Schedules: []checker.Schedule{{Test: "TestX", Choices: "0*2 1"}}, Ended: true, TimedOut: true, Broken: "disk"},
	}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Record
	if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s\ngives %+v, %v", data, got, err)
	}
}

// What is recalled is neither built nor run nor kept again, but observed like
// anything that was just found out.
func TestRecalled(t *testing.T) {
	ctx, book := context.Background(), &notebook{}
	type observed struct {
		hash     string
		recalled bool
	}
	evaluate := func(l *fakeLauncher) (heard []observed, results []Result) {
		e := evaluatorOf(l, Options{Memory: book, Observe: func(m *mutate.Mutant, r Result) {
			heard = append(heard, observed{m.Hash, r.Recalled})
		}})
		for _, i := range []int{1, 2, 1} {
			r, err := e.Evaluate(ctx, mutant(i))
			if err != nil {
				t.Fatal(err)
			}
			results = append(results, r)
		}
		return heard, results
	}
	_, first := evaluate(scripted(pass(), fails(evidence.Race, "a")))
	l := scripted(pass())
	heard, second := evaluate(l)
	if want := []observed{{mutant(1).Hash, true}, {mutant(2).Hash, true}}; !slices.Equal(heard, want) {
		t.Errorf("observed %v", heard)
	}
	if l.launched != 0 || len(book.order) != 2 {
		t.Errorf("%d launched, %d kept", l.launched, len(book.order))
	}
	for i := range first {
		second[i].Recalled = false
		if !reflect.DeepEqual(first[i], second[i]) {
			t.Errorf("%+v was %+v", second[i], first[i])
		}
	}
}

// An evaluation is kept before anybody observes it; one that cannot be kept
// is none.
func TestKept(t *testing.T) {
	book := &notebook{}
	e := evaluatorOf(scripted(pass()), Options{Memory: book, Observe: func(m *mutate.Mutant, r Result) {
		if !slices.Contains(book.order, m.Hash) {
			t.Error("observed before it was kept")
		}
	}})
	if _, err := e.Evaluate(context.Background(), mutant(1)); err != nil {
		t.Fatal(err)
	}
	book.err = errors.New("no room")
	if _, err := e.Evaluate(context.Background(), mutant(2)); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("error %v", err)
	}
	l := &fakeLauncher{script: func(int) noise.Outcome { return pass() }, err: errors.New("broken")}
	if _, err := evaluatorOf(l, Options{Memory: book}).Evaluate(context.Background(), mutant(3)); err == nil || len(book.order) != 2 {
		t.Errorf("%d kept, error %v: what could not be run is no score", len(book.order), err)
	}
}

// A checker that has recalled evaluations goes on as the one that made them.
func TestRecalledObservations(t *testing.T) {
	ctx, book := context.Background(), &notebook{}
	timedOut := checked(explore.Inconclusive, 0, 0)
	timedOut.TimedOut = true
	reports := []*checker.Report{
		checked(explore.Failed, 30, 10, on(evidence.Race, 3, "0 2")), checked(explore.Passed, 30, 30), timedOut, checked(explore.Passed, 30, 30),
	}
	broken := 3 // the number of the mutant that the checker breaks at
	search := func() (*CheckerSource, *fakeChecker) {
		c := &fakeChecker{}
		s := NewCheckerSource(CheckerOptions{Checker: c, Original: original})
		e := evaluatorOf(scripted(pass()), Options{Memory: book, Before: []Source{s}})
		for i, report := range reports {
			c.report, c.err = report, nil
			if i == broken {
				c.err = errors.New("no space left")
			}
			if _, err := e.Evaluate(ctx, made(i+1, "lock")); err != nil {
				t.Fatal(err)
			}
		}
		s.EndGeneration()
		return s, c
	}
	first, asked := search()
	second, spared := search()
	if len(asked.searches) != len(reports) || len(spared.searches) != 0 {
		t.Fatalf("%d and %d searches", len(asked.searches), len(spared.searches))
	}
	m := made(9, "lock", "more")
	if got, want := second.First(m), first.First(m); !slices.Equal(got, want) || got[0].Choices != "0 2" {
		t.Errorf("shown first: %v, want %v", got, want)
	}
	if second.ends != first.ends || second.timeouts != 1 || second.timeouts != first.timeouts || second.Off() == "" || second.Off() != first.Off() {
		t.Errorf("ends %t, %d time-outs, off %q; want %t, %d, %q", second.ends, second.timeouts, second.Off(), first.ends, first.timeouts, first.Off())
	}
}

// Nothing is built in advance that will be recalled.
func TestPrepareSparesTheKnown(t *testing.T) {
	ctx, book, mutants := context.Background(), &notebook{}, written(3)
	w := &workshop{}
	evaluator := func() *Evaluator {
		s := NewCheckerSource(CheckerOptions{Checker: &fakeChecker{report: checked(explore.Passed, 30, 30)}, BuildAll: w.BuildAll, Original: original, Alone: true})
		return NewEvaluator(Options{Before: []Source{s}, Memory: book})
	}
	if _, err := evaluator().Evaluate(ctx, mutants[1]); err != nil {
		t.Fatal(err)
	}
	e := evaluator()
	defer e.Release()
	if err := e.Prepare(ctx, mutants); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(w.sizes, []int{2}) || w.programs["2"] != nil {
		t.Errorf("built together: %v", w.sizes)
	}
}

// What a source observed is kept, also where another one judged.
func TestObservationsAreKept(t *testing.T) {
	book := &notebook{}
	unsure := &fakeSource{observed: Observations{Ended: true, Broken: "disk"}}
	sure := &fakeSource{ok: true, observed: Observations{TimedOut: true, Broken: "memory"}}
	e := NewEvaluator(Options{Before: []Source{unsure, sure}, Memory: book})
	if _, err := e.Evaluate(context.Background(), mutant(1)); err != nil {
		t.Fatal(err)
	}
	known, ok := book.Recall(mutant(1).Hash)
	if want := (Observations{Ended: true, TimedOut: true, Broken: "disk"}); !ok || !reflect.DeepEqual(known.Observations, want) {
		t.Errorf("kept %+v, want %+v", known.Observations, want)
	}
}

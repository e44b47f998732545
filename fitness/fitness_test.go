package fitness

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

// A fakeSource gives the answer set.
type fakeSource struct {
	stateless
	result   Result
	observed Observations
	ok       bool
	err      error
	calls    int
}

func (s *fakeSource) Score(context.Context, *mutate.Mutant) (Record, bool, error) {
	s.calls++
	return Record{s.result, s.observed}, s.ok, s.err
}

func TestSourcesInTurn(t *testing.T) {
	unsure := &fakeSource{result: Result{Score: 7}}
	sure := &fakeSource{result: Result{Score: 300}, ok: true}
	never := &fakeSource{result: Result{Score: 900}, ok: true}
	l := scripted(pass())
	r, err := evaluatorOf(l, Options{Before: []Source{unsure, sure, never}}).Evaluate(context.Background(), mutant(1))
	if err != nil || r.Score != 300 {
		t.Errorf("score %v, %v; want that of the first source that could judge", r.Score, err)
	}
	if unsure.calls != 1 || never.calls != 0 || l.launched != 0 {
		t.Error("a source was asked that should not have been, or not asked that should")
	}
	r, err = evaluatorOf(l, Options{Before: []Source{unsure}}).Evaluate(context.Background(), mutant(1))
	if err != nil || r.Score != FullScore || r.Runs != coreRuns {
		t.Errorf("%+v, %v; want that of noise", r, err)
	}
}

func TestSourceFails(t *testing.T) {
	broken := errors.New("broken")
	e := evaluatorOf(scripted(pass()), Options{Before: []Source{&fakeSource{err: broken}}})
	if _, err := e.Evaluate(context.Background(), mutant(1)); !errors.Is(err, broken) || !strings.Contains(err.Error(), "000") {
		t.Errorf("error is %v, want the source's with the mutant", err)
	}
}

func TestNobodyCanJudge(t *testing.T) {
	e := NewEvaluator(Options{Before: []Source{&fakeSource{}}})
	if r, err := e.Evaluate(context.Background(), mutant(1)); err == nil {
		t.Errorf("scored %+v", r)
	}
}

func TestCache(t *testing.T) {
	l := scripted(pass(), fails(evidence.Race))
	var observed []float64
	e := evaluatorOf(l, Options{Observe: func(m *mutate.Mutant, r Result) {
		observed = append(observed, r.Score)
		r.Failures[evidence.Panic] = 99
	}})
	first, err := e.Evaluate(context.Background(), mutant(1))
	if err != nil || first.Cached {
		t.Fatalf("%+v, %v", first, err)
	}
	// A result belongs to who got it.
	first.Failures[evidence.Race] = 0
	first.Samples[0].Signature = "changed"
	again, err := e.Evaluate(context.Background(), mutant(1))
	if err != nil || !again.Cached || again.Score != first.Score {
		t.Errorf("%+v, %v", again, err)
	}
	if again.Failures[evidence.Race] != 7 || again.Failures[evidence.Panic] != 0 || again.Samples[0].Signature != "race" {
		t.Errorf("what others did with the result shows: %+v", again)
	}
	if _, err := e.Evaluate(context.Background(), mutant(2)); err != nil {
		t.Fatal(err)
	}
	if l.launched != 2 || len(observed) != 2 {
		t.Errorf("%d evaluations, %d observed, want 2", l.launched, len(observed))
	}
}

// A gate is a source that lets an evaluation through when it is told to.
type gate struct {
	stateless
	entered chan context.Context
	leave   chan Result
	calls   int // one at a time: the evaluator asks once
}

func (g *gate) Score(ctx context.Context, _ *mutate.Mutant) (Record, bool, error) {
	g.calls++
	g.entered <- ctx
	select {
	case r := <-g.leave:
		return Record{Result: r}, true, nil
	case <-ctx.Done():
		return Record{}, false, errors.New("killed")
	}
}

func newGate() *gate { return &gate{entered: make(chan context.Context, 8), leave: make(chan Result)} }

func TestConcurrentCalls(t *testing.T) {
	g := newGate()
	e := NewEvaluator(Options{Before: []Source{g}})
	const callers = 6
	var wg sync.WaitGroup
	results := make([]Result, callers)
	for i := range callers {
		wg.Go(func() {
			r, err := e.Evaluate(context.Background(), mutant(1))
			if err != nil {
				t.Error(err)
			}
			results[i] = r
		})
	}
	<-g.entered
	g.leave <- Result{Score: 600}
	wg.Wait()
	fresh := 0
	for _, r := range results {
		if r.Score != 600 {
			t.Errorf("%+v", r)
		}
		if !r.Cached {
			fresh++
		}
	}
	if g.calls != 1 || fresh != 1 {
		t.Errorf("%d evaluations, %d results called fresh", g.calls, fresh)
	}
}

// A caller whose own context lives does not suffer from one whose context ended.
func TestOtherCallersCancellation(t *testing.T) {
	g := newGate()
	e := NewEvaluator(Options{Before: []Source{g}})
	ctx, cancel := context.WithCancel(context.Background())
	first := make(chan error)
	go func() {
		_, err := e.Evaluate(ctx, mutant(1))
		first <- err
	}()
	<-g.entered
	second := make(chan Result)
	go func() {
		r, err := e.Evaluate(context.Background(), mutant(1))
		if err != nil {
			t.Error(err)
		}
		second <- r
	}()
	cancel()
	if err := <-first; err != context.Canceled {
		t.Errorf("the first got %v", err)
	}
	<-g.entered
	g.leave <- Result{Score: 1}
	if r := <-second; r.Score != 1 || r.Cached {
		t.Errorf("the second got %+v", r)
	}
}

func TestWaitingCallerIsCancelled(t *testing.T) {
	g := newGate()
	e := NewEvaluator(Options{Before: []Source{g}})
	done := make(chan Result)
	go func() {
		r, _ := e.Evaluate(context.Background(), mutant(1))
		done <- r
	}()
	<-g.entered
	ctx, cancel := context.WithCancel(context.Background())
	waiting := make(chan error)
	go func() {
		_, err := e.Evaluate(ctx, mutant(1))
		waiting <- err
	}()
	cancel()
	if err := <-waiting; err != context.Canceled {
		t.Errorf("the waiting one got %v", err)
	}
	g.leave <- Result{Score: 2}
	if r := <-done; r.Score != 2 {
		t.Errorf("the first got %+v", r)
	}
	if _, err := e.Evaluate(ctx, mutant(1)); err != context.Canceled {
		t.Errorf("a cancelled caller got %v", err)
	}
}

// A bug in a source must not hang those who wait for its result.
func TestSourcePanics(t *testing.T) {
	e := NewEvaluator(Options{Before: []Source{panicking{}}})
	for range 2 {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			_, _ = e.Evaluate(context.Background(), mutant(1))
		}()
	}
}

type panicking struct{ stateless }

func (panicking) Score(context.Context, *mutate.Mutant) (Record, bool, error) { panic("a bug") }

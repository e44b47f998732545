package evolve

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"mendel/fitness"
	"mendel/mutate"
)

// openingNodes lists the nodes of a space of one operator in the order they are tried.
func openingNodes(space *fakeSpace) (nodes []int) {
	all := (*catalogue)(nil).refresh(space.Edits(), true, byOperator)
	for ch := range all.opening(func(string) float64 { return 1 }) {
		nodes = append(nodes, ch.Node)
	}
	return nodes
}

func index(nodes []int, m *mutate.Mutant) int {
	for i, n := range nodes {
		if len(m.Edits) == 1 && m.Edits[0].Node == n {
			return i
		}
	}
	return -1
}

// The first mutant is scored last, but it is the first in the population.
func TestLowestAcceptedWins(t *testing.T) {
	space := grid(8, operators[:1], 0)
	nodes := openingNodes(space)
	release := make(chan struct{})
	var scored atomic.Int32
	eval := flat(func(m *mutate.Mutant) bool { p := index(nodes, m); return p == 0 || p == 2 })
	eval.before = func(ctx context.Context, m *mutate.Mutant) error {
		if index(nodes, m) == 0 {
			<-release
		} else if scored.Add(1) == 2 {
			close(release)
		}
		return nil
	}
	var offered []int
	r, err := Search(context.Background(), space, eval, Options{
		Population: 8, Workers: 2,
		Accept: func(_ context.Context, m *mutate.Mutant, _ fitness.Result) (bool, error) {
			offered = append(offered, index(nodes, m))
			return true, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(offered) != 1 || offered[0] != 0 {
		t.Errorf("offered %v, want the first alone", offered)
	}
	if r.Ended != Accepted || r.Evaluations != 1 || len(r.Best) != 1 {
		t.Errorf("ended %s with %d evaluations and %d best, want 1 and 1", r.Ended, r.Evaluations, len(r.Best))
	}
}

func TestRejectedCandidates(t *testing.T) {
	space := grid(8, operators[:1], 0)
	nodes := openingNodes(space)
	var offered []int
	r, err := Search(context.Background(), space, flat(func(m *mutate.Mutant) bool { return index(nodes, m)%2 == 0 }), Options{
		Population: 8, Workers: 3,
		Accept: func(_ context.Context, m *mutate.Mutant, _ fitness.Result) (bool, error) {
			offered = append(offered, index(nodes, m))
			return index(nodes, m) == 4, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(offered) != 3 || offered[0] != 0 || offered[1] != 2 || offered[2] != 4 {
		t.Errorf("offered %v, want 0, 2, 4", offered)
	}
	if got := index(nodes, r.Best[0].Mutant); got != 4 {
		t.Errorf("best is number %d, want the accepted one", got)
	}
	if r.Evaluations != 5 {
		t.Errorf("%d evaluations, want the five up to the accepted one", r.Evaluations)
	}
}

// What is behind a mutant with a full score is not scored before that is judged, which
// waits for those before it; what has flags holds nobody up.
func TestFullScoreHoldsThoseBehind(t *testing.T) {
	for _, flagged := range []bool{false, true} {
		space := grid(8, operators[:1], 0)
		nodes := openingNodes(space)
		full, behind, judged := make(chan struct{}), make(chan struct{}), false
		eval := flat(func(m *mutate.Mutant) bool { return index(nodes, m) == 1 })
		eval.before = func(ctx context.Context, m *mutate.Mutant) error {
			at := index(nodes, m)
			if flagged && at == 1 {
				m.Flags = []mutate.Flag{mutate.Blocks}
			}
			switch {
			case at == 1:
				close(full)
			case at == 2:
				close(behind)
			case at == 0 && flagged:
				<-behind // hangs if the flagged one holds it up
			case at == 0:
				<-full
				for range 100_000 {
					runtime.Gosched()
				}
				select {
				case <-behind:
					t.Error("what is behind a full score is scored before that is judged")
				default:
				}
			}
			return nil
		}
		_, err := Search(context.Background(), space, eval, Options{
			Population: 8, Workers: 2, Generations: 1,
			Accept: func(context.Context, *mutate.Mutant, fitness.Result) (bool, error) {
				judged = true
				return false, nil
			},
		})
		if err != nil || !judged || eval.count() < 8 {
			t.Errorf("judged %v, %d scored: %v", judged, eval.count(), err)
		}
	}
}

// A full score that nobody judged is better than one that was turned down.
func TestUnjudgedBeforeRejected(t *testing.T) {
	l := newLedger()
	mutant := func(hash string, edits int) *mutate.Mutant {
		return &mutate.Mutant{Hash: hash, Edits: make([]mutate.Edit, edits)}
	}
	l.rank(Scored{mutant("rejected", 1), resultOf(1000)}, rejected, 0)
	l.rank(Scored{mutant("long", 3), resultOf(900)}, unjudged, 0)
	l.rank(Scored{mutant("short", 2), resultOf(900)}, unjudged, 0)
	l.rank(Scored{mutant("later", 2), resultOf(900)}, unjudged, 0)
	l.rank(Scored{mutant("unjudged", 4), resultOf(1000)}, unjudged, 0)
	var got []string
	for _, b := range l.best() {
		got = append(got, b.Mutant.Hash)
	}
	if s := strings.Join(got, " "); s != "unjudged rejected short later long" {
		t.Errorf("order is %s", s)
	}
}

// Accept has the machine to itself, but for what had started already.
func TestNothingStartsWhileAcceptRuns(t *testing.T) {
	const workers = 4
	eval := flat(func(m *mutate.Mutant) bool { return len(m.Edits) == 1 })
	_, err := Search(context.Background(), grid(10, operators, 0), eval, Options{
		Workers: workers, Generations: 1,
		Accept: func(context.Context, *mutate.Mutant, fitness.Result) (bool, error) {
			before := eval.count()
			for range 1000 {
				runtime.Gosched()
			}
			if n := eval.count() - before; n > workers {
				t.Errorf("%d mutants were scored meanwhile", n)
			}
			return false, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAcceptedCancelsRunning(t *testing.T) {
	space := grid(8, operators[:1], 0)
	nodes := openingNodes(space)
	started := make(chan struct{})
	var cancelled atomic.Bool
	eval := flat(func(m *mutate.Mutant) bool { return index(nodes, m) == 0 })
	eval.before = func(ctx context.Context, m *mutate.Mutant) error {
		switch index(nodes, m) {
		case 0:
			<-started // a second one is running
		case 1:
			close(started)
			<-ctx.Done()
			cancelled.Store(true)
			return ctx.Err()
		}
		return nil
	}
	r, err := Search(context.Background(), space, eval, Options{Workers: 2, Population: 8})
	if err != nil || r.Ended != Accepted {
		t.Fatalf("ended %s: %v", r.Ended, err)
	}
	if !cancelled.Load() {
		t.Error("what ran on was not cancelled")
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	eval := &fakeEvaluator{score: func(m *mutate.Mutant) float64 { return float64(100 * len(m.Edits)) }}
	var once sync.Once
	eval.before = func(ctx context.Context, m *mutate.Mutant) error {
		if len(m.Edits) == 3 {
			once.Do(cancel)
			<-ctx.Done()
			return errors.New("killed") // not ctx's error, but its consequence
		}
		return nil
	}
	r, err := Search(ctx, grid(20, operators, 1), eval, Options{Population: 6, Workers: 2})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	if r.Ended != Stopped || len(r.Best) == 0 || r.Best[0].Result.Score != 200 {
		t.Errorf("ended %s with %v, want the best so far", r.Ended, r.Best)
	}
}

func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Search(ctx, grid(2, operators, 0), flat(never), Options{})
	if !errors.Is(err, context.Canceled) || r == nil || r.Ended != Stopped {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestCancelledInObserve(t *testing.T) {
	for _, at := range []string{"score", "generation"} {
		ctx, cancel := context.WithCancel(context.Background())
		r, err := Search(ctx, grid(20, operators, 1), flat(never), Options{
			Population: 5, Observe: func(e Event) {
				if e.Done == (at == "generation") && e.Generation == 2 {
					cancel()
				}
			},
		})
		cancel()
		if !errors.Is(err, context.Canceled) || r.Ended != Stopped || r.Generations != 2 {
			t.Errorf("cancelled at a %s: ended %s in generation %d: %v", at, r.Ended, r.Generations, err)
		}
	}
}

// EndGeneration has the last word on a generation, after Observe.
func TestEndGeneration(t *testing.T) {
	broken := errors.New("no space left on device")
	for _, c := range []struct {
		name  string
		done  bool
		err   error
		ended Ended
	}{
		{"done", true, nil, Enough},
		{"error", false, broken, Stopped},
		{"not done", false, nil, OutOfGenerations},
	} {
		t.Run(c.name, func(t *testing.T) {
			var last Event
			calls := 0
			r, err := Search(context.Background(), grid(20, operators, 1), flat(never), Options{
				Population: 5, Generations: 3,
				Observe: func(e Event) { last = e },
				EndGeneration: func(_ context.Context, e Event) (bool, error) {
					if calls++; !e.Done || !reflect.DeepEqual(e, last) || e.Generation != calls {
						t.Errorf("call %d with %+v, after %+v", calls, e, last)
					}
					if e.Generation < 2 {
						return false, nil
					}
					return c.done, c.err
				},
			})
			want := 3
			if c.done || c.err != nil {
				want = 2
			}
			if !errors.Is(err, c.err) || r.Ended != c.ended || r.Generations != want || calls != want {
				t.Errorf("ended %s in generation %d after %d calls: %v", r.Ended, r.Generations, calls, err)
			}
		})
	}
}

// After the end of ctx scores are still taken down, but nothing is offered any more.
func TestNothingIsOfferedAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	all := &fakeEvaluator{score: func(*mutate.Mutant) float64 { return 1000 }}
	r, err := Search(ctx, grid(5, operators, 0), all, Options{
		Workers: 1,
		Observe: func(Event) { cancel() },
		Accept: func(context.Context, *mutate.Mutant, fitness.Result) (bool, error) {
			t.Error("offered")
			return true, nil
		},
	})
	if !errors.Is(err, context.Canceled) || r.Ended != Stopped || len(r.Best) == 0 {
		t.Errorf("ended %s with %d best: %v", r.Ended, len(r.Best), err)
	}
}

// Whatever could not be run ends the search with its error and the best so far.
func TestBrokenEnvironment(t *testing.T) {
	broken := errors.New("no space left on device")
	evaluator := flat(never)
	evaluator.before = func(_ context.Context, m *mutate.Mutant) error {
		if len(m.Edits) == 2 {
			return broken
		}
		return nil
	}
	for name, search := range map[string]func() (*Result, error){
		"evaluator": func() (*Result, error) {
			return Search(context.Background(), grid(20, operators, 1), evaluator, Options{Workers: 3})
		},
		"accept": func() (*Result, error) {
			accept := func(context.Context, *mutate.Mutant, fitness.Result) (bool, error) { return false, broken }
			one := flat(func(m *mutate.Mutant) bool { return len(m.Edits) == 2 })
			return Search(context.Background(), grid(20, operators, 1), one, Options{Workers: 3, Accept: accept})
		},
	} {
		r, err := search()
		if !errors.Is(err, broken) {
			t.Errorf("%s: error is %v", name, err)
		}
		if r.Ended != Stopped || len(r.Best) == 0 || r.Generations != 2 {
			t.Errorf("%s: ended %s in generation %d with %d best", name, r.Ended, r.Generations, len(r.Best))
		}
	}
	space := grid(20, operators, 1)
	space.fail = broken
	if r, err := Search(context.Background(), space, flat(never), Options{}); !errors.Is(err, broken) || r.Ended != Stopped {
		t.Errorf("space: ended %s: %v", r.Ended, err)
	}
}

func TestPanicReachesCaller(t *testing.T) {
	eval := flat(never)
	eval.before = func(context.Context, *mutate.Mutant) error { panic("a bug of the evaluator") }
	defer func() {
		if r := recover(); !strings.Contains(fmt.Sprint(r), "a bug of the evaluator") {
			t.Errorf("recovered %v", r)
		}
	}()
	_, _ = Search(context.Background(), grid(2, operators, 0), eval, Options{})
	t.Error("the search went on")
}

// The opening may have more mutants than the population has members; the best go on.
func TestOpening(t *testing.T) {
	generations := map[int]int{}
	best := 0
	r, err := Search(context.Background(), grid(40, operators, 1), &fakeEvaluator{score: func(m *mutate.Mutant) float64 {
		if len(m.Edits) == 1 && m.Edits[0].Node >= 5 {
			return 500
		}
		return 100
	}}, Options{
		Population: 8, Opening: 30, Generations: 2, Workers: 2, Seed: 3, Original: &fitness.Result{Score: 400},
		Observe: func(e Event) {
			if e.Mutant == nil {
				return
			}
			generations[e.Generation]++
			if e.Generation == 2 && slices.ContainsFunc(e.Mutant.Edits, func(e mutate.Edit) bool { return e.Node >= 5 }) {
				best++
			}
		},
	})
	if err != nil || r.Generations != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	if generations[1] != 30 || generations[2] > 8 || best < generations[2]/2 {
		t.Errorf("%v mutants by generation, %d of the second from the best of the first", generations, best)
	}
}

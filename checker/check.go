package checker

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// helperAfter is how long a test is explored by one process before others
// help: most tests of small programs are done by then. Guessed.
const helperAfter = 300 * time.Millisecond

// helperStrategies are those of the processes that help, in turn.
var helperStrategies = []string{"pos", "pct", "random"}

// Check explores the schedules of the tests. Every verdict is a Report. The error
// is for a binary that could not be run at all, or ctx's; with ctx's error comes a
// Report of the results so far. It returns within the budget and five seconds.
//
// With several workers the tests are spread over processes. If there is one test
// only, a bounded dfs is divided among them, with the result of one process; of other
// strategies one process explores it as the search says, and others look for failures
// at random under other seeds. They do not if Search.Schedules bounds the
// schedules, so that the search depends on the seed alone, or if Search.Sample is
// set.
func (b *Binary) Check(ctx context.Context, s Search) (*Report, error) {
	s, err := s.complete()
	if err != nil {
		return nil, err
	}
	if s.Patience == 0 {
		s.Patience, s.TrustTests = b.checker.c.Patience, s.TrustTests || b.checker.c.TrustTests
	}
	names, err := b.tests(s.Tests)
	if err != nil {
		return nil, err
	}
	if left := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(s.Without, name) }); len(left) > 0 {
		names = left
	}
	workers, leave := b.checker.enter()
	defer leave()
	k := newCheck(b, s, names, workers)
	if err := k.all(ctx); err != nil && ctx.Err() == nil {
		return nil, err
	}
	k.interrupted = ctx.Err() != nil
	return k.report(), ctx.Err()
}

// A check is one search under way.
type check struct {
	b        *Binary
	s        Search
	workers  int
	began    time.Time
	deadline time.Time // the end of the budget
	tests    []*tested

	mu        sync.Mutex // guards what follows, and the tests
	planted   string     // why the self-check failed
	processes int
	running   map[*part]bool
	over      bool // a failure was found, and one is enough

	interrupted bool // ctx ended
}

// A tested is one test and its results so far.
type tested struct {
	name       string
	answers    []answer
	failures   []Failure // of other signatures each
	noAnswer   string    // why a process did not answer
	hung       bool      // because it had to be ended
	stateful   string    // why it needs a process for each execution
	long       bool      // its executions may have longSteps
	perProcess perProcess
}

// An answer is a process's result for a test.
type answer struct {
	wire.Test
	helper bool
}

// A part is the work of one process.
type part struct {
	tests    []*tested
	strategy string
	seed     uint64
	search   wire.Search
	helper   bool
	waits    bool     // for the right to run, although it helps
	standing []string // as Search.Standing, beside that
	cancel   context.CancelFunc
	answered map[string]bool
	found    []wire.Found // failures of tests that are not answered yet
	stale    bool         // the next test wants another process
}

func newCheck(b *Binary, s Search, names []string, workers int) *check {
	now := time.Now()
	k := &check{b: b, s: s, workers: workers, began: now, deadline: now.Add(s.Budget), running: map[*part]bool{}}
	for _, name := range names {
		k.tests = append(k.tests, &tested{name: name})
	}
	return k
}

// all explores all tests.
func (k *check) all(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if k.divided() {
		if whole, err := k.inParts(ctx); whole || err != nil {
			return err
		}
	}
	rest := k.settled(k.tests)
	if len(rest) == 0 {
		return nil
	}
	until := k.firstRound(rest)
	err := k.spread(rest, func(tests []*tested) error {
		err := k.explore(ctx, tests, until)
		if err != nil {
			cancel()
		}
		return err
	})
	if err != nil || k.s.Strategy == explore.Predict {
		return err // a process for each schedule has random ones only
	}
	if err := k.leftRound(ctx); err != nil {
		return err
	}
	if err := k.heavyRound(ctx); err != nil {
		return err
	}
	if err := k.inOwnProcesses(ctx); err != nil {
		return err
	}
	return k.lastRound(ctx)
}

// explore explores some tests until a round ends: in one process while that lives, but for
// tests that turn out to need a process for each execution.
func (k *check) explore(ctx context.Context, tests []*tested, until time.Time) error {
	stop := k.help(ctx, tests)
	waiting := 0 // tests that turned out to be stateful
	for rest := tests; len(rest) > 0 && time.Until(until) > 0 && ctx.Err() == nil; {
		p := &part{tests: rest, strategy: k.s.Strategy, seed: k.s.Seed}
		budget := time.Until(until) * time.Duration(len(rest)) / time.Duration(len(rest)+waiting)
		if err := k.run(ctx, p, budget); err != nil {
			return errors.Join(err, stop(true))
		}
		if k.isOver() {
			break
		}
		before := len(rest)
		rest, waiting = k.remaining(p, waiting)
		if len(rest) == before {
			break // no process could be started
		}
	}
	return stop(!k.passed(tests))
}

// help lets other processes explore the only test, if there are workers for it.
// stop ends them, at once or when their budget is used up.
func (k *check) help(ctx context.Context, tests []*tested) (stop func(now bool) error) {
	n := k.workers - 1
	if len(k.tests) > 1 || k.s.Strategy != explore.Auto || k.s.Schedules > 0 || k.s.Sample > 0 || n < 1 {
		return func(bool) error { return nil }
	}
	ctx, cancel := context.WithCancel(ctx)
	errs := make(chan error, n)
	for i := range n {
		go func() {
			select {
			case <-ctx.Done():
				errs <- nil
				return
			case <-time.After(helperAfter):
			}
			errs <- k.run(ctx, &part{
				tests:    tests,
				strategy: helperStrategies[i%len(helperStrategies)],
				seed:     k.s.Seed + uint64(i) + 1,
				helper:   true,
			}, k.left())
		}()
	}
	return func(now bool) error {
		if now {
			cancel()
		}
		defer cancel()
		var err error
		for range n {
			err = errors.Join(err, <-errs)
		}
		return err
	}
}

// run runs one process and takes its answers.
func (k *check) run(ctx context.Context, p *part, budget time.Duration) error {
	release, ok := k.slot(ctx, p)
	if !ok {
		return nil
	}
	defer release()
	ctx, p.cancel = context.WithCancel(ctx)
	defer p.cancel()
	if budget = min(budget, k.left()); budget <= 0 || !k.begin(p) {
		return nil
	}
	defer k.end(p)
	var names []string
	for _, t := range p.tests {
		names = append(names, t.name)
	}
	search := k.search(budget)
	search.Strategy, search.Seed = p.strategy, p.seed
	search.Standing = append(search.Standing, standing(p.standing)...)
	if len(p.tests) > 0 && p.tests[0].long { // then all are
		search.Steps = longSteps
	}
	search.Handed = k.handed(names)
	p.search = search
	r := wire.Request{Mode: wire.Check, Tests: names, Search: search}
	if !p.helper {
		r.First = of(names, k.s.First)
		r.Expect, r.Decline = expected(names, k.s.Expect), k.s.Decline
		r.Search.Deliver = k.s.Deliver
	}
	k.recall(&r)
	result, err := k.b.start(ctx, r, time.Now().Add(budget+overtime), func(a wire.Answer) { k.take(p, a) })
	if err != nil {
		return err
	}
	k.salvage(p)
	if ctx.Err() == nil && !p.stale {
		k.account(p, &result)
	}
	return nil
}

// slot waits for the right to run a process; helpers do not wait.
func (k *check) slot(ctx context.Context, p *part) (release func(), ok bool) {
	c := k.b.checker
	if p.helper && !p.waits {
		select {
		case c.slots <- struct{}{}:
			return func() { <-c.slots }, true
		default:
			return nil, false
		}
	}
	ctx, cancel := context.WithDeadline(ctx, k.deadline)
	defer cancel()
	release, err := c.acquire(ctx)
	return release, err == nil
}

// begin notes that a process starts; false: it is not needed any more.
func (k *check) begin(p *part) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.over {
		return false
	}
	p.answered = map[string]bool{}
	k.running[p] = true
	k.processes++
	return true
}

func (k *check) end(p *part) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.running, p)
}

// take handles one answer of a process.
func (k *check) take(p *part, a wire.Answer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case a.Ready != nil:
		k.checked(a.Ready)
		for _, name := range a.Ready.Missing {
			if t := find(p.tests, name); t != nil {
				t.noAnswer = "the instrumented test binary does not have it"
				p.answered[name] = true
			}
		}
	case a.Found != nil:
		p.found = append(p.found, *a.Found)
	case a.Test != nil:
		t := find(p.tests, a.Test.Name)
		if t == nil || p.answered[t.name] {
			return
		}
		if p.stale = p.stale || a.Test.Stale; p.stale {
			return
		}
		p.answered[t.name] = true
		if !p.helper {
			k.learn(p.search, a.Test)
		}
		k.addAnswer(p, t, a.Test)
	}
}

// checked notes the result of a process's self-check.
func (k *check) checked(r *wire.Ready) {
	if r.Planted != "" {
		k.planted = r.Planted
	}
}

// addAnswer adds the result of a test. The caller holds k.mu.
func (k *check) addAnswer(p *part, t *tested, a *wire.Test) {
	k.b.checker.schedules.Add(int64(a.Executions - a.Carried - a.Repeated))
	k.b.checker.carried.Add(int64(a.Carried))
	k.b.checker.repeated.Add(int64(a.Repeated))
	for _, f := range a.Failures {
		k.add(t, f, p.seed)
	}
	for i := range a.Inversions {
		for j := range a.Inversions[i].Places {
			for n := range a.Inversions[i].Places[j] {
				k.b.checker.locate(&a.Inversions[i].Places[j][n])
			}
		}
	}
	if a.Predicted != nil {
		for _, q := range a.Predicted.Predictions {
			for i := range q.Places {
				k.b.checker.locate(&q.Places[i])
			}
		}
	}
	t.answers = append(t.answers, answer{*a, p.helper})
	switch {
	case len(t.failures) > 0 && (k.enough() || p.helper && k.s.Most > 0 && len(k.tests) == 1):
		k.over = true
		for other := range k.running {
			other.cancel()
		}
	case a.Stateful:
		if t.stateful = a.Reason; t.stateful == "" {
			t.stateful = "executions differ by more than the schedule"
		}
		if !p.helper {
			p.cancel() // the budget is to be divided anew
		}
	}
}

// enough reports whether the search ends at the first failure.
func (k *check) enough() bool { return !k.s.All && k.s.Sample == 0 }

// salvage keeps the failures that a process found before it ended without an
// answer for their test.
func (k *check) salvage(p *part) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, f := range p.found {
		if t := find(p.tests, f.Test); t != nil && !p.answered[t.name] {
			k.add(t, f.Failure, p.seed)
			k.over = k.over || len(t.failures) > 0 && k.enough()
		}
	}
}

// account attributes the end of a process that did not finish to its current
// test. It is not called for processes that were cancelled.
func (k *check) account(p *part, result *process) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, t := range p.tests {
		if p.answered[t.name] {
			continue
		}
		why, hung := k.b.checker.exitReason(result)
		if hung && p.waits {
			return // it has its verdict
		}
		if result.exited() {
			t.stateful = why // perhaps only because it was not the first execution
		} else {
			t.noAnswer, t.hung = why, hung
		}
		p.answered[t.name] = true
		if result.ready != nil && !result.done {
			return // the others have not had their turn
		}
	}
}

// remaining are the tests that a process did not come to before it ended.
func (k *check) remaining(p *part, waiting int) (rest []*tested, stateful int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, t := range p.tests {
		switch {
		case !p.answered[t.name]:
			rest = append(rest, t)
		case t.stateful != "":
			waiting++
		}
	}
	return rest, waiting
}

// passed reports whether nothing but the end of the budget ended the exploration.
func (k *check) passed(tests []*tested) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !slices.ContainsFunc(tests, func(t *tested) bool {
		return len(t.answers) == 0 || slices.ContainsFunc(t.answers, func(a answer) bool { return a.Verdict != explore.Passed || a.Complete })
	})
}

func (k *check) isOver() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.over
}

// left is what is left of the budget.
func (k *check) left() time.Duration { return time.Until(k.deadline) }

func find(tests []*tested, name string) *tested {
	for _, t := range tests {
		if t.name == name {
			return t
		}
	}
	return nil
}

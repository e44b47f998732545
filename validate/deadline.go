package validate

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"sync"
	"time"

	"mendel/analysis/evidence"
	"mendel/internal/gotool"
)

// A test that takes a tenth of a second in the original and hangs with a patch would be waited
// for until the limit of the whole run. So each test has a deadline of its own, from what it
// took in the original. A machine that is busier than it was then refutes nothing: a hang counts
// if the goroutines' dump shows that none of them can go on, or if the test does not end either
// by itself, in many times what the original takes at that time.

const (
	// A test may take so many times as long as in the original, and no less than leastDeadline.
	deadlineFactor = 10
	leastDeadline  = 2 * time.Second
	// lookEvery is how often it is looked whether a test has gone on for too long.
	lookEvery = 100 * time.Millisecond
)

// deadlines have what tests took in the original. Of a test that is not among these nobody knows.
type deadlines map[string]time.Duration

// of is how long a test may take; 0: nobody knows.
func (d deadlines) of(test string) time.Duration {
	took, known := d[test]
	if !known {
		return 0
	}
	return max(deadlineFactor*took, leastDeadline)
}

// add takes in what another run took.
func (d deadlines) add(times map[string]time.Duration) {
	for name, took := range times {
		d[name] = max(d[name], took)
	}
}

// A lookout reads what a test binary prints, and finds the test that goes on for too long.
type lookout struct {
	limits func() deadlines // as far as they are known by now
	factor int              // that they are multiplied by

	mu      sync.Mutex
	rest    []byte               // the beginning of a line
	running map[string]time.Time // tests, and since when
}

// testStep matches what begins and ends the running of a top-level test, and the waiting of one
// that runs in parallel, as testEvent does.
var testStep = regexp.MustCompile(`\x16(?:=== (RUN|CONT|PAUSE) +|--- (?:PASS|FAIL|SKIP): )([\pL\pN_]+)(?:\s|$)`)

// reads takes a piece of the output.
func (l *lookout) reads(text []byte, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, text...)
	end := bytes.LastIndexByte(l.rest, '\n') + 1
	for _, m := range testStep.FindAllSubmatch(l.rest[:end], -1) {
		if step := string(m[1]); step == "RUN" || step == "CONT" {
			l.running[string(m[2])] = now
		} else {
			delete(l.running, string(m[2]))
		}
	}
	l.rest = slices.Clone(l.rest[end:])
}

// late is the test that has gone on for longer than it may; "": none.
func (l *lookout) late(now time.Time) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	limits, first := l.limits(), ""
	for name, since := range l.running {
		limit := time.Duration(l.factor) * limits.of(name)
		if limit > 0 && now.Sub(since) > limit && (first == "" || name < first) {
			first = name
		}
	}
	return first
}

// watched runs a test binary until one of its tests has gone on for too long. The run says which.
func (t *tester) watched(ctx context.Context, o gotool.RunOptions, limits func() deadlines, factor int) (testRun, error) {
	l := &lookout{limits: limits, factor: factor, running: map[string]time.Time{}}
	stalled, ended, looked := make(chan struct{}), make(chan struct{}), make(chan struct{})
	o.Reads, o.Stalled = func(text []byte) { l.reads(text, time.Now()) }, stalled
	late := ""
	go func() {
		defer close(looked)
		look := time.NewTicker(lookEvery)
		defer look.Stop()
		for late == "" {
			select {
			case <-ended:
				return
			case now := <-look.C:
				late = l.late(now)
			}
		}
		close(stalled)
	}()
	r, err := t.exec(ctx, o)
	close(ended)
	<-looked
	if err != nil {
		return testRun{}, err
	}
	run := newTestRun(r)
	if r.Stop == gotool.TimedOut {
		run.late = late
	}
	return run, nil
}

// within runs other tests on the patched program, each within its deadline. What is said to hang
// does: it was not only slow.
func (t *tester) within(ctx context.Context, tr *trial, names []string, timeout time.Duration) (testRun, error) {
	o := t.running(tr.patched, exactly(names))
	o.Timeout = timeout
	r, err := t.watched(ctx, o, func() deadlines { return t.rehearsal.times(tr.race) }, 1)
	if err != nil || r.late == "" || r.blocked() {
		return r, err
	}
	if hangs, err := t.hangs(ctx, tr, r.late); err != nil || hangs {
		return r, err
	}
	again, err := t.exec(ctx, o)
	return newTestRun(again), err
}

// blocked reports whether the dump of a run that was stopped shows that no goroutine can go on.
func (r testRun) blocked() bool {
	return r.Stop == gotool.TimedOut && slices.ContainsFunc(evidence.Parse(r.Output), func(f evidence.Failure) bool {
		return f.Kind == evidence.Deadlock || f.Kind == evidence.Blocked && !contends(f)
	})
}

// hangs runs a test that has not ended in time once more, after the same test of the original,
// which says how slow the machine is now. What does not end in the original is no fault of the patch.
func (t *tester) hangs(ctx context.Context, tr *trial, name string) (bool, error) {
	only := exactly([]string{name})
	original, err := t.build(ctx, "original", tr.race, t.original)
	if err != nil {
		return false, err
	}
	before, err := t.once(ctx, original, only)
	if err != nil || before.tests[name] == "" {
		return false, err
	}
	now := deadlines{name: max(before.times[name], t.rehearsal.times(tr.race)[name])}
	r, err := t.watched(ctx, t.running(tr.patched, only), func() deadlines { return now }, againFactor)
	if err != nil {
		return false, err
	}
	hangs := r.tests[name] == ""
	t.o.Log("%s did not end in time; it takes %.1f s in the original now, and by itself it %s",
		name, before.times[name].Seconds(), map[bool]string{true: "does not end with the patch", false: "ends with the patch"}[hangs])
	return hangs, nil
}

package validate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"mendel/fitness/noise"
	"mendel/internal/gotool"
)

// A rehearsal runs the package's other tests on the original while candidates are
// still looked for, because which of them the original passes depends on no
// candidate. It has the processors when nobody else wants them, and waits while
// time is measured.
type rehearsal struct {
	*tester
	remove func() error     // the binaries' directory
	known  [2]chan struct{} // closed when it is known what passes without and with the race detector
	ended  chan struct{}    // closed when all is known, or cannot be

	mu     sync.Mutex   // guards what follows
	plain  Binary       // nil: not built yet
	race   string       // likewise, with the race detector; "": not built yet
	learnt [2]*baseline // without and with the race detector; nil: not yet

	machine   sync.Mutex // held during a step, and by who wants to be alone
	next      sync.Mutex // guards interrupt; held until machine is, by who wants to be alone
	interrupt func()     // ends the step under way, or the next
	began     time.Time  // when it wanted to begin
}

// Rehearse begins to build the original's test binaries and to run its other
// tests, at a low priority, and returns at once. What is known when a validation
// asks for it need not be found out then. It must not be called during a
// validation. stop ends it, and must be called after the last validation.
func (v *Validator) Rehearse(ctx context.Context) (stop func()) {
	targets, err := v.targetNames()
	if v.o.Tool == nil || err != nil {
		return func() {}
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		v.o.Log("the original's other tests are run later: %v", err)
		return func() {}
	}
	r := &rehearsal{remove: remove, known: [2]chan struct{}{make(chan struct{}), make(chan struct{})}, ended: make(chan struct{}), interrupt: func() {}}
	r.tester = &tester{Validator: v, dir: dir, run: yielding(v.run)}
	v.rehearsal = r
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer close(r.ended)
		if err := r.rehearse(ctx, targets); err != nil && ctx.Err() == nil {
			v.o.Log("the original's other tests are run later: %v", err)
		}
	}()
	return sync.OnceFunc(func() {
		cancel()
		<-r.ended
		r.close()
	})
}

// targetNames matches the names of the top-level tests to be repaired.
func (v *Validator) targetNames() (*regexp.Regexp, error) {
	run, _, _ := strings.Cut(v.o.Program.Target.Run, "/")
	return regexp.Compile(run) // "": all of them
}

// yielding is how processes are run that leave the processors to others.
func yielding(run runFunc) runFunc {
	return func(ctx context.Context, o gotool.RunOptions) (gotool.RunResult, error) {
		return run(ctx, gotool.Yielding(o))
	}
}

// rehearse runs the original's other tests, first without the race detector.
func (r *rehearsal) rehearse(ctx context.Context, targets *regexp.Regexp) error {
	for _, race := range []bool{false, true} {
		if race && r.o.NoRace {
			return nil
		}
		bin, names, err := r.prepare(ctx, race, targets)
		if err != nil || len(names) == 0 {
			return err
		}
		results, err := r.runs(ctx, bin, names, race)
		if err != nil {
			return err
		}
		b := &baseline{}
		b.split(names, results)
		b.suspects, b.ignored = b.ignored, nil
		r.mu.Lock()
		r.learnt[mode(race)] = b
		r.mu.Unlock()
		close(r.known[mode(race)])
		r.o.Log("the original passes %d of %d other tests%s (%.1f s)",
			len(b.passing), len(names), map[bool]string{true: " with -race"}[race], longest(results).Seconds())
	}
	return nil
}

// prepare builds the original and lists its other tests.
func (r *rehearsal) prepare(ctx context.Context, race bool, targets *regexp.Regexp) (bin string, others []string, err error) {
	err = r.step(ctx, func(ctx context.Context) error {
		if err := r.buildPlain(ctx); err != nil {
			return err
		}
		if bin, err = r.build(ctx, "original", race, r.original); err != nil {
			return err
		}
		var all []string
		if all, _, err = r.list(ctx, bin); err != nil {
			return err
		}
		others = slices.DeleteFunc(all, func(name string) bool {
			return targets.MatchString(name) || slices.Contains(r.o.KnownFailing, name)
		})
		return nil
	})
	if err == nil && race {
		r.mu.Lock()
		r.race = bin
		r.mu.Unlock()
	}
	return bin, others, err
}

// buildPlain builds the original as a user would, once.
func (r *rehearsal) buildPlain(ctx context.Context) error {
	r.mu.Lock()
	built := r.plain != nil
	r.mu.Unlock()
	if built {
		return nil
	}
	b, err := r.o.Runner.Build(ctx, noise.Plain, nil)
	if err != nil {
		return fmt.Errorf("building the original: %w", err)
	}
	r.original = lent(b)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.plain = b
	return nil
}

// runs makes as many runs of tests as a baseline has. Slow tests are run once under the race
// detector, a part of them at a time.
func (r *rehearsal) runs(ctx context.Context, bin string, names []string, race bool) (results []testRun, err error) {
	one := func(names []string) (result testRun, err error) {
		err = r.step(ctx, func(ctx context.Context) error {
			result, err = r.whole(ctx, bin, names)
			return err
		})
		return result, err
	}
	if race && r.slow() {
		sum := testRun{tests: map[string]string{}, times: map[string]time.Duration{}}
		for _, share := range divide(names, testRun{}) {
			result, err := one(share)
			if err != nil {
				return nil, err
			}
			if sum.clean() {
				sum.RunResult = result.RunResult
			}
			maps.Copy(sum.tests, result.tests)
			maps.Copy(sum.times, result.times)
		}
		return []testRun{sum}, nil
	}
	return r.repeated(func() (testRun, error) { return one(names) }, nil)
}

// slow reports whether the tests have turned out to be slow without the race detector.
func (r *rehearsal) slow() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	var sum time.Duration
	for _, took := range r.learnt[0].times {
		sum += took
	}
	return sum > testsEnough
}

// step does something while nobody wants to be alone, and does it again if it was
// interrupted for that.
func (r *rehearsal) step(ctx context.Context, do func(context.Context) error) error {
	for {
		at, cancel := context.WithCancel(ctx)
		r.next.Lock()
		r.interrupt, r.began = cancel, time.Now()
		r.next.Unlock()
		r.machine.Lock()
		err := do(at)
		r.machine.Unlock()
		interrupted := at.Err() != nil
		cancel()
		if err == nil || !interrupted || ctx.Err() != nil {
			return err
		}
	}
}

// pause interrupts the rehearsal until resume is called. Without force, a step that
// has gone on for long goes on: others need its result more than quiet. It may be
// called on nil, but not by who has paused it.
func (r *rehearsal) pause(force bool) (resume func()) {
	if r == nil {
		return func() {}
	}
	r.next.Lock()
	defer r.next.Unlock()
	if !force && time.Since(r.began) > testsEnough {
		return func() {}
	}
	r.interrupt()
	r.machine.Lock()
	return r.machine.Unlock
}

// await waits for what is being found out about the tests with or without the race
// detector. It may be called on nil.
func (r *rehearsal) await(ctx context.Context, race bool) error {
	if r == nil {
		return nil
	}
	known := r.known[mode(race)]
	if race {
		select {
		case <-r.known[0]:
		default:
			return nil // it has not come to that
		}
	}
	select {
	case <-known:
	case <-r.ended:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// mode is the index of what is built with or without the race detector.
func mode(race bool) int {
	if race {
		return 1
	}
	return 0
}

// baseline is what is known of some other tests of the original; nil: nothing yet.
func (r *rehearsal) baseline(race bool, names []string) *baseline {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.learnt[mode(race)]
	if b == nil || !slices.Equal(slices.Sorted(slices.Values(names)), b.names()) {
		return nil
	}
	return &baseline{passing: b.passing, suspects: b.suspects, clean: b.clean}
}

// times are what the other tests take in the original, as far as that is known.
func (r *rehearsal) times(race bool) deadlines {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if b := r.learnt[mode(race)]; b != nil {
		return b.times
	}
	return nil
}

// raceBinary is the original's test binary with the race detector; "": there is none.
func (r *rehearsal) raceBinary() string {
	if r == nil {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.race
}

// program is the original, which is built already if it is known to be.
func (r *rehearsal) program(runner Runner) *program {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.plain != nil {
			return lent(r.plain)
		}
	}
	return &program{runner: runner}
}

// close removes the binaries. What was learnt stays.
func (r *rehearsal) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	if r.plain != nil {
		err = r.plain.Close()
	}
	r.plain, r.race = nil, ""
	if err := errors.Join(err, r.remove()); err != nil {
		r.o.Log("%v", err)
	}
}

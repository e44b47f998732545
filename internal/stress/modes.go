package stress

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
)

// A subject is a program that is built to be repeated.
type subject struct {
	o       Options
	tool    *gotool.Toolchain
	program *analysis.Program
	harness *noise.Harness
	checker *checker.Checker
	control *checker.Binary
	modes   []*mode
	groups  []*group // in the order in which they were seen
	end     time.Time

	log      *logger
	excluded excluded
	ignored  int // runs with races in excluded functions

	// Of a bisection:
	stop   func() bool                 // there is nothing more to do; nil: see over
	wanted func(evidence.Failure) bool // what ends a series of runs; nil: nothing
	enough int                         // runs that have to pass; 0: see left

	measured []noise.Outcome // the first ones, which say how long a run may take
}

// A mode is one way of running the tests, under way.
type mode struct {
	name    string
	run     func(ctx context.Context, m *mode, until time.Time) error // some runs
	binary  *noise.Binary                                             // of Plain and Noise
	tests   []*controlled                                             // of Controlled
	seed    uint64                                                    // of the next run
	runs    int
	failed  int
	seconds float64
	reason  string // why it goes on no more; "": it does
}

// open loads a program and builds it for the modes that are asked for.
func open(ctx context.Context, o Options) (*subject, error) {
	s := &subject{o: o}
	if err := s.open(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *subject) open(ctx context.Context) (err error) {
	t := s.o.target()
	if s.tool, err = gotool.Open(ctx, t.Dir); err != nil {
		return err
	}
	t.Dir = s.tool.Dir
	if s.program, err = analysis.Load(ctx, s.tool, t); err != nil {
		return err
	}
	if err := s.program.CheckRun(); err != nil {
		return err
	}
	s.excluded = excludedIn(s.program)
	s.o.Observer.Phase("building the tests")
	// Noise comes first: how long its runs take says how long plain ones may take.
	for _, name := range []string{Noise, Plain, Controlled} {
		if !slices.Contains(s.o.Modes, name) {
			continue
		}
		m := &mode{name: name, seed: s.o.Seed}
		if err := s.build(ctx, m); err != nil {
			return err
		}
		s.modes = append(s.modes, m)
	}
	return nil
}

// build builds the program for a mode.
func (s *subject) build(ctx context.Context, m *mode) error {
	if m.name == Controlled {
		m.run = s.explore
		return s.buildControlled(ctx, m)
	}
	m.run = s.native
	if s.harness == nil {
		n, err := analysis.Narrow(ctx, s.program)
		if err != nil {
			return err
		}
		s.harness, err = noise.New(noise.Config{
			Tool: s.tool, Program: s.program, Narrowing: n, Workers: s.o.Workers, Timeout: s.o.Timeout, NoRace: s.tool.RaceErr != nil,
		})
		if err != nil {
			return err
		}
	}
	how := noise.Plain
	if m.name == Noise {
		how = noise.Noised
	}
	var err error
	m.binary, err = s.harness.Build(ctx, how, nil)
	return buildFailure(err)
}

// buildControlled builds the program for the checker. That it cannot be controlled ends
// the mode alone.
func (s *subject) buildControlled(ctx context.Context, m *mode) error {
	var err error
	s.checker, err = checker.New(ctx, checker.Config{Tool: s.tool, Program: s.program, Workers: s.o.Workers})
	if err != nil {
		return err
	}
	s.control, err = s.checker.Build(ctx, nil)
	if unfit := (*checker.InstrumentError)(nil); errors.As(err, &unfit) {
		m.reason = unfit.Error()
		return nil
	}
	return buildFailure(err)
}

func buildFailure(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, gotool.ErrNoTests):
		return fmt.Errorf("nothing to run: %w", err)
	}
	return fmt.Errorf("build the tests: %w", err)
}

// close removes what was built. What cannot be removed changes nothing about what was seen.
func (s *subject) close() {
	if s.harness != nil {
		s.harness.Close()
	}
	if s.control != nil {
		s.control.Close()
	}
	if s.checker != nil {
		s.checker.Close()
	}
}

// turns is how many turns each mode has, if runs are short: what else the machine does
// then concerns all of them.
const turns = 10

// repeat runs the modes in turn until the budget is spent, or nothing is left to do.
func (s *subject) repeat(ctx context.Context, budget time.Duration) error {
	s.end = time.Now().Add(budget)
	turn := max(budget/time.Duration(turns*len(s.modes)), 50*time.Millisecond)
	for {
		waiting := false
		for _, m := range s.modes {
			if s.over() {
				return nil
			}
			if s.done(m) {
				continue
			}
			waiting = true
			began := time.Now()
			err := m.run(ctx, m, began.Add(turn))
			m.seconds += time.Since(began).Seconds()
			if err != nil {
				return err
			}
		}
		if !waiting {
			return nil
		}
	}
}

// over reports whether there is nothing more to do: no time, or a failure that is enough.
func (s *subject) over() bool {
	return !time.Now().Before(s.end) || s.o.First && len(s.groups) > 0 || s.stop != nil && s.stop()
}

// done reports whether a mode has had its runs.
func (s *subject) done(m *mode) bool {
	if m.reason != "" {
		return true
	}
	if m.name == Controlled {
		return m.tests != nil && !slices.ContainsFunc(m.tests, func(t *controlled) bool { return s.left(t.runs) > 0 && t.reason == "" })
	}
	return s.left(m.runs) == 0
}

// left is how many more runs there may be after some.
func (s *subject) left(runs int) int {
	if s.o.Runs == 0 {
		return maxBatch
	}
	return max(s.o.Runs-runs, 0)
}

// maxBatch is how many runs are begun together at most.
const maxBatch = 256

// hangFactor times what a run took in which all goroutines were found to be blocked is
// enough for one that nobody watches. Guessed, as the bound.
const (
	hangFactor = 10
	leastHang  = 5 * time.Second
)

// native makes runs with the real scheduler.
func (s *subject) native(ctx context.Context, m *mode, until time.Time) error {
	within, cancel := context.WithDeadline(ctx, s.end)
	defer cancel()
	for n := s.o.Workers; time.Now().Before(until) && !s.done(m) && !s.over(); n *= 2 {
		began := time.Now()
		n = min(n, s.left(m.runs), maxBatch)
		if s.enough > 0 {
			n = max(1, min(n, s.enough-(m.runs-m.failed)))
		}
		outcomes, err := s.harness.RunMany(within, m.binary, n, noise.RunOptions{
			Seed: m.seed, Quiet: m.name == Plain, Timeout: s.hang(m),
		}, s.ends)
		m.seed += uint64(len(outcomes))
		for _, o := range outcomes {
			s.note(m, o)
		}
		s.calibrate(m, outcomes)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case within.Err() != nil:
			return nil // the run that was under way does not count
		case err != nil:
			return err
		}
		if time.Since(began) > (until.Sub(began))/4 {
			n = max(n/4, (s.o.Workers+1)/2)
		}
	}
	return nil
}

// ends reports whether there are to be no more runs after one.
func (s *subject) ends(o noise.Outcome) bool {
	return s.o.First && len(o.Failures) > 0 || s.wanted != nil && slices.ContainsFunc(o.Failures, s.wanted)
}

// calibrateWith is how many runs tell how long one may take. Guessed.
const calibrateWith = 30

// calibrate learns from runs how long one may take: noised ones if there are any, which
// take longer.
func (s *subject) calibrate(m *mode, outcomes []noise.Outcome) {
	if m != s.modes[0] || len(s.measured) >= calibrateWith {
		return
	}
	s.measured = append(s.measured, outcomes...)
	s.harness.Calibrate(s.measured)
}

// hang is the time-out of a run, if noise has shown how long one may take until all are
// blocked, and nothing has shown how long it takes otherwise.
func (s *subject) hang(m *mode) time.Duration {
	if m.name != Plain || s.o.Timeout > 0 {
		return 0
	}
	var longest time.Duration
	for _, g := range s.groups {
		if g.hung == 0 {
			return 0
		}
		longest = max(longest, g.hung)
	}
	if longest == 0 {
		return 0
	}
	return max(hangFactor*longest, leastHang)
}

// note takes over what a run with the real scheduler has shown.
func (s *subject) note(m *mode, o noise.Outcome) {
	if o.Tests == 0 && len(o.Failures) == 0 {
		m.reason = "no test was run"
		return
	}
	m.runs++
	failures := slices.DeleteFunc(slices.Clone(o.Failures), s.excluded.races)
	s.log.native(m.name, o.Seed, failures)
	if len(failures) < len(o.Failures) {
		s.ignored++
	}
	if len(failures) == 0 {
		return
	}
	m.failed++
	for _, f := range failures {
		g := s.group(f, m.name)
		g.seen[m.name]++
		if o.Hung() && f.Kind == evidence.Deadlock {
			g.hung = max(g.hung, o.Elapsed)
		}
		if g.seed == nil && m.name == Noise {
			seed := o.Seed
			g.seed = &seed
		}
	}
}

// A group is failures with one signature.
type group struct {
	evidence.Failure
	tests    []string
	first    string         // mode in which it was seen first
	seen     map[string]int // runs, by mode
	seed     *uint64        // of a noised run that failed so
	schedule *checker.Failure
	hung     time.Duration // the longest run that was found to be deadlocked so
}

// group is the group of a failure, a new one if it was not seen before.
func (s *subject) group(f evidence.Failure, mode string) *group {
	i := slices.IndexFunc(s.groups, func(g *group) bool { return g.Signature == f.Signature })
	if i < 0 {
		i = len(s.groups)
		s.groups = append(s.groups, &group{Failure: f, first: mode, seen: map[string]int{}})
		s.o.Observer.Printf("%s: %s", mode, f.Message)
	}
	g := s.groups[i]
	if f.Test != "" && !slices.Contains(g.tests, f.Test) {
		g.tests = append(g.tests, f.Test)
	}
	return g
}

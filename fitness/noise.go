package fitness

// Scoring by noised runs: Kelk 2015, sections 4.2.2 and 4.2.6.
//
// Deviation: runs are abandoned early (see the package documentation). The
// score of an abandoned mutant is an estimate from fewer runs. Stopping when
// the first five pass not once takes a mutant that passes with probability p
// for a hopeless one with probability (1-p)^5: 0.03 at one run in two, 0.33 at
// one in five. Those are far from a fix, and a search that misjudges them now
// and then loses little. A mutant that always hangs scores the same 500 with 3
// runs as with 15. No such rule stops a mutant that only passes.
//
// Where the original fails in nearly all runs, the first failing run of a mutant
// is the last: whatever the others would show, it is no fix, and what it has
// mended of the failure shows in one run as well (slope.go). On real programs a
// run takes seconds, and four runs of a mutant that is no fix are those of four
// other mutants. The first run is made alone, for the same reason. And a mutant that
// only passes makes a part of the runs: 6 of 15. One that fails as often as an original
// that failed in 5 of 5 runs, at the lower 95 % bound, passes them with a chance of
// 0.8 %, in 3 of 3 runs with 6 %; validation, which follows, ends with its first failing run.
//
// Where it is known which of the package's tests fail in the original, two thirds of a
// mutant's runs, the first ones, make these tests alone: nearly all mutants are told by
// them, and the others may take many times as long.

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/mutate"
)

const (
	coreRuns      = 15  // Kelk 2015, table 4.11: ConTest runs
	timeoutWeight = 0.5 // same table

	hopeless    = 5 // runs without a pass after which no more are made; guessed: a third of CORE's
	maxTimeouts = 3 // guessed: no accident any more

	// An original that fails in nearly all of at least so many runs; guessed.
	nearlyAlways = 0.9
	leastTold    = 3
	// The part of its runs that a mutant of such an original makes if it only passes.
	toldPart, toldWhole = 2, 5
	// The part of a mutant's runs that make the failing tests alone; guessed.
	alonePart, aloneWhole = 2, 3

	maxSamples = 8 // enough for a report; signatures beyond are repeats of the same trouble
)

// A launcher builds mutants; it stands between scoring and *noise.Harness for tests.
type launcher interface {
	launch(ctx context.Context, files map[string][]byte) (program, error)
	// launchAll builds several in advance; nil: it is to be launched alone.
	launchAll(ctx context.Context, sets []map[string][]byte) []program
}

// A program is a built mutant.
type program interface {
	runMany(ctx context.Context, n int, o noise.RunOptions, stop func(noise.Outcome) bool) ([]noise.Outcome, error)
	Close() error
}

// noiseSource scores by noised runs. It always has an answer.
type noiseSource struct {
	stateless
	launcher launcher
	runs     int           // 0: coreRuns
	timeout  time.Duration // of one run; 0: the harness's
	seed     uint64
	prepared shelf[program]
	passed   shelf[Record] // what a sieve let through
	hopeless int           // runs that end the sample when none passes; 1: so does any failing one; 0: 5
	failing  string        // pattern of the tests that fail in the original; "": all, or it is not known
}

var _ Source = (*noiseSource)(nil)

// Certain reports whether a program fails under noise in nearly all runs, so that one run
// tells a mutant that is no fix.
func Certain(original *Result) bool { return hopelessAfter(original) == 1 }

// hopelessAfter is noiseSource.hopeless for mutants of a program; nil: it is not known.
func hopelessAfter(original *Result) int {
	if original == nil || original.Runs < leastTold {
		return hopeless
	}
	if float64(original.Runs-original.Passes) < nearlyAlways*float64(original.Runs) {
		return hopeless
	}
	return 1
}

func (s *noiseSource) Score(ctx context.Context, m *mutate.Mutant) (_ Record, _ bool, err error) {
	if r, ok := s.passed.take(m.Hash); ok {
		return r, true, nil
	}
	p, err := s.programOf(ctx, m)
	if err != nil {
		var refused *gotool.BuildError
		if errors.As(err, &refused) && ctx.Err() == nil {
			return Record{Result: Result{Refused: "does not build: " + refused.Error()}}, true, nil
		}
		return Record{}, false, fmt.Errorf("building: %w", err)
	}
	defer func() {
		if cerr := p.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("removing the test binary: %w", cerr)
		}
	}()
	outcomes, err := s.sample(ctx, p, firstSeed(s.seed, m.Hash))
	if err != nil {
		return Record{}, false, fmt.Errorf("running: %w", err)
	}
	return Record{Result: Summarise(outcomes)}, true, nil
}

// programOf is a mutant's program, prepared or built now.
func (s *noiseSource) programOf(ctx context.Context, m *mutate.Mutant) (program, error) {
	if p, ok := s.prepared.take(m.Hash); ok {
		return p, nil
	}
	return s.launcher.launch(ctx, m.Files)
}

// sample runs a program until its score is clear. stop is asked in the order of
// the seeds, so which runs count depends on their outcomes, not on their speed.
func (s *noiseSource) sample(ctx context.Context, p program, first uint64) ([]noise.Outcome, error) {
	want := cmp.Or(max(s.runs, 0), coreRuns)
	after := cmp.Or(s.hopeless, hopeless)
	if after == 1 {
		want = (want*toldPart + toldWhole - 1) / toldWhole
	}
	var made, passes, timeouts int
	clear := func(o noise.Outcome) bool {
		made++
		if o.Pass {
			passes++
		}
		if o.Kind() == evidence.Timeout {
			timeouts++
		}
		return passes < made && after == 1 || made >= after && passes == 0 || timeouts >= maxTimeouts
	}
	var outcomes []noise.Outcome
	ended := false
	// run makes runs of some tests until there are so many.
	run := func(pattern string, until int) error {
		if ended || made >= until {
			return nil
		}
		stop := func(o noise.Outcome) bool {
			ended = clear(o)
			return ended
		}
		more, err := p.runMany(ctx, until-made, noise.RunOptions{Seed: first + uint64(made), Timeout: s.timeout, Run: pattern}, stop)
		if pattern != "" {
			for i := range more {
				more[i].CPU = 0 // how far a run of all tests would have come is not known
			}
		}
		outcomes = append(outcomes, more...)
		return err
	}
	type part struct {
		pattern string
		until   int
	}
	parts := []part{{"", want}}
	if s.failing != "" {
		parts = []part{{s.failing, want * alonePart / aloneWhole}, {"", want}}
	}
	if after == 1 {
		parts = slices.Insert(parts, 0, part{s.failing, 1})
	}
	for _, next := range parts {
		if err := run(next.pattern, next.until); err != nil {
			return nil, err
		}
	}
	if len(outcomes) == 0 {
		return nil, errors.New("no run was made")
	}
	return outcomes, nil
}

// Summarise scores a program by runs already made, given in the order of
// their seeds: by it the original and its mutants are measured alike.
func Summarise(outcomes []noise.Outcome) Result {
	r := Result{Runs: len(outcomes), Failures: make(map[evidence.Kind]int)}
	var elapsed time.Duration
	var switches int64
	seen := make(map[string]bool)
	for _, o := range outcomes {
		if o.Pass {
			r.Passes++
			elapsed += o.Elapsed
			switches += o.Switches
			continue
		}
		switch kind := o.Kind(); kind {
		case "": // no test was run: no pass, and no failure of a kind
		case evidence.Timeout:
			r.Timeouts++
			fallthrough
		default:
			r.Failures[kind]++
		}
		for _, f := range o.Failures {
			if !seen[f.Signature] && len(r.Samples) < maxSamples {
				seen[f.Signature] = true
				r.Samples = append(r.Samples, f)
			}
		}
	}
	r.measureFailed(outcomes)
	if r.Passes > 0 {
		r.Elapsed = elapsed / time.Duration(r.Passes)
		r.Switches = float64(switches) / float64(r.Passes)
	}
	if r.Runs > 0 {
		r.Score = FullScore * (float64(r.Passes) + timeoutWeight*float64(r.Timeouts)) / float64(r.Runs)
	}
	return r
}

// firstSeed derives the seed of a mutant's first run; the others count on from it.
func firstSeed(run uint64, hash string) uint64 {
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(nil, run))
	h.Write([]byte(hash))
	return h.Sum64()
}

// harnessLauncher is the launcher of real runs.
type harnessLauncher struct{ harness *noise.Harness }

func (l harnessLauncher) launch(ctx context.Context, files map[string][]byte) (program, error) {
	b, err := l.harness.Obtain(ctx, noise.Noised, files)
	if err != nil {
		return nil, err
	}
	return harnessProgram{l.harness, b}, nil
}

func (l harnessLauncher) launchAll(ctx context.Context, sets []map[string][]byte) []program {
	programs := make([]program, len(sets))
	built, _ := l.harness.BuildAll(ctx, sets) // each build by itself says what is wrong
	for i, b := range built {
		if b != nil {
			programs[i] = harnessProgram{l.harness, b}
		}
	}
	return programs
}

type harnessProgram struct {
	harness *noise.Harness
	*noise.Binary
}

func (p harnessProgram) runMany(ctx context.Context, n int, o noise.RunOptions, stop func(noise.Outcome) bool) ([]noise.Outcome, error) {
	return p.harness.RunMany(ctx, p.Binary, n, o, stop)
}

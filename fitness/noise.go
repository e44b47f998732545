package fitness

// Scoring by noised runs: Kelk 2015, sections 4.2.2 and 4.2.6.
//
// Deviation: runs are abandoned early (see the package documentation). The
// score of an abandoned mutant is an estimate from fewer runs. Stopping when
// the first five pass not once takes a mutant that passes with probability p
// for a hopeless one with probability (1-p)^5: 0.03 at one run in two, 0.33 at
// one in five. Those are far from a fix, and a search that misjudges them now
// and then loses little. A mutant that always hangs scores the same 500 with 3
// runs as with 15. No rule stops a mutant that only passes, so a full score
// rests on all runs.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
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
	maxSamples  = 8 // enough for a report; signatures beyond are repeats of the same trouble
)

// A launcher builds mutants; it stands between scoring and *noise.Harness for tests.
type launcher interface {
	launch(ctx context.Context, files map[string][]byte) (program, error)
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
}

var _ Source = (*noiseSource)(nil)

func (s *noiseSource) Score(ctx context.Context, m *mutate.Mutant) (_ Record, _ bool, err error) {
	p, err := s.launcher.launch(ctx, m.Files)
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

// sample runs a program until its score is clear. stop is asked in the order of
// the seeds, so which runs count depends on their outcomes, not on their speed.
func (s *noiseSource) sample(ctx context.Context, p program, first uint64) ([]noise.Outcome, error) {
	want := s.runs
	if want <= 0 {
		want = coreRuns
	}
	var made, passes, timeouts int
	stop := func(o noise.Outcome) bool {
		made++
		if o.Pass {
			passes++
		}
		if o.Kind() == evidence.Timeout {
			timeouts++
		}
		return made >= hopeless && passes == 0 || timeouts >= maxTimeouts
	}
	outcomes, err := p.runMany(ctx, want, noise.RunOptions{Seed: first, Timeout: s.timeout}, stop)
	if err != nil {
		return nil, err
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
	b, err := l.harness.Build(ctx, noise.Noised, files)
	if err != nil {
		return nil, err
	}
	return harnessProgram{l.harness, b}, nil
}

type harnessProgram struct {
	harness *noise.Harness
	*noise.Binary
}

func (p harnessProgram) runMany(ctx context.Context, n int, o noise.RunOptions, stop func(noise.Outcome) bool) ([]noise.Outcome, error) {
	return p.harness.RunMany(ctx, p.Binary, n, o, stop)
}

package fitness

import (
	"context"
	"fmt"
	"sync"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/mutate"
)

// A fakeLauncher makes programs whose runs follow a script by their number.
type fakeLauncher struct {
	err    error                     // of launch
	runErr error                     // of runMany
	script func(i int) noise.Outcome // the i-th run, from 0

	mu       sync.Mutex
	launched int
	closed   int
	seeds    []uint64 // of all runs, in the order they were asked for
	options  noise.RunOptions
	patterns []string // of the tests, of each call of runMany
}

func (l *fakeLauncher) launch(ctx context.Context, files map[string][]byte) (program, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return nil, l.err
	}
	l.launched++
	return &fakeProgram{launcher: l}, nil
}

// launchAll launches the first two of several.
func (l *fakeLauncher) launchAll(ctx context.Context, sets []map[string][]byte) []program {
	programs := make([]program, len(sets))
	for i := range min(2, len(sets)) {
		if p, err := l.launch(ctx, sets[i]); err == nil {
			programs[i] = p
		}
	}
	return programs
}

type fakeProgram struct {
	launcher *fakeLauncher
	runs     int
}

// runMany runs one after the other, as a harness with one worker does.
func (p *fakeProgram) runMany(ctx context.Context, n int, o noise.RunOptions, stop func(noise.Outcome) bool) ([]noise.Outcome, error) {
	l := p.launcher
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.runErr != nil {
		return nil, l.runErr
	}
	l.options = o
	l.patterns = append(l.patterns, o.Run)
	var outcomes []noise.Outcome
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		outcome := l.script(p.runs)
		outcome.Seed = o.Seed + uint64(i)
		p.runs++
		l.seeds = append(l.seeds, outcome.Seed)
		outcomes = append(outcomes, outcome)
		if stop != nil && stop(outcome) {
			break
		}
	}
	return outcomes, nil
}

func (p *fakeProgram) Close() error {
	p.launcher.mu.Lock()
	defer p.launcher.mu.Unlock()
	p.launcher.closed++
	return nil
}

func pass() noise.Outcome { return noise.Outcome{Pass: true, Elapsed: 10, Switches: 4} }

func fails(kind evidence.Kind, signatures ...string) noise.Outcome {
	o := noise.Outcome{Elapsed: 1000, Switches: 1000}
	if len(signatures) == 0 {
		signatures = []string{string(kind)}
	}
	for _, s := range signatures {
		o.Failures = append(o.Failures, evidence.Failure{Kind: kind, Signature: s})
	}
	return o
}

// scripted scores with the outcomes in turn, from the beginning again when they are used up.
func scripted(outcomes ...noise.Outcome) *fakeLauncher {
	return &fakeLauncher{script: func(i int) noise.Outcome { return outcomes[i%len(outcomes)] }}
}

func evaluatorOf(l launcher, o Options) *Evaluator {
	e := NewEvaluator(o)
	e.sources = append(e.sources, &noiseSource{launcher: l, runs: o.Runs, timeout: o.Timeout, seed: o.Seed})
	return e
}

func mutant(i int) *mutate.Mutant { return &mutate.Mutant{Hash: fmt.Sprintf("%064x", i)} }

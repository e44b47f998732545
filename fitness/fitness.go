package fitness

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker/sched/explore"
	"mendel/fitness/noise"
	"mendel/mutate"
)

// FullScore is the score of a mutant all of whose runs passed.
const FullScore = 1000

// A Result is the score of a mutant and what it rests on.
type Result struct {
	Score    float64 // 0 to FullScore
	Runs     int     // noised runs made, at most Options.Runs; of the checker: executions sampled
	Passes   int
	Timeouts int
	Failures map[evidence.Kind]int // runs by their first failure's kind
	Samples  []evidence.Failure    // one per signature, at most 8, in the order of the runs
	Refused  string                // why it was not run: "does not build: ..."; else ""
	Elapsed  time.Duration         // mean of the passing runs, 0 when there are none
	Switches float64               // voluntary context switches, mean of the passing runs
	Cached   bool                  // an earlier evaluation of the same source was reused
	Recalled bool                  // it was not made by this evaluator: its memory knew it

	// What failed runs showed; see Slope. 0: it is not known, or none failed.
	Distinct float64 `json:",omitempty"` // failures of a failed run by signature, mean; of the checker: of all executions together
	Reached  float64 `json:",omitempty"` // how far runs came that a failure ended, mean: seconds of processor time; of the checker: steps

	// Where the checker judged:
	Verdict   explore.Verdict // "": noise did
	Schedules int             // made, of all tests
	Bound     int             // with explore.Exhausted: on preemptions, covered; -1: any number
}

// A Source of scores: noise, and model checking where there is a checker. It is
// safe for concurrent use.
type Source interface {
	// Score judges a mutant. ok is false when the source cannot tell and the
	// next one decides; what it has observed is in r either way. The error is
	// for a broken environment or ctx, never for a bad mutant.
	Score(ctx context.Context, m *mutate.Mutant) (r Record, ok bool, err error)
	// Learn takes in what was observed of a mutant that need not be scored again.
	Learn(m *mutate.Mutant, o Observations)
	// Prepare builds mutants together that are going to be scored. It may do
	// nothing: Score builds what is missing. The error is ctx's.
	Prepare(ctx context.Context, mutants []*mutate.Mutant) error
	// Decides reports whether it scores mutants as a rule, so that nothing has to be prepared
	// for the sources after it.
	Decides() bool
	// Release removes what was prepared and not scored.
	Release()
	// EndGeneration lets what a generation's mutants have shown count from now on.
	EndGeneration()
	// NoiseRefuted says that noised runs failed a mutant to which model checking
	// gave a full score.
	NoiseRefuted()
}

// stateless is embedded by a Source that has nothing to learn and to prepare.
type stateless struct{}

func (stateless) Learn(*mutate.Mutant, Observations)              {}
func (stateless) Prepare(context.Context, []*mutate.Mutant) error { return nil }
func (stateless) Decides() bool                                   { return false }
func (stateless) Release()                                        {}
func (stateless) EndGeneration()                                  {}
func (stateless) NoiseRefuted()                                   {}

// Options configure an Evaluator.
type Options struct {
	Harness *noise.Harness // nil: the sources in Before must judge every mutant
	Runs    int            // noised runs per mutant; 0: 15 (CORE)
	Timeout time.Duration  // of one run; 0: the harness's calibrated one
	Seed    uint64         // of the run; the seeds of a mutant's runs follow from it and the mutant's hash
	Before  []Source       // asked before noise, in order
	// NoiseFirst: only noise shows the failure, or shows it sooner. So it is asked first,
	// and those in Before judge what passes.
	NoiseFirst bool
	// Observe is called after each evaluation that was not cached, also if it was
	// recalled. Calls do not overlap. nil: nobody.
	Observe func(m *mutate.Mutant, r Result)
	Memory  Memory // nil: nothing is known, and nothing kept

	// Original is how the program without edits does under noise: where it hardly
	// ever passes, fewer runs of a mutant are enough. nil: it is not known.
	Original *Result
	// Failing are the tests that fail in the original under noise, by their top-level names, where others
	// are run besides: most runs of a mutant make them alone. nil: all fail, or it is not known which do.
	Failing []string
	// Veto says why a mutant can be no fix, whatever its runs would show; "": it
	// may be one. It is asked before anything is built, by several goroutines at
	// once, and more than once. nil: any may be. The error is for what could not
	// be decided, or ctx's.
	Veto func(ctx context.Context, m *mutate.Mutant) (string, error)
	// Excuse reports whether a mutant without a full score fails by nothing but what the original
	// shows, too, when it is asked. From then on runs and schedules leave that out, and the mutant is
	// scored again. It is asked by several goroutines at once. nil: nothing is excused.
	Excuse func(ctx context.Context, r Record) (bool, error)
}

// An Evaluator scores mutants and remembers the results by hash. It is safe for concurrent use.
type Evaluator struct {
	sources []Source
	memory  Memory
	veto    func(context.Context, *mutate.Mutant) (string, error) // nil: none
	excuse  func(context.Context, Record) (bool, error)           // nil: none

	observing sync.Mutex // serialises observe
	observe   func(*mutate.Mutant, Result)

	mu    sync.Mutex // guards calls
	calls map[string]*call
}

// A call is one evaluation, going on or done; failed ones are forgotten.
type call struct {
	done   chan struct{} // closed when result and err are set
	result Result
	err    error
}

// NewEvaluator returns an evaluator.
func NewEvaluator(o Options) *Evaluator {
	e := &Evaluator{
		sources: slices.Clone(o.Before),
		observe: o.Observe,
		memory:  o.Memory,
		veto:    o.Veto,
		excuse:  o.Excuse,
		calls:   make(map[string]*call),
	}
	if o.Harness != nil {
		noise := &noiseSource{
			launcher: harnessLauncher{o.Harness},
			runs:     o.Runs,
			timeout:  o.Timeout,
			seed:     o.Seed,
			hopeless: hopelessAfter(o.Original),
			failing:  noise.Only(o.Failing),
		}
		if o.NoiseFirst && len(o.Before) > 0 {
			e.sources = slices.Insert(e.sources, 0, Source(&sieve{noise: noise}))
		}
		e.sources = append(e.sources, noise)
	}
	return e
}

// Evaluate scores a mutant. When another caller is evaluating the same source
// it waits for that result. The error is for what could not be run at all, or ctx's.
func (e *Evaluator) Evaluate(ctx context.Context, m *mutate.Mutant) (Result, error) {
	for {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		c, mine := e.join(m.Hash)
		if mine {
			return e.do(ctx, m, c)
		}
		select {
		case <-ctx.Done():
			return Result{}, ctx.Err()
		case <-c.done:
		}
		if c.err == nil {
			r := c.result.clone()
			r.Cached = true
			return r, nil
		}
		// The other caller failed, perhaps only because its own context ended: try ourselves.
	}
}

// join returns the call for a hash, and whether the caller has to do it.
func (e *Evaluator) join(hash string) (c *call, mine bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c := e.calls[hash]; c != nil {
		return c, false
	}
	c = &call{done: make(chan struct{})}
	e.calls[hash] = c
	return c, true
}

// do evaluates a mutant for all that have joined the call.
func (e *Evaluator) do(ctx context.Context, m *mutate.Mutant, c *call) (Result, error) {
	c.err = errors.New("evaluation did not end") // remains only if a source panics
	defer func() {
		if c.err != nil {
			e.mu.Lock()
			delete(e.calls, m.Hash)
			e.mu.Unlock()
		}
		close(c.done)
	}()
	if c.result, c.err = e.score(ctx, m); c.err != nil {
		return Result{}, c.err
	}
	if e.observe != nil {
		e.observing.Lock()
		defer e.observing.Unlock()
		e.observe(m, c.result.clone())
	}
	return c.result.clone(), nil
}

// score recalls a mutant's score or, if it is not known, makes and keeps it.
func (e *Evaluator) score(ctx context.Context, m *mutate.Mutant) (Result, error) {
	if r, ok := e.recall(m); ok {
		return r, nil
	}
	r, err := e.ask(ctx, m)
	if err != nil {
		return Result{}, err
	}
	return r.Result, e.keep(m, r)
}

// forbidden says why a mutant is not run at all; "" if it is.
func (e *Evaluator) forbidden(ctx context.Context, m *mutate.Mutant) (string, error) {
	if e.veto == nil {
		return "", nil
	}
	why, err := e.veto(ctx, m)
	if cerr := ctx.Err(); err != nil && cerr != nil {
		return "", cerr
	}
	if err != nil {
		return "", fmt.Errorf("judging mutant %.12s by the rules: %w", m.Hash, err)
	}
	return why, nil
}

// ask takes the first source's answer, and the observations of all that were asked.
func (e *Evaluator) ask(ctx context.Context, m *mutate.Mutant) (Record, error) {
	why, err := e.forbidden(ctx, m)
	if why != "" || err != nil {
		return Record{Result: Result{Refused: why}}, err
	}
	var all Observations
	for _, s := range e.sources {
		r, ok, err := e.scoreBy(ctx, s, m)
		if cerr := ctx.Err(); err != nil && cerr != nil {
			return Record{}, cerr // whatever a source makes of being cancelled
		}
		if err != nil {
			return Record{}, fmt.Errorf("scoring mutant %.12s: %w", m.Hash, err)
		}
		all.add(r.Observations)
		if ok {
			return Record{r.Result, all}, nil
		}
	}
	return Record{}, fmt.Errorf("scoring mutant %.12s: no source could judge it", m.Hash)
}

// excuses is how often a mutant is scored again by one source at most.
const excuses = 3

// scoreBy is the score by one source, without what is excused.
func (e *Evaluator) scoreBy(ctx context.Context, s Source, m *mutate.Mutant) (r Record, ok bool, err error) {
	for range excuses {
		r, ok, err = s.Score(ctx, m)
		if !ok || err != nil || e.excuse == nil || r.Result.Score >= FullScore || len(r.Result.Samples) == 0 {
			return r, ok, err
		}
		again, err := e.excuse(ctx, r)
		if !again || err != nil {
			return r, ok, err
		}
	}
	return r, ok, err
}

// EndGeneration is to be called when a generation is complete: what it has shown
// counts for the next.
func (e *Evaluator) EndGeneration() {
	for _, s := range e.sources {
		s.EndGeneration()
	}
}

// NoiseRefuted is to be called when noised runs failed a mutant to which model
// checking gave a full score.
func (e *Evaluator) NoiseRefuted() {
	for _, s := range e.sources {
		s.NoiseRefuted()
	}
}

// clone lets callers change a result without changing the remembered one.
func (r Result) clone() Result {
	r.Failures = maps.Clone(r.Failures)
	r.Samples = slices.Clone(r.Samples)
	return r
}

package fitness

// Scoring by bounded model checking, before noise: the hybrid of CORE-MC (Kelk
// 2015, section 4.2.2; off after ten time-outs: table 4.11 and its text).
//
// CORE-MC scores a failing mutant by how deep the checker got: 1000 × depth of
// the first error / depth bound. Depth says little here, where every execution
// runs to its end. What corresponds is how many schedules there are before one
// fails, in two magnitudes:
//
//   - Of a sample of random executions some fail: 1000 × passed / sampled, the
//     measure that noise takes too. Where several tests fail in the original, it is
//     the mean over them, so that to mend some of them counts.
//   - All of the sample pass, and a failure is found by the search after it, in
//     the n-th of at most N schedules: the failing one counts as one more of the
//     sample, passed to the degree n/(N+1). The score rises with n and is never full.
//
// Deviation: where CORE lets noise decide whenever its checker finds nothing,
// here a mutant that passes everything has a full score without a noised run,
// provided that the checker does see the failure of the original. Only
// validation makes of it a fix, and that asks noise. When noise refutes what
// the checker passed (NoiseRefuted), noise scores what it passes from then on.
//
// An execution of a mutant that goes on for ever is cut off after a number of
// steps: CORE's time-out, at a multiple of what the original needs. It counts
// nothing. The half point that CORE gives a time-out is for programs that may
// only be slow on a busy machine; steps do not depend on the machine, and a
// mutant that spins would overtake those on the way to a fix. See hangs.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/internal/gotool"
	"mendel/mutate"
)

const (
	defaultSample    = 30               // twice the noised runs; hardly costs anything beside the build
	defaultSchedules = 1000             // measured: on the subjects a tenth to half of the time of the build
	defaultBudget    = 10 * time.Second // far more than the schedules take, or the score would depend on it

	maxCheckTimeouts = 10  // Kelk 2015, table 4.11
	maxCutOff        = 3   // mutants of which no execution ends, before more are judged by noise; guessed
	maxFollowed      = 8   // schedules that are shown to a mutant first; guessed
	maxRemembered    = 200 // mutants whose failing schedules are kept; guessed

	// An execution of a mutant is given so many times the steps of a mean one of
	// the original, and at least so many. Both are guessed: the original's may
	// end early, by its failure, and executions of several tests differ; those
	// of the subjects' corrected copies have 30 to 1,600 steps.
	stepsFactor = 100
	leastSteps  = 20_000
	// Where the original ends early by its failure, that may be too few. A mutant none
	// of whose executions ends is given longerFactor times as many, if it ends with
	// these in a few probes. Guessed.
	longerFactor = 10
	probes       = 2
	// Executions of so many steps are slow: a noised run takes a fraction of their time.
	// Guessed: a step takes some 30 µs.
	slowSteps = 5_000
	// Of a sample so many steps at most are made, as the original's executions say, but
	// leastSample executions. Both are guessed.
	sampleSteps = 100_000
	leastSample = 6
	// nearlyAll of a sample passing leaves it to noise whether the others hang.
	nearlyAll = 0.9
)

// A Checker explores the schedules of the program with some files replaced
// (absolute name to source; nil: the original). What does not build is a
// *gotool.BuildError; any other error is for what could not be run, or ctx's.
type Checker interface {
	Check(ctx context.Context, files map[string][]byte, s checker.Search) (*checker.Report, error)
}

// CheckerOptions configure a CheckerSource.
type CheckerOptions struct {
	Checker Checker
	// BuildAll builds several programs in advance, at less cost than one by one; see
	// CheckerSource.Prepare. The error is ctx's, or of what could not be run at
	// all. nil: each is built by Checker.
	BuildAll  func(ctx context.Context, sets []map[string][]byte) ([]Built, error)
	Sample    int           // executions of each test that measure how often it fails; 0: 30
	Schedules int           // of each test at most, in all; 0: 1000
	Budget    time.Duration // for one mutant, a guard; 0: 10 s
	Seed      uint64

	// Original is what the checker says of the original. Where it failed, its
	// schedules are the first that a mutant has to pass; where it did not, the
	// checker does not see the failure, and only its failures count: what
	// passes is scored by noise.
	Original *checker.Report
	// Alone: noise does not show the failure, so that it may not decide either.
	// What the checker cannot judge is refused.
	Alone bool
	// Left names goroutines that each run of the original leaves blocked, as
	// noise.Left does: the checker does not decide on mutants that leave them.
	Left []string
	Log  func(format string, args ...any) // one line, no newline; nil: nobody
}

// A CheckerSource scores by bounded model checking. It is safe for concurrent use.
type CheckerSource struct {
	o     CheckerOptions
	steps int // of one execution of a mutant; 0: the checker's default
	slow  bool
	// failing are the tests that fail in the original, unless all do: what does not mend
	// any of them need not be tried with the others.
	failing []string

	prepared shelf[Built]

	mu         sync.Mutex       // guards what follows
	ends       bool             // an execution has passed within steps, of the original or in an earlier generation
	ended      bool             // likewise, in this one
	fresh      []counterexample // of this generation
	remembered []counterexample // of earlier ones, the latest last
	timeouts   int
	cutOffs    int
	off        string // why no mutant is checked any more
	refuted    bool   // NoiseRefuted was called
	trusted    bool   // a pass is a full score
}

// A counterexample is a schedule that a mutant fails.
type counterexample struct {
	hash     string
	edits    []mutate.Edit
	schedule checker.Schedule
}

var _ Source = (*CheckerSource)(nil)

// NewCheckerSource returns a source for Options.Before.
func NewCheckerSource(o CheckerOptions) *CheckerSource {
	o.Sample = cmp.Or(o.Sample, defaultSample)
	o.Schedules = cmp.Or(o.Schedules, defaultSchedules)
	o.Budget = cmp.Or(o.Budget, defaultBudget)
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	s := &CheckerSource{o: o}
	if r := o.Original; r != nil {
		s.trusted = r.Verdict == explore.Failed
		if r.Kinds[sched.Timeout] == 0 && r.Verdict != explore.Inconclusive && r.Schedules > 0 {
			mean := r.Steps / r.Schedules
			s.steps = max(leastSteps, stepsFactor*mean)
			s.o.Sample = min(s.o.Sample, max(leastSample, sampleSteps/max(1, mean)))
			s.slow = mean >= slowSteps
			s.ends = r.Passed > 0
		}
		if failing := failingTests(r); s.trusted && len(failing) < explored(r) {
			s.failing = failing
		}
	}
	return s
}

// Search is how the source explores the original: as it does mutants, so that
// both are measured alike, but to the end.
func (o CheckerOptions) Search() checker.Search {
	s := NewCheckerSource(o).search(&mutate.Mutant{})
	s.All = true
	return s
}

// Original is the score of the original. ok is false when the checker does not
// see it fail: mutants are measured by noise then.
func (s *CheckerSource) Original() (r Result, ok bool) {
	if !s.believes() {
		return Result{}, false
	}
	return s.judge(s.o.Original), true
}

// Slow reports whether executions of the original are so long that a noised run tells
// sooner what is no fix.
func (s *CheckerSource) Slow() bool { return s.slow }

// Score explores a mutant: first the schedules that failed the mutants it was
// made from and the original, then a sample, then a bounded search.
func (s *CheckerSource) Score(ctx context.Context, m *mutate.Mutant) (r Record, ok bool, err error) {
	if s.Off() != "" {
		return Record{}, false, nil
	}
	report, err := s.check(ctx, m)
	if cerr := ctx.Err(); cerr != nil {
		return Record{}, false, cerr
	}
	if err != nil {
		return s.broken(m, err)
	}
	report = Believe(report, s.o.Original, s.o.Left)
	r.Result, ok = s.judge(report), true
	o := &r.Observations
	o.Ended = report.Passed > 0
	switch report.Verdict {
	case explore.Failed:
		for _, f := range report.Failures {
			o.Schedules = append(o.Schedules, f.Schedule)
		}
	case explore.Exhausted, explore.Covered, explore.Passed:
		ok = s.believes()
	default:
		if !s.hangs(report) {
			o.TimedOut, o.CutOff = report.TimedOut, s.cutOff(report) && report.Passed == 0
			r.Result, ok = s.undecided("the checker cannot tell: " + report.Reason)
		}
	}
	s.Learn(m, *o)
	return r, ok, nil
}

// check explores a mutant, in the binary that was prepared for it if there is one.
func (s *CheckerSource) check(ctx context.Context, m *mutate.Mutant) (*checker.Report, error) {
	b, ok := s.prepared.take(m.Hash)
	if !ok {
		return s.o.Checker.Check(ctx, m.Files, s.search(m))
	}
	if b.Err != nil {
		return nil, b.Err
	}
	report, err := s.explore(ctx, b.Program, m)
	if cerr := b.Program.Close(); err == nil && cerr != nil {
		return nil, cerr
	}
	return report, err
}

// explore explores a mutant by a sample of the tests that fail in the original and,
// if it does any better there than that, by all tests.
func (s *CheckerSource) explore(ctx context.Context, p Program, m *mutate.Mutant) (*checker.Report, error) {
	search := s.search(m)
	if len(s.failing) > 0 {
		sample := search
		sample.Tests, sample.Schedules = s.failing, min(search.Schedules, maxFollowed+search.Sample)
		report, err := p.Check(ctx, sample)
		if err != nil || report.Verdict == explore.Failed && s.judge(report).Score <= s.judge(s.o.Original).Score {
			return report, err
		}
	}
	report, err := p.Check(ctx, search)
	if err != nil || !s.cutOff(report) {
		return report, err
	}
	search.Steps *= longerFactor
	probe := search
	probe.Sample, probe.Schedules = probes, probes
	r, err := p.Check(ctx, probe)
	switch {
	case err != nil || r.Kinds[sched.Timeout] > 0:
		return report, err
	case r.Verdict == explore.Inconclusive: // as when an execution takes all of the time: it is not known whether it ends
		return r, nil
	}
	return p.Check(ctx, search)
}

// cutOff reports whether nothing but the bound on steps kept the checker from a
// verdict.
func (s *CheckerSource) cutOff(report *checker.Report) bool {
	return s.steps > 0 && report.Verdict == explore.Inconclusive && !report.TimedOut &&
		report.Kinds[sched.Timeout] > 0 && report.Kinds[sched.Timeout] == report.Sampled-report.Passed
}

// judge is the score of a program by a report.
func (s *CheckerSource) judge(report *checker.Report) Result {
	failing := 1
	if s.o.Original != nil {
		failing = len(failingTests(s.o.Original))
	}
	return Judge(report, s.o.Schedules, failing)
}

// failingTests are those that a report says fail.
func failingTests(report *checker.Report) (names []string) {
	for _, t := range report.Tests {
		if t.Verdict == explore.Failed {
			names = append(names, t.Name)
		}
	}
	return names
}

// hangs reports whether an inconclusive report is one of a mutant that does not
// end. It is when executions of a complete sample reached the bound on steps,
// no other trouble kept the checker from its verdict, and it is known that
// executions can end within the bound: the original's did, or the mutant's
// own, or those of mutants of earlier generations. A few that do not end are
// left to noise: they may be unfair schedules of a program that is right.
func (s *CheckerSource) hangs(report *checker.Report) bool {
	hung := report.Kinds[sched.Timeout]
	if s.steps == 0 || hung == 0 || hung != report.Sampled-report.Passed || report.TimedOut || report.PerProcess ||
		report.Sampled < s.o.Sample*explored(report) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if report.Passed == 0 {
		return s.ends
	}
	return float64(report.Passed) < nearlyAll*float64(report.Sampled)
}

// broken judges an error of the checker that is not ctx's: noise will see
// whether the mutant or the environment is to blame.
func (s *CheckerSource) broken(m *mutate.Mutant, err error) (r Record, ok bool, _ error) {
	var refused *gotool.BuildError
	if errors.As(err, &refused) {
		r.Result, ok = s.undecided("does not build: " + refused.Error())
		return r, ok, nil
	}
	if s.o.Alone {
		return Record{}, false, fmt.Errorf("checking: %w", err)
	}
	r.Observations.Broken = err.Error()
	s.Learn(m, r.Observations)
	return r, false, nil
}

// undecided leaves a mutant to noise or, where noise is blind, refuses it.
func (s *CheckerSource) undecided(why string) (Result, bool) {
	s.o.Log("%s", why)
	return Result{Refused: why}, s.o.Alone
}

// Judge is the score of a program by a report of at most limit schedules of
// each test, where so many tests fail in the original. Without a verdict it is a
// Result with Refused set, unless executions of the sample did not end: then it is
// scored by the others.
func Judge(report *checker.Report, limit, failing int) Result {
	r := Result{Verdict: report.Verdict, Bound: report.Bound, Schedules: report.Schedules, Failures: map[evidence.Kind]int{}}
	for _, f := range report.Failures {
		if len(r.Samples) < maxSamples {
			r.Samples = append(r.Samples, f.Failure)
		}
	}
	r.measureReport(report)
	// Of several tests any may fail, as in a noised run, which makes them all.
	r.Runs = report.Sampled / max(1, explored(report))
	failed := min(report.Sampled-report.Passed, r.Runs)
	r.Passes = r.Runs - failed
	switch {
	case report.Verdict == explore.Inconclusive && report.Kinds[sched.Timeout] == 0:
		r.Refused = "the checker cannot tell: " + report.Reason
	case report.Verdict.Good():
		r.Score = FullScore
	case failed > 0:
		r.Score = FullScore * (1 - lost(report, float64(failed)/float64(r.Runs), failing))
		for kind, n := range report.Kinds {
			r.Failures[evidence.Kind(kind)] = min(n, r.Runs)
		}
		r.Timeouts = r.Failures[evidence.Timeout]
	default:
		first := report.Failures[0]
		passed := float64(r.Runs) + float64(min(first.Nth, limit))/float64(limit+1)
		r.Runs++
		r.Score = FullScore * passed / float64(r.Runs)
		r.Failures[first.Kind] = 1
	}
	return r
}

// lost is what part of the executions of a sample failed, in the mean over the tests
// that fail in the original, or in the program if these are more. all is what part
// of runs that make all tests would fail.
func lost(report *checker.Report, all float64, failing int) float64 {
	sum, tests := 0.0, 0
	for _, t := range report.Tests {
		if t.Sampled > t.Passed {
			sum += 1 - float64(t.Passed)/float64(t.Sampled)
			tests++
		}
	}
	if tests == 0 || max(failing, tests) == 1 {
		return all
	}
	return sum / float64(max(failing, tests))
}

// explored counts the tests that were not skipped.
func explored(report *checker.Report) int {
	n := 0
	for _, t := range report.Tests {
		if !t.Skipped && t.Schedules > 0 {
			n++
		}
	}
	return n
}

// sampled is what all mutants' samples are drawn from: with the same seed, what an
// execution of one came to can be known of another (package incremental).
const sampled = "sample"

func (s *CheckerSource) search(m *mutate.Mutant) checker.Search {
	return checker.Search{
		Budget: s.o.Budget, Schedules: s.o.Schedules, Sample: s.o.Sample, Steps: s.steps,
		Seed: firstSeed(s.o.Seed, sampled), First: s.First(m),
	}
}

// First are the schedules that a mutant is shown first, at most 8: the
// counterexamples of mutants whose edits are among its own, the most edits
// first, then the original's. A generation learns from those before it, not from
// itself, so that it does not matter which of two mutants is scored first.
func (s *CheckerSource) First(m *mutate.Mutant) []checker.Schedule {
	s.mu.Lock()
	defer s.mu.Unlock()
	var parents []counterexample
	for _, r := range slices.Backward(s.remembered) {
		if mutate.HasAll(m.Edits, r.edits) {
			parents = append(parents, r)
		}
	}
	slices.SortStableFunc(parents, func(a, b counterexample) int { return len(b.edits) - len(a.edits) })
	var first []checker.Schedule
	add := func(c checker.Schedule) {
		if len(first) < maxFollowed && c.Choices != "" && !slices.Contains(first, c) {
			first = append(first, c)
		}
	}
	for i := 0; i < min(len(parents), maxFollowed/2); i++ {
		add(parents[i].schedule)
	}
	if s.o.Original != nil {
		for _, f := range s.o.Original.Failures {
			add(f.Schedule)
		}
	}
	return first
}

// EndGeneration ends a generation. What it showed counts for the next: its
// counterexamples, and a NoiseRefuted.
func (s *CheckerSource) EndGeneration() {
	s.mu.Lock()
	defer s.mu.Unlock()
	// They came in the order in which their scoring happened to end.
	slices.SortStableFunc(s.fresh, func(a, b counterexample) int { return cmp.Compare(a.hash, b.hash) })
	s.remembered = append(s.remembered, s.fresh...)
	if extra := len(s.remembered) - maxRemembered; extra > 0 {
		s.remembered = slices.Delete(s.remembered, 0, extra)
	}
	s.fresh = nil
	s.ends = s.ends || s.ended
	if s.refuted && s.trusted {
		s.trusted = false
		s.o.Log("noise has refuted a mutant that the checker passed: from now on noise scores what it passes")
	}
}

// NoiseRefuted says that noise refuted a mutant with a full score from this
// source. From the next generation on noise scores what the checker passes.
func (s *CheckerSource) NoiseRefuted() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuted = !s.o.Alone
}

// believes reports whether a pass is a full score.
func (s *CheckerSource) believes() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trusted
}

// Off says why no mutant is checked any more, "" while they are.
func (s *CheckerSource) Off() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.off
}

// countTimeout switches the source off after too many time-outs: each costs
// the whole budget. Time-outs depend on the machine, so it may do so at once.
func (s *CheckerSource) countTimeout() {
	if s.o.Alone {
		return
	}
	s.mu.Lock()
	s.timeouts++
	n := s.timeouts
	s.mu.Unlock()
	if n >= maxCheckTimeouts {
		s.switchOff(fmt.Sprintf("%d mutants timed out", n))
	}
}

// countCutOff switches the source off when no execution of some mutants has ended, nor one of another
// program: the tests take more steps than there are, and each mutant costs the whole budget to no end.
func (s *CheckerSource) countCutOff() {
	if s.o.Alone {
		return
	}
	s.mu.Lock()
	s.cutOffs++
	n := s.cutOffs
	known := s.ends || s.ended
	s.mu.Unlock()
	if n >= maxCutOff && !known {
		s.switchOff(fmt.Sprintf("no execution of %d mutants has ended within the bound on steps", n))
	}
}

func (s *CheckerSource) switchOff(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.off == "" {
		s.off = why
		s.o.Log("the checker is switched off: %s", why)
	}
}

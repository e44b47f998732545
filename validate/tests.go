package validate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/conc/pool"

	"mendel/analysis/evidence"
	"mendel/internal/gotool"
	"mendel/mutate"
)

const (
	// testsEnough ends the repetition of slow tests. Guessed.
	testsEnough = 3 * time.Second
	// blameRounds is how often tests that turn out to be flaky on the original
	// too are left out before the patch is blamed after all; blameRuns how
	// often the original is tried again for that, alone and then so many at
	// once, unless blameTime is over: to lose a fix costs more.
	blameRounds = 3
	blameRuns   = 50
	blameAlone  = 10
	blameAtOnce = 4
	blameTime   = 20 * time.Second
)

// A tester runs the tests of one mutant and of the original.
type tester struct {
	*Validator
	dir               string
	mutant            *mutate.Mutant
	original, patched *program
	atOnce            bool // the runs of the tests to be repaired, as noise makes them too
	run               runFunc
}

// A runFunc runs a test binary, as gotool.Run does.
type runFunc func(context.Context, gotool.RunOptions) (gotool.RunResult, error)

func (j *job) newTester(m *mutate.Mutant, original, patched *program) (t *tester, remove func() error, err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, nil, fmt.Errorf("running the package's tests: %w", err)
	}
	return &tester{
		Validator: j.Validator, dir: dir, mutant: m,
		original: original, patched: patched, atOnce: j.o.AtOnce, run: j.run,
	}, remove, nil
}

// A trial is the tests with or without the race detector, the targets passed.
type trial struct {
	race    bool
	patched string   // binary
	all     []string // names
	targets []string
	again   []string // targets that depend on time and have failed beside other checks
	runs    int      // of the targets
	benches bool     // there are benchmarks

	early attempt // at the other tests, while other checks went on
}

// beginBoth runs the tests to be repaired without and with the race detector.
func (t *tester) beginBoth(ctx context.Context) (trials [2]*trial, err error) {
	for i, race := range []bool{false, true} {
		if trials[i], err = t.begin(ctx, race, func() {}); err != nil {
			return trials, err
		}
	}
	return trials, nil
}

// begin runs the tests to be repaired. The trial is nil when they cannot be. built is called
// when they are built, or are not to be, and may be called twice.
func (t *tester) begin(ctx context.Context, race bool, built func()) (*trial, error) {
	defer built()
	if t.o.Tool == nil || race && t.o.NoRace {
		return nil, nil
	}
	patched, err := t.build(ctx, "patched", race, t.patched)
	built()
	var broken *gotool.BuildError
	if errors.As(err, &broken) {
		return nil, &Rejected{Mutant: t.mutant, Stage: StageTests, Reason: "does not build: " + err.Error()}
	}
	if err != nil {
		return nil, err
	}
	tr := &trial{race: race, patched: patched}
	if tr.all, tr.benches, err = t.list(ctx, patched); err != nil {
		return nil, err
	}
	return tr, t.targets(ctx, tr)
}

// finish runs the other tests, and by themselves those that depend on time and
// have failed, delayed by noise or by other checks. It sums up.
func (t *tester) finish(ctx context.Context, trials [2]*trial, delayed []string) (TestCheck, error) {
	if t.o.Tool == nil {
		return TestCheck{Check: Check{Skipped, "no go command at hand"}}, nil
	}
	sum := TestCheck{Check: Check{Verdict: Passed}}
	for _, tr := range trials {
		if tr == nil {
			sum.Detail = "not under the race detector, which cannot be built here"
			continue
		}
		if !tr.race {
			tr.again = append(tr.again, delayed...)
		}
		ignored, err := t.alone(ctx, tr.patched, tr.again)
		if err != nil {
			return TestCheck{}, err
		}
		names, _ := t.otherNames(tr)
		b, late, err := t.others(ctx, tr, names)
		if err != nil {
			return TestCheck{}, err
		}
		sum.Ignored = append(sum.Ignored, ignored...)
		t.add(&sum, tr, b, late)
	}
	return sum.sorted(), nil
}

// finished is what finish would say if no test needs to be run again or by itself; ok is false
// if one does.
func (t *tester) finished(trials [2]*trial, delayed []string) (sum TestCheck, ok bool) {
	sum.Verdict = Passed
	for i, tr := range trials {
		if tr == nil && i == 1 && t.o.NoRace {
			sum.Detail = "not under the race detector, which cannot be built here"
			continue
		}
		if tr == nil || len(tr.again) > 0 || len(delayed) > 0 || !tr.early.passed {
			return TestCheck{}, false
		}
		if names, _ := t.otherNames(tr); len(without(names, tr.early.names)) > 0 {
			return TestCheck{}, false
		}
		t.add(&sum, tr, &baseline{passing: without(tr.early.names, tr.early.late)}, tr.early.late)
	}
	return sum.sorted(), true
}

// add takes in the tests without or with the race detector.
func (t *tester) add(sum *TestCheck, tr *trial, b *baseline, late []string) {
	sum.Tests = max(sum.Tests, len(tr.targets)+len(b.passing))
	if !tr.race {
		sum.Plain = tr.runs
	} else if sum.Race = tr.runs; len(late) > 0 {
		sum.Detail = fmt.Sprintf("but not all under the race detector: %s had not ended in the time that there was", strings.Join(late, ", "))
	}
	_, known := t.otherNames(tr)
	sum.Ignored = slices.Concat(sum.Ignored, known, b.ignored)
}

// sorted is the check with the names in order, each once.
func (c TestCheck) sorted() TestCheck {
	slices.Sort(c.Ignored)
	c.Ignored = slices.Compact(c.Ignored)
	return c
}

// otherNames are the tests besides those to be repaired; known are more, which are
// known to fail on the original.
func (t *tester) otherNames(tr *trial) (others, known []string) {
	others = without(tr.all, tr.targets)
	known = slices.DeleteFunc(slices.Clone(others), func(name string) bool {
		return !slices.Contains(t.o.KnownFailing, name) && !slices.Contains(t.leftOut(), name)
	})
	return without(others, known), known
}

// targets runs the tests to be repaired, which must pass.
func (t *tester) targets(ctx context.Context, tr *trial) (err error) {
	pattern := t.o.Program.Target.Run
	if pattern == "" {
		pattern = "."
	}
	var results []testRun
	if t.atOnce {
		results, err = t.repeatAtOnce(ctx, tr.patched, pattern)
	} else {
		results, err = t.repeat(ctx, tr.patched, pattern)
	}
	if err != nil {
		return err
	}
	for i, r := range results {
		if len(tr.targets) == 0 {
			tr.targets = slices.Sorted(maps.Keys(r.tests))
		}
		switch bad := r.failing(tr.targets); {
		case t.disturbed(r, bad):
			tr.again = append(tr.again, bad...)
		case len(bad) > 0 || !r.clean():
			return t.rejected(r, bad, i)
		}
	}
	tr.runs = len(results)
	return nil
}

// rejected words a run with failing tests.
func (t *tester) rejected(r testRun, bad []string, passed int) *Rejected {
	f := r.failure(bad)
	reason := fmt.Sprintf("without noise, run %d: %s", passed+1, f.Message)
	return &Rejected{Mutant: t.mutant, Stage: StageTests, Reason: reason, Failure: &f, Passed: passed}
}

// build builds the test binary of the mutant or of the original.
func (t *tester) build(ctx context.Context, name string, race bool, p *program) (string, error) {
	if race {
		if bin := t.rehearsal.raceBinary(); p == t.original && bin != "" {
			return bin, nil
		}
		name += "-race"
	} else if b, err := p.build(ctx); err != nil {
		return "", err
	} else if b.Path() != "" {
		return b.Path(), nil
	}
	out := filepath.Join(t.dir, name+".test")
	target := t.o.Program.Target
	defer t.o.Builds.Begin()()
	t.o.Builds.Linked("with -race")
	err := t.o.Tool.BuildTest(ctx, gotool.BuildOptions{
		Package: target.Package,
		Flags:   target.Flags,
		Race:    race,
		Overlay: gotool.Overlay(p.files),
		Output:  out,
	})
	if err != nil {
		return "", fmt.Errorf("building the package's tests: %w", err)
	}
	t.o.Builds.Built(1)
	return out, nil
}

// testName is what go test -list prints of a test that go test runs.
var testName = regexp.MustCompile(`^(Test|Example|Fuzz)[\pL\pN_]*$`)

// benchmarkName is what it prints of a benchmark.
var benchmarkName = regexp.MustCompile(`^Benchmark[\pL\pN_]*$`)

// list lists the top-level tests of a binary, sorted, and reports whether it has
// benchmarks too.
func (t *tester) list(ctx context.Context, bin string) (tests []string, benches bool, err error) {
	r, err := t.exec(ctx, gotool.RunOptions{Path: bin, Args: []string{"-test.list=."}})
	if err != nil {
		return nil, false, err
	}
	for line := range strings.Lines(string(r.Output)) {
		name := strings.TrimSpace(line)
		if testName.MatchString(name) {
			tests = append(tests, name)
		}
		benches = benches || benchmarkName.MatchString(name)
	}
	slices.Sort(tests)
	return slices.Compact(tests), benches, nil
}

// exactly is the -run pattern of some top-level tests.
func exactly(names []string) string { return "^(" + strings.Join(names, "|") + ")$" }

// repeat runs the tests of a pattern Options.TestRuns times, less often when they
// are slow.
func (t *tester) repeat(ctx context.Context, bin, pattern string) ([]testRun, error) {
	return t.repeated(func() (testRun, error) { return t.once(ctx, bin, pattern) }, nil)
}

// repeated makes runs until there are enough. Those that were made before count.
func (t *tester) repeated(once func() (testRun, error), before []testRun) ([]testRun, error) {
	results := before
	var spent time.Duration
	for _, r := range before {
		spent += r.Elapsed
	}
	for len(results) < t.o.TestRuns && spent <= testsEnough {
		r, err := once()
		if err != nil {
			return nil, err
		}
		results = append(results, r)
		spent += r.Elapsed
	}
	return results, nil
}

// repeatAtOnce runs the tests of a pattern once and then, unless they are slow, the
// other times side by side. The race detector makes a program wait for a second at
// its end, if nothing else.
func (t *tester) repeatAtOnce(ctx context.Context, bin, pattern string) ([]testRun, error) {
	first, err := t.once(ctx, bin, pattern)
	if err != nil || first.Elapsed > testsEnough/3 {
		return []testRun{first}, err
	}
	results := make([]testRun, t.o.TestRuns)
	results[0] = first
	all := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	for i := range results[1:] {
		all.Go(func(ctx context.Context) (err error) {
			results[i+1], err = t.once(ctx, bin, pattern)
			return err
		})
	}
	return results, all.Wait()
}

// once runs the tests of a pattern.
func (t *tester) once(ctx context.Context, bin, pattern string) (testRun, error) {
	r, err := t.exec(ctx, t.running(bin, pattern))
	if err != nil {
		return testRun{}, err
	}
	return newTestRun(r), nil
}

// whole runs tests once. Those that a process does not come to, because a panic has
// ended it before, are run by another one: what they do is known, too.
func (t *tester) whole(ctx context.Context, bin string, names []string) (testRun, error) {
	sum, err := t.once(ctx, bin, exactly(names))
	left := sum.missing(names)
	for err == nil && sum.Stop == gotool.Exited && 0 < len(left) && len(left) < len(names) {
		var r testRun
		if r, err = t.once(ctx, bin, exactly(left)); err != nil {
			break
		}
		maps.Copy(sum.tests, r.tests)
		maps.Copy(sum.times, r.times)
		sum.Stop = r.Stop
		sum.Elapsed += r.Elapsed
		sum.CPU += r.CPU
		names, left = left, r.missing(left)
	}
	return sum, err
}

// running is how the tests of a pattern are run.
func (t *tester) running(bin, pattern string) gotool.RunOptions {
	args := []string{"-test.v=test2json", "-test.paniconexit0", "-test.run=" + pattern}
	if left := t.leftOut(); len(left) > 0 {
		args = append(args, "-test.skip="+exactly(left))
	}
	return gotool.RunOptions{Path: bin, Args: args}
}

// leftOut are the tests that runs leave out.
func (v *Validator) leftOut() []string {
	if v.o.LeftOut == nil {
		return nil
	}
	return v.o.LeftOut()
}

// exec runs a test binary in the package's directory, as go test does.
func (t *tester) exec(ctx context.Context, o gotool.RunOptions) (gotool.RunResult, error) {
	o.Dir = t.o.Program.Target.Dir
	if len(t.o.Program.Packages) > 0 {
		o.Dir = t.o.Program.Packages[0].Dir
	}
	o.Private, o.Env = true, append(t.environment(), o.Env...)
	if o.Timeout == 0 {
		o.Timeout = t.o.TestTimeout
	}
	r, err := t.run(ctx, o)
	if err == nil && r.Killed && ctx.Err() == nil {
		// Somebody else killed it, which says nothing of the mutant; or it killed itself, and does so again.
		r, err = t.run(ctx, o)
	}
	if err == nil && r.Stop == gotool.Cancelled {
		err = context.Cause(ctx)
	}
	if err != nil {
		return r, fmt.Errorf("running the package's tests: %w", err)
	}
	return r, nil
}

// environment is added to that of a test binary. The race detector makes a
// program wait for a second at its end, in which goroutines that are left may
// still race. Where the checker has run them on until all had ended or were
// blocked, a tenth is enough. What the user sets in GORACE is kept.
func (t *tester) environment() []string {
	set := os.Getenv("GORACE")
	if t.o.Checker == nil || strings.Contains(set, "atexit_sleep_ms") {
		return nil
	}
	return []string{"GORACE=" + strings.TrimSpace(set+" atexit_sleep_ms=100")}
}

// A testRun is one run of a test binary.
type testRun struct {
	gotool.RunResult
	tests map[string]string        // top-level tests that began: "PASS", "FAIL", "SKIP", or "" without an end
	times map[string]time.Duration // of those that ended
	late  string                   // the test that has gone on for longer than it may; "": none
}

func newTestRun(r gotool.RunResult) testRun {
	run := testRun{RunResult: r, tests: parseTests(r.Output), times: map[string]time.Duration{}}
	for _, m := range testTime.FindAllSubmatch(r.Output, -1) {
		if took, err := time.ParseDuration(string(m[2])); err == nil {
			run.times[string(m[1])] = took
		}
	}
	return run
}

// testEvent matches what a test binary says of a top-level test under
// -test.v=test2json, where such lines begin with ^V wherever they stand.
var testEvent = regexp.MustCompile(`\x16(?:=== RUN   |--- (PASS|FAIL|SKIP): )([\pL\pN_]+)(?:\s|$)`)

// testTime matches the end of a test with the time that it took, likewise.
var testTime = regexp.MustCompile(`\x16--- (?:PASS|FAIL|SKIP): ([\pL\pN_]+) \(([0-9.]+s)\)`)

func parseTests(output []byte) map[string]string {
	tests := map[string]string{}
	for _, m := range testEvent.FindAllSubmatch(output, -1) {
		name, result := string(m[2]), string(m[1])
		if result != "" || tests[name] == "" {
			tests[name] = result
		}
	}
	return tests
}

// clean reports whether the process ended as after a successful test.
func (r testRun) clean() bool { return r.Stop == gotool.Exited && r.ExitCode == 0 }

// failing lists which of some tests did not end well, sorted as given.
func (r testRun) failing(names []string) []string {
	var bad []string
	for _, name := range names {
		if result := r.tests[name]; result != "PASS" && result != "SKIP" {
			bad = append(bad, name)
		}
	}
	return bad
}

// unended lists which of some tests did not begin, or have not ended, sorted as given.
func (r testRun) unended(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return r.tests[name] != "" })
}

// missing lists which of some tests did not begin, sorted as given.
func (r testRun) missing(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, began := r.tests[name]
		return began
	})
}

// failure says what went wrong in a run in which some tests did not end well.
func (r testRun) failure(bad []string) evidence.Failure {
	f := evidence.Failure{Kind: evidence.TestFailure}
	who := "the test binary"
	if len(bad) > 0 {
		// The first that began and has not passed; the others may not have come to their turn.
		f.Test = bad[0]
		for _, name := range bad {
			if _, began := r.tests[name]; began {
				f.Test = name
				break
			}
		}
		who = f.Test
	}
	switch {
	case r.Stop == gotool.TimedOut:
		f.Kind, f.Message = evidence.Timeout, who+" does not end"
	case bytes.Contains(r.Output, []byte("WARNING: DATA RACE")):
		f.Kind, f.Message = evidence.Race, who+" shows a data race"
	case bytes.Contains(r.Output, []byte("all goroutines are asleep - deadlock!")):
		f.Kind, f.Message = evidence.Deadlock, who+" deadlocks"
	case bytes.Contains(r.Output, []byte("\npanic: ")), bytes.Contains(r.Output, []byte("\nfatal error: ")):
		f.Kind, f.Message = evidence.Panic, who+" panics"
	default:
		f.Message = who + " fails"
	}
	f.Signature = string(f.Kind) + " " + who
	return f
}

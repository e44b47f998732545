package noise

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mendel/analysis/evidence"
	"mendel/fitness/noise/hook"
	"mendel/internal/gotool"
)

const (
	defaultTimeout = time.Minute
	minTimeout     = 2 * time.Second
	maxTimeout     = time.Minute
	// timeoutFactor: Kelk 2015, table 4.11.
	timeoutFactor = 10
	// testTimeout is the time limit that tests see (testing.T.Deadline), unless a
	// run may take longer: the default of go test.
	testTimeout = 10 * time.Minute
)

// RunOptions says how to run a binary once.
type RunOptions struct {
	Seed    uint64        // of the noise
	Quiet   bool          // no noise in this run
	Procs   int           // GOMAXPROCS; 0: default
	Timeout time.Duration // 0: the calibrated one, or a minute
	Env     []string      // further variables of the environment, "NAME=value"
	Run     string        // -run pattern of the tests; "": the target's
	// RunOf, if not nil, is Run for each run of RunMany, by its seed.
	RunOf func(seed uint64) string

	past bool // no noise, and the causal past of failures is determined
}

// An Outcome is what one run did.
type Outcome struct {
	Pass     bool
	Failures []evidence.Failure // most telling first; empty when Pass, or when no test was run
	Seed     uint64
	Elapsed  time.Duration
	CPU      time.Duration
	Switches int64  // voluntary context switches
	Output   []byte // of a failed run, at most 64 KiB: its beginning and its end
	Tests    int    // top-level tests that were begun
	// Apart are failures that are kept apart, and count for nothing: see KeepApart.
	Apart []evidence.Failure `json:",omitempty"`

	hung bool // ended from outside, or by the watchdog: Elapsed says nothing about the program
}

// Hung reports whether the run was ended at a limit (of time, memory, output or
// processes) or, because it was deadlocked, by the watchdog.
func (o Outcome) Hung() bool { return o.hung }

// Kind is the kind of the first failure, "" when the run passed or no test was run.
func (o Outcome) Kind() evidence.Kind {
	if len(o.Failures) == 0 {
		return ""
	}
	return o.Failures[0].Kind
}

// Run runs a binary once. The error is for a binary that could not be run at all.
func (h *Harness) Run(ctx context.Context, b *Binary, o RunOptions) (Outcome, error) {
	return h.run(ctx, b, cmp.Or(o.Run, h.c.Program.Target.Run), o)
}

// run runs the tests that match a pattern; "" matches all. If somebody kills the
// process, that says nothing about the program, and it is run once more. It is
// not run a third time, because a program may kill itself.
func (h *Harness) run(ctx context.Context, b *Binary, pattern string, o RunOptions) (Outcome, error) {
	release, err := h.acquire(ctx)
	if err != nil {
		return Outcome{}, err
	}
	defer release()
	timeout := o.Timeout
	if timeout <= 0 {
		timeout = h.limit()
	}
	run := gotool.RunOptions{
		Path:        b.path,
		Args:        arguments(pattern, h.Skipped(), timeout),
		Dir:         h.c.Program.Packages[0].Dir,
		Private:     true,
		Env:         append(environment(o), b.variants()...),
		Timeout:     timeout,
		Memory:      h.c.Memory,
		OutputLimit: h.c.OutputLimit,
		Disk:        h.c.Disk,
	}
	h.ran.Add(1)
	r, err := h.c.Tool.Run(ctx, run)
	if err == nil && r.Killed && ctx.Err() == nil {
		h.ran.Add(1)
		r, err = h.c.Tool.Run(ctx, run)
	}
	if err != nil {
		return Outcome{}, fmt.Errorf("run tests of %s: %w", h.c.Program.Packages[0].Path, err)
	}
	if r.Stop == gotool.Cancelled {
		if err := ctx.Err(); err != nil {
			return Outcome{}, err
		}
		return Outcome{}, context.Canceled
	}
	r.Output = b.original(r.Output)
	outcome := classify(r, o.Seed, timeout)
	if left := h.overlooked.Load(); left != nil {
		outcome = outcome.Without(*left)
	}
	if ways := h.apart.Load(); ways != nil {
		outcome = outcome.KeepApart(*ways)
	}
	return outcome, nil
}

// arguments are the flags of the test binary. Its own time-out comes after the
// run's, whose SIGQUIT gives a dump even of a program that does not schedule any
// more. Where there is no SIGQUIT it must come first.
func arguments(pattern string, skipped []string, timeout time.Duration) []string {
	limit := max(testTimeout, timeout+time.Minute)
	if runtime.GOOS == "windows" {
		limit = timeout - timeout/10
	}
	args := []string{
		"-test.v=test2json", // its lines are marked, whatever the program prints
		"-test.count=1",
		"-test.paniconexit0",
		"-test.timeout=" + limit.String(),
	}
	if pattern != "" {
		args = append(args, "-test.run="+pattern)
	}
	if len(skipped) > 0 {
		args = append(args, "-test.skip=^("+strings.Join(skipped, "|")+")$")
	}
	return args
}

// Skipped are the tests that runs leave out, by their top-level names; see KeepApart.
func (h *Harness) Skipped() []string {
	if ways := h.apart.Load(); ways != nil {
		return evidence.Skipped(*ways)
	}
	return nil
}

// Only is the pattern of some tests, by their top-level names; "": there are none.
func Only(tests []string) string {
	if len(tests) == 0 {
		return ""
	}
	quoted := make([]string, len(tests))
	for i, name := range tests {
		quoted[i] = regexp.QuoteMeta(name)
	}
	return "^(" + strings.Join(quoted, "|") + ")$"
}

// environment sets the noise and the race detector: it goes on after a race
// (halt_on_error), so that a run names all of them, and does not wait at the
// end (atexit_sleep_ms, a second by default).
func environment(o RunOptions) []string {
	env := []string{
		"GORACE=halt_on_error=0 exitcode=66 atexit_sleep_ms=0 history_size=3",
		"GOTRACEBACK=all",
		hook.Env + "=",
	}
	switch {
	case o.past:
		// Without suppression each unordered access is reported and counted.
		env[0] += " suppress_equal_stacks=0 suppress_equal_addresses=0"
		env[2] += hook.Past
	case !o.Quiet:
		env[2] += strconv.FormatUint(o.Seed, 10)
	}
	env = append(env, o.Env...)
	if o.Procs > 0 {
		env = append(env, "GOMAXPROCS="+strconv.Itoa(o.Procs))
	}
	return env
}

// RunMany runs a binary n times with seeds o.Seed, o.Seed+1, ... in parallel and
// returns the outcomes in the order of their seeds. stop, if not nil, is called
// with the outcomes in that order too, one at a time. When it returns true, no
// more runs are started, and those with higher seeds are cancelled and left out.
// So the result depends on the outcomes, not on which run was faster. An error
// comes with the outcomes before it.
func (h *Harness) RunMany(ctx context.Context, b *Binary, n int, o RunOptions, stop func(Outcome) bool) ([]Outcome, error) {
	if n <= 0 {
		return nil, ctx.Err()
	}
	ctx, cancel := context.WithCancel(ctx)
	type result struct {
		outcome Outcome
		err     error
	}
	results := make([]chan result, n)
	for i := range results {
		results[i] = make(chan result, 1)
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	for range min(n, h.c.Workers) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				run := o
				run.Seed += uint64(i)
				if o.RunOf != nil {
					run.Run = o.RunOf(run.Seed)
				}
				outcome, err := h.Run(ctx, b, run)
				results[i] <- result{outcome, err}
				if err != nil {
					return // the others have a result of their own, or go on
				}
			}
		})
	}
	outcomes := make([]Outcome, 0, n)
	for i := range results {
		r := <-results[i]
		if r.err != nil {
			return outcomes, r.err
		}
		outcomes = append(outcomes, r.outcome)
		if stop != nil && stop(r.outcome) {
			break
		}
	}
	return outcomes, nil
}

// Calibrate sets the time-out of later runs from outcomes of noised runs
// under load: their mean times 10, at least two seconds and at most a minute (Kelk
// 2015, section 4.2.3 and table 4.11; the bounds are ours). Runs that hung, by
// time-out or deadlock, do not count. The time-out stays as it is if all hung, or
// if Config.Timeout sets it.
func (h *Harness) Calibrate(outcomes []Outcome) time.Duration {
	var sum time.Duration
	n := 0
	for _, o := range outcomes {
		if o.hung || o.Kind() == evidence.Timeout || o.Kind() == evidence.Deadlock {
			continue
		}
		sum += o.Elapsed
		n++
	}
	if n > 0 && h.c.Timeout <= 0 {
		mean := sum / time.Duration(n)
		h.timeout.Store(int64(min(max(timeoutFactor*mean, minTimeout), maxTimeout)))
	}
	return h.limit()
}

// limit is the time-out of a run that has none of its own.
func (h *Harness) limit() time.Duration {
	if t := h.timeout.Load(); t > 0 {
		return time.Duration(t)
	}
	return defaultTimeout
}

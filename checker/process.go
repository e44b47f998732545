package checker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"mendel/checker/wire"
	"mendel/internal/gotool"
)

const (
	// overtime is how much longer than its budget a process may take: to finish
	// a step, and to replay and minimise a failure. After that come quitGrace to
	// print its goroutines, and the time that gotool needs to end it: together
	// less than five seconds.
	overtime  = 2 * time.Second
	quitGrace = time.Second
	// replayTime bounds the following of one schedule.
	replayTime = time.Minute
	// pollEvery is how often answers are looked for while a process runs: those of one
	// that ends sooner are read at its end.
	pollEvery = 50 * time.Millisecond
	// testTimeout is the time limit that tests see (testing.T.Deadline): the
	// default of go test.
	testTimeout = 10 * time.Minute
	// outputLimit is larger than for one run of a test, because thousands may
	// print in one process.
	outputLimit = 64 << 20
)

// A process is how one process ended.
type process struct {
	ready  *wire.Ready
	done   bool   // it said that it had finished
	wrong  string // an answer that could not be read
	result gotool.RunResult
	limit  time.Duration // after which it was to be ended
}

// start runs the binary with a request until end at the latest, and passes its
// answers on as they come, in order and one at a time. The caller has acquired
// the right to do so. A ctx that ends is no error: see process.result.
//
// If somebody kills the process, that says nothing about the program. Another
// process then gets the rest of the request, but only once: a program may kill
// itself.
func (b *Binary) start(ctx context.Context, r wire.Request, end time.Time, tell func(wire.Answer)) (process, error) {
	began := time.Now()
	answered := map[string]bool{}
	p, err := b.startOnce(ctx, r, end, func(a wire.Answer) {
		if a.Test != nil {
			answered[a.Test.Name] = true
		}
		tell(a)
	})
	if err != nil || !p.result.Killed || p.done || ctx.Err() != nil {
		return p, err
	}
	r, ok := unanswered(r, answered, time.Since(began))
	if !ok {
		return p, nil
	}
	return b.startOnce(ctx, r, end, tell)
}

// unanswered is the rest of a request when some tests are answered and some time
// is spent; false: it is not known, or no time is left.
func unanswered(r wire.Request, answered map[string]bool, spent time.Duration) (wire.Request, bool) {
	if r.Search.Time > 0 {
		r.Search.Time -= spent
		if r.Search.Time < atLeast {
			return r, false
		}
	}
	if len(answered) == 0 {
		return r, true
	}
	if r.Mode != wire.Check {
		return r, false // a test may have several answers
	}
	r.Tests = slices.DeleteFunc(slices.Clone(r.Tests), func(name string) bool { return answered[name] })
	return r, len(r.Tests) > 0
}

// startOnce is start with one process.
func (b *Binary) startOnce(ctx context.Context, r wire.Request, end time.Time, tell func(wire.Answer)) (p process, err error) {
	c := b.checker
	dir := filepath.Join(c.dir, fmt.Sprintf("p%d", c.names.Add(1)))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return p, fmt.Errorf("prepare a test process: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r.Clone = b.clone
	r.Answers = filepath.Join(dir, "answers")
	text, err := b.request(r)
	if err != nil {
		return p, fmt.Errorf("prepare a test process: %w", err)
	}
	request := filepath.Join(dir, "request")
	if err := errors.Join(os.WriteFile(request, text, 0o600), os.WriteFile(r.Answers, nil, 0o600)); err != nil {
		return p, fmt.Errorf("prepare a test process: %w", err)
	}
	file, err := os.Open(r.Answers)
	if err != nil {
		return p, fmt.Errorf("prepare a test process: %w", err)
	}
	defer file.Close()
	from := answers{file: file, parse: b.answer, got: func(a wire.Answer) {
		switch {
		case a.Ready != nil && p.ready == nil:
			p.ready = a.Ready
		case a.Done:
			p.done = true
		}
		tell(a)
	}}
	p.limit = max(time.Until(end), time.Millisecond)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		var err error
		p.result, err = gotool.Run(ctx, b.run(request, p.limit))
		p.result.Output = b.original(p.result.Output)
		ended <- err
	}()
	err = from.follow(ended, cancel)
	p.wrong = from.wrong
	if err != nil {
		return p, fmt.Errorf("check %s: %w", c.path(), err)
	}
	return p, nil
}

// follow polls until the process has ended. It ends the process when there are
// too many answers, or they cannot be read.
func (a *answers) follow(ended <-chan error, cancel context.CancelFunc) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	var broken error
	for {
		select {
		case err := <-ended:
			return errors.Join(err, broken, a.poll())
		case <-tick.C:
			if broken == nil && !a.full {
				broken = a.poll()
			}
			if broken != nil || a.full {
				cancel()
			}
		}
	}
}

// run says how to run the binary. The binary's own time-out comes after the one
// of gotool, except where there is no SIGQUIT: there it must come first, for a
// dump.
func (b *Binary) run(request string, limit time.Duration) gotool.RunOptions {
	c := b.checker
	timeout := max(testTimeout, limit+time.Minute)
	if runtime.GOOS == "windows" {
		timeout = limit
	}
	return gotool.RunOptions{
		Path: b.path,
		Args: []string{
			"-test.run=^" + wire.Entry + "$",
			"-test.count=1",
			"-test.paniconexit0",
			"-test.timeout=" + timeout.String(),
		},
		Dir:         c.c.Program.Packages[0].Dir,
		Private:     true,
		Env:         b.environment(request),
		Timeout:     limit,
		Grace:       quitGrace,
		Memory:      c.c.Memory,
		Disk:        c.c.Disk,
		OutputLimit: outputLimit,
	}
}

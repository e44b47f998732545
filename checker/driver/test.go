package driver

import (
	realcontext "context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/shim/context"
)

// A test is a test or subtest of one execution. It does under control what
// package testing does with a T: tRunner, T.Run and T.Parallel are its model.
type test struct {
	runner *runner
	real   *real
	parent *test
	subs   []*test

	// The first two are read while an orphaned goroutine may run.
	started    atomic.Bool // its goroutine has begun
	ended      atomic.Bool // all is done
	returned   bool        // the test function has returned
	failed     bool        // by code under control
	isParallel bool
	denied     bool    // it has changed the process and may not become parallel
	bubbled    bool    // of a bubble of synctest; has the name of its parent
	earlier    bool    // it only prepares the test that is explored
	paused     []*test // parallel subtests, waiting for barrier
	barrier    gate
	signals    gate // to the parent: once in Parallel, once at the end

	cleaning bool
	cleanups []func() // last called first
	ctx      realcontext.Context
	cancel   realcontext.CancelFunc
}

var errGoexit = errors.New("test executed panic(nil) or runtime.Goexit")

// run runs the test function in the calling goroutine.
func (s *test) run(f func(*testing.T)) {
	s.started.Store(true)
	defer s.end()
	defer s.cleanUp()
	defer s.release()
	f(s.real.t)
	s.returned = true
}

// stopped reports whether the test function ended in a way that it may.
func (s *test) stopped() bool { return s.returned || s.real.t.Skipped() || s.hasFailed() }

func (s *test) hasFailed() bool { return s.failed || s.real.t.Failed() }

// release lets the parallel subtests run and waits for them.
func (s *test) release() {
	if len(s.paused) == 0 || !s.stopped() {
		return
	}
	s.barrier.signal("release of parallel subtests")
	for _, sub := range s.paused {
		sub.signals.wait(2, "end of parallel subtests")
	}
}

// end is the last step of a test: it judges, and signals its parent.
func (s *test) end() {
	s.ended.Store(true)
	if value := recover(); value != nil {
		panic(value)
	}
	switch {
	case s.earlier:
	case s.hasFailed():
		s.stop(s.describe(s.log(), "has failed"))
	case !s.stopped() && s.parent.skipped():
		s.stop(s.describe("", errGoexit.Error()+": subtest may have called FailNow on a parent test"))
	case !s.stopped() && !sched.Leaving():
		panic(errGoexit)
	}
	if !s.bubbled && (s.parent != nil || s.earlier || s.runner.main != nil) {
		s.signals.signal("end of " + s.real.t.Name())
	}
}

// skipped reports whether a test was skipped, or one that it is part of.
func (s *test) skipped() bool {
	return s != nil && (s.real.t.Skipped() || s.parent.skipped())
}

// newSub makes a subtest; nil when package testing does not run it.
func (s *test) newSub(name string) *test {
	r := s.real.sub(name)
	if r == nil {
		return nil
	}
	sub := &test{runner: s.runner, real: r, parent: s}
	s.subs = append(s.subs, sub)
	s.runner.tests[r.t] = sub
	return sub
}

// cleanUp cancels the context and calls the cleanup functions; those that one
// adds too, and the others when one of them panics or ends its goroutine.
func (s *test) cleanUp() {
	s.cleaning = true
	defer func() { s.cleaning = false }()
	if s.cancel != nil {
		s.cancel()
	}
	s.callCleanups()
}

func (s *test) callCleanups() {
	defer func() {
		if s.absorb(); len(s.cleanups) > 0 {
			s.callCleanups()
		}
	}()
	for s.absorb(); len(s.cleanups) > 0; s.absorb() {
		last := len(s.cleanups) - 1
		f := s.cleanups[last]
		s.cleanups = s.cleanups[:last]
		f()
	}
}

// absorb takes over the functions that were registered with the real T.
func (s *test) absorb() { s.cleanups = append(s.cleanups, s.real.takeCleanups()...) }

// context returns the context of the test.
func (s *test) context() realcontext.Context {
	if s.ctx == nil {
		s.ctx, s.cancel = context.WithCancel(context.Background())
		if s.cleaning || s.ended.Load() {
			s.cancel()
		}
	}
	return s.ctx
}

// fail ends the execution with a failure of the test, logged as package testing
// does: with the position, which takes account of Helper.
func (s *test) fail(text string) {
	s.real.t.Helper()
	text = strings.TrimSuffix(text, "\n")
	s.checkLog(text)
	before := len(s.real.output(0))
	s.real.t.Log(text)
	s.failBare(s.describe(strings.TrimSpace(s.real.output(before)), text))
}

// checkLog panics if the test and all that it is part of have ended: there is
// nowhere to log to.
func (s *test) checkLog(text string) {
	for t := s; t != nil; t = t.parent {
		if !t.ended.Load() {
			return
		}
	}
	if !sched.Leaving() {
		panic("Log in goroutine after " + s.real.t.Name() + " has completed: " + strings.TrimSuffix(text, "\n"))
	}
}

// failBare is fail without a log.
func (s *test) failBare(message string) {
	if s.ended.Load() {
		panic("Fail in goroutine after " + s.real.t.Name() + " has completed")
	}
	s.stop(message)
}

func (s *test) stop(message string) {
	top := s
	for t := s; t != nil; t = t.parent {
		t.failed, top = true, t
	}
	if !top.earlier {
		sched.Fail(message)
	}
}

// describe is a message, or another if it is empty, that names a subtest.
func (s *test) describe(text, otherwise string) string {
	if text == "" {
		text = otherwise
	}
	if s.isSub() || text == "has failed" {
		return s.real.t.Name() + ": " + text
	}
	return text
}

// log returns what the test and its subtests logged.
func (s *test) log() string {
	var b strings.Builder
	for line := range strings.Lines(s.real.output(0)) {
		b.WriteString(strings.TrimPrefix(line, "    "))
	}
	for _, sub := range s.subs {
		if text := sub.log(); text != "" {
			if !sub.bubbled {
				b.WriteString(sub.real.t.Name() + ":\n")
			}
			b.WriteString(text)
		}
	}
	return shorten(b.String())
}

// maxLog bounds what is kept of a log, in bytes. Guessed.
const maxLog = 8 << 10

// shorten keeps the beginning and the end of a text.
func shorten(text string) string {
	if len(text) <= maxLog {
		return text
	}
	half := maxLog / 2
	return strings.ToValidUTF8(text[:half], "") + "\n...\n" + strings.ToValidUTF8(text[len(text)-half:], "")
}

// dismiss lets package testing end what it made for the test, as soon as no
// goroutine may use it. An orphaned goroutine keeps it for ever.
func (s *test) dismiss() (gone bool) {
	gone = !s.started.Load() || s.ended.Load()
	for _, sub := range s.subs {
		gone = sub.dismiss() && gone
	}
	if gone {
		s.real.end()
	}
	return gone
}

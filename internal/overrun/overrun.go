// Package overrun ends a process whose work goes on although its time is over. It is
// the net below the contexts: work looks at its context and ends by itself, with what
// it has found. Where it does not, be it that a computation never comes to an end or
// that a file system hangs, the process has to end all the same.
//
// A command makes a [Watchdog] and works under its context. Whoever gives the work a
// budget calls [Watch] with the context that ends with it. The children of a process that
// ends so are ended by the process that gotool.Guard has started.
package overrun

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Grace is how long work may go on when its budget is spent or it was interrupted.
const Grace = 5 * time.Second

// A Watchdog ends a process that overruns. It is safe for concurrent use.
type Watchdog struct {
	end   func(text string)                    // ends the process; text says why
	after func(time.Duration) <-chan time.Time // time.After, but for tests

	mu    sync.Mutex // guards what follows
	doing string
	ended bool
}

// New makes a watchdog. It calls end, once, to end the process.
func New(end func(text string)) *Watchdog {
	return &Watchdog{end: end, after: time.After, doing: "beginning"}
}

type key struct{}

// Context is a context under which work is watched.
func (w *Watchdog) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, key{}, w)
}

// Without is a context under which nothing is watched: that of a part of the work, whose
// own budget ends the part alone.
func Without(ctx context.Context) context.Context {
	return context.WithValue(ctx, key{}, (*Watchdog)(nil))
}

// Of is the watchdog of a context; nil: there is none.
func Of(ctx context.Context) *Watchdog {
	w, _ := ctx.Value(key{}).(*Watchdog)
	return w
}

// Watch lets the process end when ctx has ended and stop is not called within [Grace].
// Without a watchdog it does nothing.
func Watch(ctx context.Context) (stop func()) {
	w := Of(ctx)
	if w == nil {
		return func() {}
	}
	done := make(chan struct{})
	go w.watch(ctx, done)
	return sync.OnceFunc(func() { close(done) })
}

// watch waits for the end of ctx and then for that of the work.
func (w *Watchdog) watch(ctx context.Context, done <-chan struct{}) {
	select {
	case <-done:
		return
	case <-ctx.Done():
	}
	select {
	case <-done:
	case <-w.after(Grace):
		w.overran()
	}
}

// overran ends the process.
func (w *Watchdog) overran() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return
	}
	w.ended = true
	w.end(fmt.Sprintf("ended by force: it went on for %v when it should have ended, while %s", Grace, w.doing))
}

// Phase notes what is being done.
func (w *Watchdog) Phase(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.doing = fmt.Sprintf(format, args...)
}

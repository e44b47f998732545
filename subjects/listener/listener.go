// Package listener hands connections to handlers until it is stopped.
package listener

import (
	"errors"
	"sync"
)

// ErrStopped is what Deliver returns when the listener was stopped.
var ErrStopped = errors.New("listener: stopped")

// A Listener passes connections on to a few handlers. It may be used by
// several goroutines.
type Listener struct {
	conns chan int      // numbers stand for connections
	quit  chan struct{} // closed by Stop

	handle   func(conn int) error
	handlers sync.WaitGroup
}

// Start makes a listener with n handlers, each a goroutine that calls handle
// for one connection after the other. A handler that gets an error stops the
// listener.
func Start(n int, handle func(conn int) error) *Listener {
	l := &Listener{conns: make(chan int), quit: make(chan struct{}), handle: handle}
	for range n {
		l.handlers.Add(1)
		go l.serve()
	}
	return l
}

// Deliver gives a connection to the next handler that is free.
func (l *Listener) Deliver(conn int) error {
	select {
	case l.conns <- conn:
		return nil
	case <-l.quit:
		return ErrStopped
	}
}

func (l *Listener) serve() {
	defer l.handlers.Done()
	for {
		select {
		case conn := <-l.conns:
			if err := l.handle(conn); err != nil {
				l.Stop()
				return
			}
		case <-l.quit:
			return
		}
	}
}

// Stop tells all handlers to end. It may be called more than once.
func (l *Listener) Stop() {
	select {
	case <-l.quit: // stopped before
	default:
		close(l.quit)
	}
}

// Wait waits until all handlers have ended.
func (l *Listener) Wait() {
	l.handlers.Wait()
}

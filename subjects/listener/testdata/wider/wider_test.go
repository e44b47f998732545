package listener

import (
	"errors"
	"sync"
	"testing"
)

// Many owners stop two listeners at once, beside handlers that fail. It fails if
// the look and the close can be apart, if only the handlers' calls are guarded, or
// if all listeners share one sync.Once.
func TestWiderStop(t *testing.T) {
	for range 200 {
		var listeners []*Listener
		for range 2 {
			listeners = append(listeners, Start(2, func(int) error { return errBroken }))
		}
		var wg sync.WaitGroup
		for _, l := range listeners {
			for conn := range 2 {
				wg.Go(func() {
					if err := l.Deliver(conn); err != nil && !errors.Is(err, ErrStopped) {
						t.Error(err)
					}
				})
			}
			for range 3 {
				wg.Go(l.Stop)
			}
			wg.Go(l.Wait)
		}
		wg.Wait()
		for i, l := range listeners {
			l.Stop()
			if err := l.Deliver(7); !errors.Is(err, ErrStopped) {
				t.Fatalf("listener %d takes connections after it was stopped: %v", i, err)
			}
		}
	}
}

package mailer

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A slow exchange takes a while for each connection.
type slowExchange struct{ dials atomic.Int64 }

func (s *slowExchange) Dial(host string) *Conn {
	s.dials.Add(1)
	for range 10 {
		runtime.Gosched()
	}
	return &Conn{host: host, limit: 10}
}

// Addresses are verified and messages sent several at a time, some of which fail
// or have no receiver. It fails if the two functions connect under different locks,
// if only one of them is guarded, or if both may find that there is no connection.
func TestWiderConnect(t *testing.T) {
	for range 50 {
		exchange := &slowExchange{}
		m := New("example.com", exchange)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if !m.Verify("anna@example.com") || m.Verify("ben@example.org") {
					t.Error("anna has a mailbox, ben has none")
				}
			})
			wg.Go(func() {
				if err := m.Send("none"); err != nil {
					t.Error(err)
				}
			})
			wg.Go(func() {
				if err := m.Send("some", "ben@example.org", "anna@example.com"); !errors.Is(err, errRefused) {
					t.Error(err)
				}
				if err := m.Send(strings.Repeat("x", 11), "anna@example.com"); err == nil {
					t.Errorf("%s takes a message that is too long", m.Host())
				}
			})
		}
		wg.Wait()
		if n := exchange.dials.Load(); n != 1 {
			t.Fatalf("%d connections, want 1", n)
		}
	}
}

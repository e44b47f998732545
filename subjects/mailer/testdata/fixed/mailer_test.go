package mailer

import (
	"errors"
	"strings"
	"sync"
	"testing"
)

// A switchboard counts the connections it makes.
type switchboard struct {
	mu    sync.Mutex
	dials int
}

func (s *switchboard) Dial(host string) *Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dials++
	return &Conn{host: host, limit: 1000}
}

func TestOneConnection(t *testing.T) {
	board := &switchboard{}
	m := New("example.com", board)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		if !m.Verify("anna@example.com") {
			t.Error("anna has no mailbox")
		}
	}()
	go func() {
		defer wg.Done()
		if err := m.Send("good morning", "anna@example.com"); err != nil {
			t.Error(err)
		}
	}()
	wg.Wait()
	if board.dials != 1 {
		t.Errorf("%d connections to %s, want 1", board.dials, m.Host())
	}
}

func TestSend(t *testing.T) {
	m := New("example.com", &switchboard{})
	if err := m.Send("good morning", "anna@example.com", "ben@example.org"); !errors.Is(err, errRefused) {
		t.Errorf("a message to another host: %v", err)
	}
	if err := m.Send(strings.Repeat("x", 1001), "anna@example.com"); err == nil {
		t.Error("the message is too long")
	}
}

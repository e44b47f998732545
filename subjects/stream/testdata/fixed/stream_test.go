package stream

import (
	"strings"
	"sync"
	"testing"
)

// Source and consumer come to the end at the same time.
func TestBothClose(t *testing.T) {
	s := New(1)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		Feed(s, [][]byte{[]byte("ab"), []byte("cd")})
	}()
	Copy(s, 4, func([]byte) {})
	wg.Wait()
	reason, closed := s.Closed()
	if !closed {
		t.Error("the stream is open")
	}
	if !strings.HasPrefix(reason, "source: ") && !strings.HasPrefix(reason, "consumer: ") {
		t.Errorf("closed for the reason %q", reason)
	}
}

func TestClose(t *testing.T) {
	s := New(2)
	if !s.Write([]byte("abc")) || s.Bytes() != 3 {
		t.Errorf("%d bytes are written, want 3", s.Bytes())
	}
	s.Close("first")
	s.Close("second")
	if reason, _ := s.Closed(); reason != "first" {
		t.Errorf("closed for the reason %q", reason)
	}
}

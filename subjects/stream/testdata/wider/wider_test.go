package stream

import (
	"fmt"
	"sync"
	"testing"
)

// Several close a stream for different reasons while others read, write and ask. It
// fails if the look, the close and the reason are not in one section: done is
// closed twice, the first reason is replaced, or a stream whose reader has come to
// its end is not closed yet.
func TestWiderClose(t *testing.T) {
	for range 200 {
		s := New(1)
		var wg sync.WaitGroup
		for i := range 3 {
			wg.Go(func() {
				s.Close(fmt.Sprint(i))
				reason, closed := s.Closed()
				if again, _ := s.Closed(); !closed || reason == "" || again != reason {
					t.Errorf("closed: %t, for the reason %q and then %q", closed, reason, again)
				}
			})
		}
		wg.Go(func() {
			for s.Write([]byte("ab")) {
			}
		})
		wg.Go(func() {
			for _, ok := s.Read(); ok; _, ok = s.Read() {
			}
			if reason, closed := s.Closed(); !closed || reason == "" {
				t.Errorf("at the end of the stream: closed is %t, for the reason %q", closed, reason)
			}
		})
		wg.Go(func() { _ = s.Bytes() })
		wg.Wait()
		if s.Bytes()%2 != 0 {
			t.Errorf("%d bytes in frames of two", s.Bytes())
		}
	}
}

// A source and a consumer of other lengths: either may come to its end first. It
// fails if an early return leaves a lock behind.
func TestWiderEnds(t *testing.T) {
	frames := [][]byte{[]byte("ab"), []byte("cd"), []byte("ef")}
	for _, limit := range []int{2, 3, 100} {
		for range 20 {
			s := New(1)
			var wg sync.WaitGroup
			wg.Go(func() { Feed(s, frames) })
			n := Copy(s, limit, func([]byte) {})
			wg.Wait()
			if reason, closed := s.Closed(); !closed || reason == "" || n > 6 {
				t.Errorf("limit %d: %d bytes, closed is %t for the reason %q", limit, n, closed, reason)
			}
		}
	}
}
